import { LONGEST_OUTCOME_MS, type SignedOutcome } from '../../../domain/buyers/outcome.ts'
import { isNetwork } from '../../../domain/network.ts'
import { METHODS, RAILS } from '../../../domain/route.ts'
import { rating, sha256 } from '../../../wire/api/values.ts'
import { isTransactionId, reviewAddress } from '../../../wire/bodies/review-body.ts'
import { PATHS } from '../../../wire/paths.ts'
import { reviewDigestMessage } from '../../../wire/signed-lines.ts'
import { createEndpoint } from '../../endpoint.ts'
import { EXAMPLES, inQuery, methodOf, railOf } from '../../openapi/parameters.ts'
import { Parameters, required } from '../../parameters.ts'
import {
  DIRECTORY_PARAMETER,
  directoryIn,
  SIGNING_ANSWER,
  SIGNING_PARAMETERS,
  sendMessage,
  signingRequest,
} from './signing.ts'

const GIVE = 'Give method, url, rail and rating.'
const GIVE_PAYMENT = 'Give network and transaction, or neither.'
const GIVE_OUTCOME = 'Give outcome_status and outcome_latency_ms, or no outcome.'

export const reviewMessageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.reviewMessage, id: 'reviewMessage', tag: 'Reviews' },
  summary: 'The lines that a review’s wallet signs',
  parameters: [
    methodOf({ required: true }),
    inQuery('url', 'Full address of the reviewed route', { required: true, example: EXAMPLES.url }),
    railOf({ required: true }),
    inQuery('rating', '1 to 5', { required: true, schema: rating, example: '4' }),
    ...SIGNING_PARAMETERS,
    inQuery('network', 'Of the payment that supports the review'),
    inQuery('transaction', 'Of the payment that supports the review'),
    inQuery('outcome_status', 'What the paid call brought: its HTTP status, or none; with outcome_latency_ms'),
    inQuery('outcome_latency_ms', 'How long it took, from the payment on'),
    inQuery('outcome_sha256', 'SHA-256 of the answer', { schema: sha256 }),
    DIRECTORY_PARAMETER,
  ],
  answers: { 200: SIGNING_ANSWER },
  problems: ['invalid-field', 'invalid-text'],
  handler:
    ({ allow, nowUs, site }) =>
    (context) => {
      const parameters = new Parameters(context.req.url)
      const given = parameters.required(GIVE)
      const url = given.text('url')
      reviewAddress(url, allow)
      const asked = signingRequest(context, parameters, nowUs())
      const lines = {
        method: given.oneOf('method', METHODS),
        url,
        rail: given.oneOf('rail', RAILS),
        rating: Number(given.oneOf('rating', ['1', '2', '3', '4', '5'])),
        payment: paymentIn(parameters),
        outcome: outcomeIn(parameters),
        directory: directoryIn(parameters, site),
        signedAt: asked.signedAt,
      }
      return sendMessage(asked, reviewDigestMessage(lines, asked.digest))
    },
})

function paymentIn(parameters: Parameters) {
  const network = parameters.parsed('network', 'a network such as base or eip155:8453', (text) =>
    isNetwork(text) ? text : undefined,
  )
  const transaction = parameters.parsed('transaction', 'the id of a transaction', (text) =>
    isTransactionId(text) ? text : undefined,
  )
  if (network === null && transaction === null) return null
  return {
    network: required(network, 'network', GIVE_PAYMENT),
    transaction: required(transaction, 'transaction', GIVE_PAYMENT),
  }
}

function outcomeIn(parameters: Parameters): SignedOutcome | null {
  const status = parameters.parsed('outcome_status', 'an HTTP status, or none', (text) =>
    /^(?:[1-9]\d\d|none)$/.test(text) ? text : undefined,
  )
  const latencyMs = parameters.parsed('outcome_latency_ms', 'whole milliseconds, a day at most', (text) =>
    /^(?:0|[1-9]\d{0,7})$/.test(text) && Number(text) <= LONGEST_OUTCOME_MS ? Number(text) : undefined,
  )
  const contentSha256 = parameters.parsed('outcome_sha256', '64 lower-case hex digits', (text) =>
    /^[0-9a-f]{64}$/.test(text) ? text : undefined,
  )
  if (status === null && latencyMs === null && contentSha256 === null) return null
  return {
    httpStatus: required(status, 'outcome_status', GIVE_OUTCOME) === 'none' ? null : Number(status),
    latencyMs: required(latencyMs, 'outcome_latency_ms', GIVE_OUTCOME),
    contentSha256,
  }
}
