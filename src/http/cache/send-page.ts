import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { problem } from '../../domain/problem-kinds.ts'
import type { AppContext, Services } from '../call.ts'
import { announced } from '../limits/budgets.ts'
import { CODINGS, chooseCoding, chooseFormat, FORMATS, type Format, MEDIA_TYPES } from '../negotiation.ts'
import type { Parameters } from '../parameters.ts'
import type { PageSource } from './cache.ts'
import { etagMatches } from './etag.ts'
import type { Rendered } from './page.ts'
import { sendKnown } from './send-known.ts'

/** The representation that `?format=` or, without it, the Accept header asks for. */
export function negotiate(context: AppContext, parameters: Parameters, offers: readonly Format[] = FORMATS): Format {
  const format = parameters.format(offers) ?? chooseFormat(context.env.call.head.accept, offers)
  if (format !== undefined) return format
  const available = offers.map((offer) => MEDIA_TYPES[offer])
  throw problem('not-acceptable', `This page exists as ${available.join(', ')}.`, {
    hint: `Accept one of these, or add ?format=${offers.join(' or ?format=')}.`,
    more: { available },
  })
}

/**
 * Answers with a page out of the cache, in the coding that the request accepts; `undefined`: there is no such page. The bytes
 * go out at once: through a `Response` they would pass a stream and be looked at twice.
 */
export async function sendPage(
  { cache, front }: Services,
  context: AppContext,
  source: PageSource,
): Promise<Response | undefined> {
  const { call, incoming, outgoing } = context.env
  const coding = chooseCoding(call.head.acceptEncoding)
  if (coding === undefined) {
    throw problem('not-acceptable', `Pages are sent as ${CODINGS.join(', ')}, all of which Accept-Encoding excludes.`, {
      hint: 'Leave the Accept-Encoding header out.',
      more: { available: CODINGS },
    })
  }
  const found = await cache.open(source)
  if (found === undefined) return undefined
  const encoded = await found.page.encoded(coding)
  front.learn(incoming.url ?? '', call.head, found.slot, coding)
  // Whoever asked was told meanwhile that it takes too long, or is gone.
  if (outgoing.headersSent) return RESPONSE_ALREADY_SENT
  const { ifNoneMatch } = call.head
  const same = ifNoneMatch !== undefined && etagMatches(ifNoneMatch, encoded.etag)
  const age = found.staleMs === undefined ? [] : staleHeaders(found.staleMs)
  const body = same || incoming.method === 'HEAD' ? undefined : encoded.bytes
  sendKnown(outgoing, same ? encoded.notModified : encoded.ok, call.id, body, [...announced(outgoing), ...age])
  return RESPONSE_ALREADY_SENT
}

/** What tells an older copy from a page that stands: the store is away, and nobody knows what it would say now. */
const staleHeaders = (staleMs: number): string[] => [
  ...['Age', String(Math.floor(staleMs / 1000))],
  ...['Warning', '110 - "Response is Stale"'],
]

/** Lists over the whole directory stand only as long as nothing at all was written. */
export async function sendList(
  services: Services,
  context: AppContext,
  key: unknown,
  render: () => Promise<Rendered>,
): Promise<Response> {
  const response = await sendPage(services, context, { key: JSON.stringify(key), host: null, render })
  if (response !== undefined) return response
  throw problem('not-found', 'There is no such list.')
}
