import { z } from 'zod'
import { rating, sha256, signedAt } from '../../../wire/api/values.ts'
import { type AnswerForm, forms, json, type Operation, type Parameter } from '../operation.ts'
import { EXAMPLES, formatOf, host, inPath, inQuery, methodOf, page, railOf } from '../parameters.ts'

const signing: readonly Parameter[] = [
  inQuery('text', 'What will be posted; or text_sha256', { example: EXAMPLES.text }),
  inQuery('text_sha256', 'Its SHA-256, when the text does not fit an address', { schema: sha256 }),
  inQuery('signed_at', 'Now, unless given', { schema: signedAt, example: EXAMPLES.signedAt }),
  formatOf(['json', 'text']),
]

const message: AnswerForm = {
  description: 'The lines to sign: JSON, or exactly the text to sign',
  content: { 'application/json': 'SigningMessage', 'text/plain': 'text' },
}

const REVIEW_BODY = { url: EXAMPLES.url, method: 'GET', rail: 'x402', rating: 4, text: EXAMPLES.text }

const POST_BODY = {
  text: EXAMPLES.text,
  wallet: EXAMPLES.wallet,
  signature: `0x${'11'.repeat(64)}1b`,
  signed_at: EXAMPLES.signedAt,
}

const OF_A_BODY = [
  'invalid-json',
  'invalid-field',
  'invalid-text',
  'invalid-signed-at',
  'invalid-signature',
  'body-too-large',
  'unsupported-media-type',
  'signature-unchecked',
  'rate-limited',
] as const

const pay = (
  rail: 'x402' | 'mpp',
  path: string,
  id: string,
  demand: Readonly<Record<string, string>>,
  receipt: Readonly<Record<string, string>>,
  credential: readonly Parameter[],
): Operation => ({
  ...{ method: 'post', path, id, tag: 'Threads', paidThrough: rail },
  summary: `Post to a host's thread, paid through ${rail}`,
  description:
    'Costs 0.05 dollars. Sign the four lines of /v1/thread/{host}/message with the wallet that pays, ask without a payment, pay what the 402 answer names, and send the same body with the credential. A refused post costs nothing; the same credential again answers the same post and never charges twice.',
  parameters: [host, ...credential],
  body: { schema: 'PostRequest', example: POST_BODY },
  answers: {
    200: { ...json('Post', 'The post, which the same credential had paid for before'), headers: receipt },
    201: { ...json('Post', 'The post, paid and visible'), headers: receipt },
    202: {
      ...json('PendingPost', 'Asked to be paid, outcome not known yet: send the very same request again'),
      headers: { 'Retry-After': 'Seconds to wait' },
    },
    402: {
      description: 'What to pay. `charged` is false: nothing has moved.',
      content: { 'application/problem+json': 'Problem' },
      headers: demand,
    },
  },
  problems: [
    ...OF_A_BODY,
    'invalid-host',
    'unknown-host',
    'malformed-payment',
    'payer-not-signer',
    'payment-conflict',
    'rail-not-configured',
    'payment-backend',
  ],
})

const credential = (name: string, description: string): Parameter => ({
  ...{ name, in: 'header', required: false, description, schema: z.string() },
})

export const WRITING_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'post', path: '/v1/reviews', id: 'submitReview', tag: 'Reviews' },
    summary: 'Submit a review of a route',
    description:
      'Free. Without a signature its level is Unsigned. With wallet, signature and signed_at it is Signed; with a public payment from that wallet to a payee of the route, Verified buyer. The level is what the server finds.',
    body: { schema: 'ReviewRequest', example: REVIEW_BODY },
    answers: {
      200: json('ReviewPage', 'The same wallet had sent the same review before'),
      201: { ...json('ReviewPage', 'The stored review'), headers: { Location: 'Its address' } },
    },
    problems: [...OF_A_BODY, 'unknown-route'],
  },
  {
    ...{ method: 'get', path: '/v1/reviews/message', id: 'reviewMessage', tag: 'Reviews' },
    summary: 'The seven lines that a review’s wallet signs',
    parameters: [
      methodOf({ required: true }),
      inQuery('url', 'Full address of the reviewed route', { required: true, example: EXAMPLES.url }),
      railOf({ required: true }),
      inQuery('rating', '1 to 5', { required: true, schema: rating, example: '4' }),
      ...signing,
      inQuery('network', 'Of the payment that supports the review'),
      inQuery('transaction', 'Of the payment that supports the review'),
    ],
    answers: { 200: message },
    problems: ['invalid-parameter', 'invalid-field', 'invalid-text', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/v1/reviews/{id}', id: 'getReview', tag: 'Reviews' },
    summary: 'One review, with everything that verifies it offline',
    parameters: [inPath('id', 'Its id', EXAMPLES.review), formatOf(['json', 'html'])],
    answers: { 200: forms({ json: 'ReviewPage', html: 'text' }, 'The review and what happened to it') },
    problems: ['unknown-writing', 'not-acceptable', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/v1/thread/{host}', id: 'getThread', tag: 'Threads', isCached: true },
    summary: "The posts of a host's thread, oldest first",
    parameters: [host, ...page],
    answers: { 200: json('Thread', 'One page of posts') },
    problems: ['invalid-parameter', 'invalid-cursor', 'invalid-host', 'unknown-host', 'rate-limited'],
  },
  pay(
    'x402',
    '/v1/thread/{host}',
    'postByX402',
    { 'PAYMENT-REQUIRED': 'x402 version 2: what is asked for, base64 of JSON. Version 1 finds it in the body.' },
    { 'PAYMENT-RESPONSE': 'The receipt, base64 of JSON' },
    [
      credential('PAYMENT-SIGNATURE', 'The payment, x402 version 2'),
      credential('X-PAYMENT', 'The payment, x402 version 1'),
    ],
  ),
  pay(
    'mpp',
    '/mpp/v1/thread/{host}',
    'postByMpp',
    { 'WWW-Authenticate': 'Payment: the challenge of a Tempo charge' },
    { 'Payment-Receipt': 'The receipt' },
    [credential('Authorization', 'Payment: the credential of a Tempo charge in pull mode')],
  ),
  {
    ...{ method: 'get', path: '/v1/thread/{host}/message', id: 'postMessage', tag: 'Threads' },
    summary: 'The four lines that a post’s wallet signs',
    parameters: [host, ...signing],
    answers: { 200: message },
    problems: ['invalid-parameter', 'invalid-text', 'invalid-host', 'unknown-host', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/v1/posts/{id}', id: 'getPost', tag: 'Threads', isCached: true },
    summary: 'One post, with everything that verifies it offline',
    parameters: [inPath('id', 'Its id', EXAMPLES.post), formatOf(['json', 'html'])],
    answers: { 200: forms({ json: 'PostPage', html: 'text' }, 'The post') },
    problems: ['unknown-writing', 'not-acceptable', 'rate-limited'],
  },
]
