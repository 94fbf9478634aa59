import { problem } from '../../domain/problem-kinds.ts'
import { textFault } from '../../domain/text.ts'
import { formatSignedAt, parseSignedAt } from '../../wire/signed-at.ts'
import { digestMessage, textDigest } from '../../wire/signed-lines.ts'
import { textAnswer, toResponse } from '../answer.ts'
import type { Handler, Services } from '../call.ts'
import { hostIn, requireHost } from '../hosts-named.ts'
import { prefersPlain } from '../negotiation.ts'
import { Parameters } from '../parameters.ts'

const DIGEST = /^[0-9a-f]{64}$/

/**
 * `/v1/thread/<seller_host>/message?text=…&signed_at=…`: the four lines that a post's wallet signs. A text that does not
 * fit an address (long, or of several lines) is named by `text_sha256` instead.
 */
export const messageRoute =
  (services: Services): Handler =>
  async (context) => {
    const host = hostIn(context, services)
    const parameters = new Parameters(context.req.url)
    const form = parameters.oneOf('format', ['text', 'json'])
    const digest = digestIn(parameters)
    const signedAt =
      parameters.parsed('signed_at', 'a UTC time of the form 2026-11-14T12:34:56Z', (text) =>
        parseSignedAt(text) === undefined ? undefined : text,
      ) ?? formatSignedAt(services.nowUs())
    await requireHost(services, host)
    const message = digestMessage(host, digest, signedAt)
    const headers = { 'Cache-Control': 'no-store', Vary: 'Accept' }
    const asText = form === 'text' || (form === null && prefersPlain(context.env.call.head.accept))
    // Exactly the bytes to sign: no line feed at the end.
    if (asText) return toResponse(textAnswer(200, 'text/plain', message, headers))
    const document = { message, text_sha256: digest, signed_at: signedAt }
    return toResponse(textAnswer(200, 'application/json', `${JSON.stringify(document)}\n`, headers))
  }

/** The digest of the text to sign, from `text` or `text_sha256`. */
export function digestIn(parameters: Parameters): string {
  const text = parameters.exact('text')
  const given = parameters.parsed('text_sha256', '64 lower-case hex digits', (value) =>
    DIGEST.test(value) ? value : undefined,
  )
  if (text === null) {
    if (given !== null) return given
    throw problem('invalid-parameter', 'The parameter text or text_sha256 must be given.', {
      more: { parameter: 'text' },
    })
  }
  const fault = textFault(text)
  if (fault !== undefined) throw problem('invalid-text', `The parameter text is not taken: ${fault}.`)
  const digest = textDigest(text)
  if (given === null || given === digest) return digest
  throw problem('invalid-parameter', 'The parameter text_sha256 is not the SHA-256 of the parameter text.', {
    more: { parameter: 'text_sha256' },
  })
}
