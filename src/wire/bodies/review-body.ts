import { z } from 'zod'
import { LONGEST_OUTCOME_MS, type Outcome } from '../../domain/buyers/outcome.ts'
import type { AllowHosts } from '../../domain/host.ts'
import { isNetwork } from '../../domain/network.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { METHODS, type Method, parseAddress, RAILS, type Rail, type RouteAddress } from '../../domain/route.ts'
import { textFault } from '../../domain/words/text.ts'
import { parseWallet } from '../wallet.ts'
import { bodyFault, fieldProblem } from './body-fault.ts'
import { outcomeIn } from './outcome-body.ts'

/** A review as it was sent, every field in its range. Nothing about it has been looked up yet. */
export interface ReviewBody {
  /** As it was sent, character for character: the signature is over it. */
  readonly url: string
  readonly address: RouteAddress
  readonly method: Method
  readonly rail: Rail
  readonly rating: number
  readonly text: string
  /** What the paid call brought, in the words of whoever paid. */
  readonly outcome: Outcome | null
  readonly signed: SignedPart | null
  readonly receipt: Readonly<Record<string, unknown>> | null
}

export interface SignedPart {
  /** In the form of `parseWallet`. */
  readonly wallet: string
  readonly signature: string
  /** Not yet compared with the clock. */
  readonly signedAt: string
  readonly payment: { readonly network: string; readonly transaction: string } | null
  /** Host of the directory that it was signed for, where the lines say so. */
  readonly directory: string | null
}

/** Whether a text can name a transaction at all: it is a word of what is signed. */
export const isTransactionId = (text: string): boolean => /^[A-Za-z0-9]{1,128}$/.test(text)

const SIGNING = ['wallet', 'signature', 'signed_at'] as const
const LONGEST_SIGNATURE = 15_000

/** A host as addresses write it, with a port where it is not the default one. */
export const DIRECTORY = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$/

/** What a directory is called in signed lines. */
export const directoryOf = (baseUrl: string): string => new URL(baseUrl).host

const SCHEMA = z.strictObject({
  url: z.string(),
  method: z.enum(METHODS),
  rail: z.enum(RAILS),
  rating: z.int().min(1).max(5),
  text: z.string(),
  wallet: z.string().optional(),
  signature: z.string().min(1).max(LONGEST_SIGNATURE).optional(),
  signed_at: z.string().max(100).optional(),
  payment: z
    .strictObject({
      network: z.string().refine(isNetwork),
      transaction: z.string().refine(isTransactionId),
    })
    .optional(),
  outcome: z
    .strictObject({
      http_status: z.int().min(100).max(999).nullable(),
      latency_ms: z.int().min(0).max(LONGEST_OUTCOME_MS),
      bytes: z.int().min(0).optional(),
      content_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
    })
    .optional(),
  receipt: z.record(z.string(), z.unknown()).optional(),
  directory: z.string().regex(DIRECTORY).optional(),
})

const EXPECTED: Readonly<Record<string, string>> = {
  url: 'the full address of the reviewed route',
  method: `one of ${METHODS.join(', ')}`,
  rail: RAILS.join(' or '),
  rating: 'a whole number from 1 to 5',
  text: 'a text',
  wallet: 'an EVM address or a Solana one',
  signature: 'a text',
  signed_at: 'a UTC time such as 2026-11-14T12:34:56Z',
  payment: 'an object of network and transaction',
  'payment.network': 'a network such as base or eip155:8453',
  'payment.transaction': 'the id of a transaction',
  outcome: 'an object of http_status, latency_ms, bytes and content_sha256',
  'outcome.http_status': 'a whole number from 100 to 999, or null when no answer came after the payment',
  'outcome.latency_ms': 'whole milliseconds from the payment on, a day at most',
  'outcome.bytes': 'the length of the answer in bytes',
  'outcome.content_sha256': 'the SHA-256 of the answer, 64 lower-case hex digits',
  directory: 'the host of the directory, such as tollbook.example',
  receipt: 'a receipt of the x402 offer-receipt extension, as an object',
}

/** Reads the body of a review. Throws a `Problem` that names the first field at fault. */
export function parseReviewBody(body: unknown, allow: AllowHosts): ReviewBody {
  const reading = SCHEMA.safeParse(body)
  if (!reading.success) throw bodyFault(reading.error.issues[0], body, EXPECTED)
  const { url, method, rail, rating, text, outcome, receipt } = reading.data
  const wrong = textFault(text)
  if (wrong !== undefined) throw problem('invalid-text', `${capital(wrong)}.`, { more: { field: 'text' } })
  const signed = signedPart(reading.data)
  if (receipt !== undefined && signed?.payment == null) {
    throw fieldProblem('receipt', 'is taken only together with the payment that it is for')
  }
  return {
    url,
    address: reviewAddress(url, allow),
    method,
    rail,
    rating,
    text,
    signed,
    outcome: outcome === undefined ? null : outcomeIn(outcome),
    receipt: receipt ?? null,
  }
}

/** The address that is reviewed. Throws a `Problem` when it is not one of a route. */
export function reviewAddress(url: string, allow: AllowHosts): RouteAddress {
  // The address is a line of what is signed: whatever could break or vary that line is refused.
  if (/[\s\p{Cc}\p{Cf}#]/u.test(url) || !url.isWellFormed()) {
    throw fieldProblem('url', 'holds a fragment, spaces, control characters or ill-formed text')
  }
  const reading = parseAddress(url, allow)
  if (!reading.ok) throw fieldProblem('url', `is not the address of a route: ${reading.reason}`)
  return reading.address
}

function signedPart(data: z.output<typeof SCHEMA>): SignedPart | null {
  const { wallet, signature, signed_at: signedAt, payment, directory } = data
  if (wallet === undefined || signature === undefined || signedAt === undefined) {
    const [given] = SIGNING.filter((name) => data[name] !== undefined)
    const [missing] = SIGNING.filter((name) => data[name] === undefined)
    if (given !== undefined) throw fieldProblem(missing ?? '', `is missing: it belongs to ${given}`)
    if (payment !== undefined) throw fieldProblem('payment', 'is taken only from the wallet that signs the review')
    if (directory !== undefined) throw fieldProblem('directory', 'is taken only from the wallet that signs the review')
    return null
  }
  const known = parseWallet(wallet)
  if (known === undefined) throw fieldProblem('wallet', `must be ${EXPECTED.wallet}, with a correct checksum`)
  return { wallet: known, signature, signedAt, payment: payment ?? null, directory: directory ?? null }
}

const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`
