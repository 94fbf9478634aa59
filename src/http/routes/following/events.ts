import { z } from 'zod'
import { EVENT_KINDS, EVENT_ORDERS, eventKindsIn } from '../../../domain/event.ts'
import { parseHost, type SellerHost } from '../../../domain/host.ts'
import { problem } from '../../../domain/problem-kinds.ts'
import { eventsJson } from '../../../render/json/events.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonAnswer, toResponse } from '../../answer.ts'
import type { AppContext, Services } from '../../call.ts'
import { compressed } from '../../compressed.ts'
import { createEndpoint } from '../../endpoint.ts'
import type { Following } from '../../events/event-streams.ts'
import { requireHost } from '../../hosts-named.ts'
import { chooseMedia } from '../../negotiation.ts'
import { EXAMPLES, formatOf, inQuery, limit } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'
import { addressKey, neighbourhood } from '../../server/client-address.ts'

const STREAM_TYPE = 'text/event-stream'
const JSON_TYPE = 'application/json'

/**
 * As a stream of server-sent events, from `Last-Event-ID` or `after` on and without either from now on; as JSON, a page
 * after `after` or from the first on.
 */
export const listEventsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.events, id: 'listEvents', tag: 'Following', isCached: true },
  summary: 'Announcements in the order in which they were written: JSON pages, or server-sent events',
  description: 'As text/event-stream it stays open and goes on after Last-Event-ID or `after`.',
  parameters: [
    inQuery('host', 'Of this host only', { example: EXAMPLES.host }),
    inQuery('kind', `Of these kinds only, comma separated: ${EVENT_KINDS.join(', ')}`, { example: 'review,post' }),
    inQuery('after', 'The id of an announcement: those after it, in the order asked for'),
    inQuery('order', 'Of JSON pages: the first one written first, or the last one', {
      schema: z.enum(EVENT_ORDERS).default('oldest'),
      example: 'newest',
    }),
    limit,
    // Without it a client that takes anything is given the stream, which does not end.
    { ...formatOf(['json', 'stream']), required: true },
  ],
  answers: {
    200: { description: 'Announcements', content: { [JSON_TYPE]: 'Events', [STREAM_TYPE]: 'text' } },
  },
  problems: ['unknown-host', 'not-acceptable', 'too-many-streams'],
  handler: (services) => async (context) => {
    const parameters = new Parameters(context.req.url)
    const asJson = isJson(context, parameters)
    const host = hostAsked(parameters, services)
    const kinds = kindsAsked(parameters)
    if (host !== null) await requireHost(services, host)
    return asJson
      ? page(services, context, parameters, host, kinds)
      : stream(services, context, { host, kinds, after: afterAsked(context, parameters) })
  },
})

function isJson(context: AppContext, parameters: Parameters): boolean {
  const format = parameters.oneOf('format', ['json', 'stream'])
  if (format !== null) return format === 'json'
  const chosen = chooseMedia(context.env.call.head.accept, [STREAM_TYPE, JSON_TYPE])
  if (chosen === undefined) {
    throw problem('not-acceptable', `Announcements exist as ${STREAM_TYPE} and ${JSON_TYPE}.`, {
      hint: 'Accept one of these, or add ?format=stream or ?format=json.',
      more: { available: [STREAM_TYPE, JSON_TYPE] },
    })
  }
  return chosen === JSON_TYPE
}

const hostAsked = (parameters: Parameters, { allow }: Services): SellerHost | null =>
  parameters.parsed('host', 'a seller host', (text) => {
    const reading = parseHost(text, allow)
    return reading.ok ? reading.host : undefined
  })

const kindsAsked = (parameters: Parameters): readonly string[] =>
  parameters.parsed('kind', `some of ${EVENT_KINDS.join(', ')}, comma separated`, eventKindsIn) ?? []

/** A browser that comes back says it in a header, which is newer than the address it once opened. */
const afterAsked = (context: AppContext, parameters: Parameters): string | null =>
  context.req.header('Last-Event-ID') || parameters.text('after')

async function page(
  { site, directory }: Services,
  context: AppContext,
  parameters: Parameters,
  host: SellerHost | null,
  kinds: readonly string[],
): Promise<Response> {
  const order = parameters.oneOf('order', EVENT_ORDERS) ?? 'oldest'
  const [limit, after] = [parameters.limit(), parameters.text('after')]
  const found = await directory.arrivals({ host, kinds, order, limit, after })
  // Named, so that whoever follows `next` and takes anything is not given the stream.
  const on = new URLSearchParams([['format', 'json'], ...parameters.kept(['host', 'kind', 'limit', 'order'])])
  const document = eventsJson(site, found ?? { items: [], next: null }, on)
  return toResponse(await compressed(context.env.call.head, jsonAnswer(200, document, { Vary: 'Accept' })))
}

async function stream({ streams, clientOf }: Services, context: AppContext, following: Following): Promise<Response> {
  const headers = {
    'Content-Type': `${STREAM_TYPE}; charset=utf-8`,
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    // Read by reverse proxies that would otherwise hold small pieces back.
    'X-Accel-Buffering': 'no',
  }
  if (context.req.method === 'HEAD') return new Response(null, { headers })
  const { incoming, outgoing, call } = context.env
  const address = clientOf(incoming, call.head)
  const origin = { address: addressKey(address), network: neighbourhood(address) }
  return new Response(await streams.open(following, origin, () => outgoing.destroy()), { headers })
}
