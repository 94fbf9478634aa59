import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { PostAnswer } from '../../../acts/posts/threads.ts'
import { RAILS, type Rail } from '../../../domain/route.ts'
import { TEMPO_FEE } from '../../../domain/thread.ts'
import { withoutHidden } from '../../../domain/words/hidden.ts'
import { postJson } from '../../../render/json/post.ts'
import { fullAddress, postHref, type Site } from '../../../render/site.ts'
import { THREAD_DOLLARS } from '../../../render/words.ts'
import { fillPath, PAID_THREAD_PATHS, PATHS } from '../../../wire/paths.ts'
import { type Answer, jsonAnswer, toResponse } from '../../answer.ts'
import { jsonIn, readBody } from '../../body.ts'
import { createEndpoint, type Endpoint } from '../../endpoint.ts'
import { hostIn, requireHost } from '../../hosts-named.ts'
import { json, type Parameter } from '../../openapi/operation.ts'
import { EXAMPLES, host } from '../../openapi/parameters.ts'
import { BODY_PROBLEMS } from '../../openapi/problem-sets.ts'

const POST_BODY = {
  text: EXAMPLES.text,
  wallet: EXAMPLES.wallet,
  signature: `0x${'11'.repeat(64)}1b`,
  signed_at: EXAMPLES.signedAt,
}

const credential = (name: string, description: string): Parameter => ({
  ...{ name, in: 'header', required: false, description, schema: z.string(), isCredential: true },
})

const IDEMPOTENCY_KEY: Parameter = {
  ...{ name: 'Idempotency-Key', in: 'header', required: false, schema: z.string().max(255) },
  description: 'Your own name for the request, in the scope of your wallet: under one name one post is charged',
}

/** How a rail asks, is paid and says that it was. */
interface RailWords {
  readonly id: string
  readonly demand: Readonly<Record<string, string>>
  readonly receipt: Readonly<Record<string, string>>
  readonly credentials: readonly Parameter[]
}

const RAIL_WORDS: Readonly<Record<Rail, RailWords>> = {
  x402: {
    id: 'postByX402',
    demand: {
      'PAYMENT-REQUIRED': 'x402 version 2: what is asked for, base64 of JSON. Version 1 finds it in the body.',
    },
    receipt: {
      'PAYMENT-RESPONSE': 'x402 version 2: the receipt, base64 of JSON',
      'X-PAYMENT-RESPONSE': 'x402 version 1: the receipt, base64 of JSON',
    },
    credentials: [
      credential('PAYMENT-SIGNATURE', 'The payment, x402 version 2'),
      credential('X-PAYMENT', 'The payment, x402 version 1'),
    ],
  },
  mpp: {
    id: 'postByMpp',
    demand: { 'WWW-Authenticate': 'Payment: the challenge of a Tempo charge' },
    receipt: { 'Payment-Receipt': 'The receipt' },
    credentials: [credential('Authorization', 'Payment: the credential of a Tempo charge in pull mode')],
  },
}

const ADDRESS = { Location: 'The address of the post' }

const paidPostEndpoint = (rail: Rail): Endpoint => {
  const { id, demand, receipt, credentials } = RAIL_WORDS[rail]
  return createEndpoint({
    ...{ method: 'post', path: PAID_THREAD_PATHS[rail], id, tag: 'Threads', paidThrough: rail },
    summary: `Post to a host's thread, paid through ${rail}`,
    description: `Costs ${THREAD_DOLLARS} dollars.${rail === 'mpp' ? ` ${TEMPO_FEE}` : ''} Sign the four lines of ${PATHS.threadMessage} with the wallet that pays, ask without a payment, pay what the 402 answer names, and send the same body with the credential. A refused post costs nothing. One signed message is charged once: the same lines again, with whatever credential or none, answer the same post.`,
    parameters: [host, ...credentials, IDEMPOTENCY_KEY],
    body: { schema: 'PostRequest', example: POST_BODY },
    answers: {
      200: {
        ...json('PostedBefore', 'The post that the same signed message had led to before; nothing is charged again'),
        headers: { ...receipt, ...ADDRESS },
      },
      201: { ...json('Post', 'The post, paid and visible'), headers: { ...receipt, ...ADDRESS } },
      202: {
        ...json('PendingPost', 'Asked to be paid, outcome not known yet: send the very same request again'),
        headers: { 'Retry-After': 'Seconds to wait' },
      },
      402: {
        description: 'What to pay. `charged` is false: nothing has moved.',
        content: { 'application/problem+json': 'Problem', 'text/html': 'text' },
        headers: demand,
      },
    },
    problems: [
      ...BODY_PROBLEMS,
      'invalid-host',
      'unknown-host',
      'malformed-payment',
      'payer-not-signer',
      'payment-conflict',
      'rail-not-configured',
      'payment-backend',
    ],
    handler: (services) => async (context) => {
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
        resource: fullAddress(site, fillPath(PAID_THREAD_PATHS[rail], { host })),
        bodyDigest: createHash('sha256').update(bytes).digest('hex'),
        header: (name) => context.req.header(name),
        body: async () => jsonIn(raw.headers, bytes),
        // Once per new payment, just before its signature is looked at; repetitions are free.
        signing: () => gate.signing(),
      })
      return toResponse(postAnswer(site, answer, gate.headers()))
    },
  })
}

/** One per rail. */
export const PAID_POST_ENDPOINTS: readonly Endpoint[] = RAILS.map(paidPostEndpoint)

const PENDING_HINT =
  'The payment was asked for and its outcome is not known yet. Send the very same request again after the Retry-After time: it brings the post once the payment is found, and never charges twice.'

function postAnswer(site: Site, answer: PostAnswer, limits: Readonly<Record<string, string>>): Answer {
  if (answer.kind === 'pending') {
    const charged = answer.charged ?? 'pending'
    const earlier = answer.charged === false ? { earlier_charged: 'pending' } : {}
    const document = { id: answer.postId, status: 'payment_pending', charged, ...earlier, hint: PENDING_HINT }
    return jsonAnswer(202, document, {
      ...limits,
      'Cache-Control': 'no-store',
      'Retry-After': String(answer.retryAfterSeconds),
    })
  }
  const { post, headers, isNew } = answer
  // The same body for every repetition; a text that was taken down meanwhile stays down.
  const unused = answer.charged === false ? { charged: false, earlier_charged: true } : {}
  return jsonAnswer(
    isNew ? 201 : 200,
    { ...postJson(site, post.host, withoutHidden(post)), ...unused },
    {
      ...limits,
      ...headers,
      'Cache-Control': 'private',
      Location: fullAddress(site, postHref(post.id)),
    },
  )
}
