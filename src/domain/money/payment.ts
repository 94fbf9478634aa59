import { createHash } from 'node:crypto'
import type { Rail } from '../route.ts'
import type { TimestampUs } from '../time/timestamp.ts'
import { walletKey } from '../wallet.ts'

/**
 * What is known of a payment that somebody asked us to settle. `pending`: it may have been paid, or may still be.
 * `refused`: settling was refused for certain; somebody else may still use the authorisation until it expires.
 * `settled` and `expired` are ends.
 */
export const PAYMENT_STATES = ['pending', 'refused', 'settled', 'expired'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const ID_LETTERS = 26

/** A post's id, from the authorisation that pays for it: whoever publishes it, and however often, it is the same post. */
export function postIdOf(paymentKey: string): string {
  const digest = createHash('sha256').update(paymentKey).digest()
  let bits = 0n
  for (const byte of digest) bits = (bits << 8n) | BigInt(byte)
  let id = 'p'
  for (let n = 1; n <= ID_LETTERS; n++) id += LETTERS[Number((bits >> BigInt(256 - 5 * n)) & 31n)]
  return id
}

/** What a credential pays for, as one digest: the same credential with anything else is another request. */
export const requestHash = (rail: Rail, host: string, bodyDigest: string): string =>
  createHash('sha256').update([rail, host, bodyDigest].join('\n')).digest('hex')

/** One wallet's signature over these lines, however its bytes are written: what is charged at most once. */
export const messageKeyOf = (wallet: string, message: string): string =>
  createHash('sha256')
    .update([walletKey(wallet), message].join('\n'))
    .digest('hex')

const SECOND_US = 1_000_000
/** Whoever works on a payment has it to itself for so long; a program that dies with it delays its end by no more. */
export const CLAIM_US = 30 * SECOND_US
/** Pending payments reach their end within a minute of an outage's end: this, a claim that was lost, and a look. */
const LONGEST_PAUSE_US = 15 * SECOND_US
/** Refused ones were not paid as far as anybody knows, and an authorisation may be good for days. */
const LONGEST_REFUSED_PAUSE_US = 30 * SECOND_US

/** How long until an undecided payment is looked at again, after so many looks. */
export const pauseUs = (state: PaymentState, looks: number): number =>
  Math.min(2 ** Math.min(looks + 1, 10) * SECOND_US, state === 'refused' ? LONGEST_REFUSED_PAUSE_US : LONGEST_PAUSE_US)

/** The first looks only look: what was handed over a moment ago is often on its way. Later ones also settle again. */
const LOOKS_BEFORE_SETTLING_AGAIN = 2

/** Whether a payment that no look could find is handed over once more: an authorisation that was never used would only expire. */
export const isSettledAgain = (
  payment: { readonly state: PaymentState; readonly attempts: number; readonly expiresUs: TimestampUs },
  nowUs: TimestampUs,
): boolean => payment.state === 'pending' && payment.attempts > LOOKS_BEFORE_SETTLING_AGAIN && nowUs < payment.expiresUs
