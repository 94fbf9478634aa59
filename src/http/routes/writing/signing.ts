import { problem } from '../../../domain/problem-kinds.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import { textFault } from '../../../domain/words/text.ts'
import type { Site } from '../../../render/site.ts'
import { sha256, signedAt } from '../../../wire/api/values.ts'
import { directoryOf } from '../../../wire/bodies/review-body.ts'
import { formatSignedAt, parseSignedAt } from '../../../wire/signed-at.ts'
import { textDigest } from '../../../wire/signed-lines.ts'
import { jsonAnswer, textAnswer, toResponse } from '../../answer.ts'
import type { AppContext } from '../../call.ts'
import { prefersPlain } from '../../negotiation.ts'
import type { AnswerForm, Parameter } from '../../openapi/operation.ts'
import { EXAMPLES, formatOf, inQuery } from '../../openapi/parameters.ts'
import type { Parameters } from '../../parameters.ts'

// What the addresses share that tell which lines a wallet is to sign.

/** Of lines without a text of their own. */
export const FORM_PARAMETERS: readonly Parameter[] = [
  inQuery('signed_at', 'Now, unless given', { schema: signedAt, example: EXAMPLES.signedAt }),
  formatOf(['json', 'text']),
]

export const SIGNING_PARAMETERS: readonly Parameter[] = [
  inQuery('text', 'What will be posted; or text_sha256', { example: EXAMPLES.text }),
  inQuery('text_sha256', 'Its SHA-256, when the text does not fit an address', { schema: sha256 }),
  ...FORM_PARAMETERS,
]

export const DIRECTORY_PARAMETER = inQuery(
  'directory',
  'Host of this directory: adds the line that makes the signature good for it alone',
)

export const SIGNING_ANSWER: AnswerForm = {
  description: 'The lines to sign: JSON, or exactly the text to sign',
  content: { 'application/json': 'SigningMessage', 'text/plain': 'text' },
}

/** What was asked to be signed, whatever it is about. */
export interface SigningRequest {
  /** A text that does not fit an address (long, or of several lines) is named by its digest. */
  readonly digest: string
  /** Now when it was left out. */
  readonly signedAt: string
  readonly asText: boolean
}

/** When it is signed, and in which form the lines are wanted. */
export function signingForm(
  context: AppContext,
  parameters: Parameters,
  nowUs: TimestampUs,
): Omit<SigningRequest, 'digest'> {
  const form = parameters.oneOf('format', ['text', 'json'])
  return {
    signedAt:
      parameters.parsed('signed_at', 'a UTC time of the form 2026-11-14T12:34:56Z', (text) =>
        parseSignedAt(text) === undefined ? undefined : text,
      ) ?? formatSignedAt(nowUs),
    asText: form === 'text' || (form === null && prefersPlain(context.env.call.head.accept)),
  }
}

export function signingRequest(
  context: AppContext,
  parameters: Parameters,
  nowUs: TimestampUs,
  /** Whether the text may be empty. */
  isEmptyTaken = false,
): SigningRequest {
  return { digest: digestIn(parameters, isEmptyTaken), ...signingForm(context, parameters, nowUs) }
}

/** The host of this directory, when its line is wanted. */
export function directoryIn(parameters: Parameters, site: Site): string | null {
  const here = directoryOf(site.baseUrl)
  return parameters.parsed('directory', here, (text) => (text === here ? text : undefined))
}

export const sendMessage = ({ digest, signedAt, asText }: SigningRequest, message: string): Response =>
  sendLines({ message, text_sha256: digest, signed_at: signedAt }, asText)

export function sendLines(
  document: { readonly message: string; readonly signed_at: string; readonly text_sha256?: string },
  asText: boolean,
): Response {
  const headers = { 'Cache-Control': 'no-store', Vary: 'Accept' }
  // Exactly the bytes to sign: no line feed at the end.
  if (asText) return toResponse(textAnswer(200, 'text/plain', document.message, headers))
  return toResponse(jsonAnswer(200, document, headers))
}

const DIGEST = /^[0-9a-f]{64}$/

function digestIn(parameters: Parameters, isEmptyTaken: boolean): string {
  const text = parameters.exact('text')
  const given = parameters.parsed('text_sha256', '64 lower-case hex digits', (value) =>
    DIGEST.test(value) ? value : undefined,
  )
  if (text === null) {
    if (given !== null) return given
    if (isEmptyTaken) return textDigest('')
    throw problem('invalid-parameter', 'The parameter text or text_sha256 must be given.', {
      hint: 'Give the text, or its SHA-256 as text_sha256.',
      more: { parameter: 'text' },
    })
  }
  const fault = text === '' && isEmptyTaken ? undefined : textFault(text)
  if (fault !== undefined) throw problem('invalid-text', `The parameter text is not taken: ${fault}.`)
  const digest = textDigest(text)
  if (given === null || given === digest) return digest
  throw problem('invalid-parameter', 'The parameter text_sha256 is not the SHA-256 of the parameter text.', {
    more: { parameter: 'text_sha256' },
  })
}
