import { createHash } from 'node:crypto'
import type { PostAnswer } from '../../acts/threads.ts'
import type { SellerHost } from '../../domain/host.ts'
import type { Rail } from '../../domain/route.ts'
import { postJson } from '../../render/json/post.ts'
import { fullAddress, mppThreadHref, postHref, type Site, threadHref } from '../../render/site.ts'
import { type Answer, textAnswer, toResponse } from '../answer.ts'
import { jsonIn, readBody } from '../body.ts'
import type { Handler, Services } from '../call.ts'
import { hostIn, requireHost } from '../hosts-named.ts'

/** Where each rail is paid. */
const ENDPOINTS: Readonly<Record<Rail, (host: SellerHost) => string>> = { x402: threadHref, mpp: mppThreadHref }

/** `POST /v1/thread/<seller_host>` through x402, `POST /mpp/v1/thread/<seller_host>` through mpp. */
export const postRouteOn =
  (rail: Rail) =>
  (services: Services): Handler =>
  async (context) => {
    const { site, threads, writeLimits } = services
    const { raw } = context.req
    // Read in any case: its digest is part of the challenge, and an unread body would cost the client its connection.
    const bytes = await readBody(raw)
    const host = hostIn(context, services)
    await requireHost(services, host)
    const gate = writeLimits.gate(context.env.incoming, context.env.call.head)
    const answer = await threads.post({
      rail,
      host,
      resource: fullAddress(site, ENDPOINTS[rail](host)),
      bodyDigest: createHash('sha256').update(bytes).digest('hex'),
      header: (name) => context.req.header(name),
      body: async () => {
        const document = jsonIn(raw.headers, bytes)
        // Asked for once per new payment, just before its signature is looked at; repetitions are free.
        gate.signing()
        return document
      },
    })
    return toResponse(postAnswer(site, answer, gate.headers()))
  }

const PENDING_HINT =
  'The payment was asked for and its outcome is not known yet. Send the very same request again after the Retry-After time: it brings the post once the payment is found, and never charges twice.'

function postAnswer(site: Site, answer: PostAnswer, limits: Readonly<Record<string, string>>): Answer {
  if (answer.kind === 'pending') {
    const document = { id: answer.postId, status: 'payment_pending', charged: 'pending', hint: PENDING_HINT }
    return jsonText(202, document, {
      ...limits,
      'Cache-Control': 'no-store',
      'Retry-After': String(answer.retryAfterSeconds),
    })
  }
  const { post, headers, isNew } = answer
  // The same body for every repetition; a text that was taken down meanwhile stays down.
  const shown = post.hidden === null ? post : { ...post, text: '' }
  return jsonText(isNew ? 201 : 200, postJson(site, post.host, shown), {
    ...limits,
    ...headers,
    'Cache-Control': 'private',
    Location: fullAddress(site, postHref(post.id)),
  })
}

const jsonText = (status: number, document: object, headers: Readonly<Record<string, string>>): Answer =>
  textAnswer(status, 'application/json', `${JSON.stringify(document)}\n`, headers)
