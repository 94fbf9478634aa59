import { isNetwork } from '../../domain/network.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { METHODS, RAILS } from '../../domain/route.ts'
import { isTransactionId, reviewAddress } from '../../wire/review-body.ts'
import { formatSignedAt, parseSignedAt } from '../../wire/signed-at.ts'
import { reviewDigestMessage } from '../../wire/signed-lines.ts'
import { textAnswer, toResponse } from '../answer.ts'
import type { Handler, Services } from '../call.ts'
import { prefersPlain } from '../negotiation.ts'
import { Parameters } from '../parameters.ts'
import { digestIn } from './message.ts'

/**
 * `/v1/reviews/message?method=…&url=…&rail=…&rating=…&text=…`: the seven lines that a review's wallet signs, with
 * `network` and `transaction` of a payment and `signed_at`, which is now when left out. A text that does not fit an address
 * (long, or of several lines) is named by `text_sha256` instead.
 */
export const reviewMessageRoute =
  ({ allow, nowUs }: Services): Handler =>
  (context) => {
    const parameters = new Parameters(context.req.url)
    const form = parameters.oneOf('format', ['text', 'json'])
    const url = required(parameters.text('url'), 'url')
    reviewAddress(url, allow)
    const digest = digestIn(parameters)
    const lines = {
      method: required(parameters.oneOf('method', METHODS), 'method'),
      url,
      rail: required(parameters.oneOf('rail', RAILS), 'rail'),
      rating: Number(required(parameters.oneOf('rating', ['1', '2', '3', '4', '5']), 'rating')),
      payment: paymentIn(parameters),
      signedAt:
        parameters.parsed('signed_at', 'a UTC time of the form 2026-11-14T12:34:56Z', (text) =>
          parseSignedAt(text) === undefined ? undefined : text,
        ) ?? formatSignedAt(nowUs()),
    }
    const message = reviewDigestMessage(lines, digest)
    const headers = { 'Cache-Control': 'no-store', Vary: 'Accept' }
    const asText = form === 'text' || (form === null && prefersPlain(context.env.call.head.accept))
    // Exactly the bytes to sign: no line feed at the end.
    if (asText) return toResponse(textAnswer(200, 'text/plain', message, headers))
    const document = { message, text_sha256: digest, signed_at: lines.signedAt }
    return toResponse(textAnswer(200, 'application/json', `${JSON.stringify(document)}\n`, headers))
  }

function required<T>(value: T | null, parameter: string): T {
  if (value !== null) return value
  throw problem('invalid-parameter', `The parameter ${parameter} must be given.`, { more: { parameter } })
}

function paymentIn(parameters: Parameters) {
  const network = parameters.parsed('network', 'a network such as base or eip155:8453', (text) =>
    isNetwork(text) ? text : undefined,
  )
  const transaction = parameters.parsed('transaction', 'the id of a transaction', (text) =>
    isTransactionId(text) ? text : undefined,
  )
  if (network === null && transaction === null) return null
  return { network: required(network, 'network'), transaction: required(transaction, 'transaction') }
}
