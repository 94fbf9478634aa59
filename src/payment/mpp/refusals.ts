import { Errors } from 'mppx'
import { BaseError, CallExecutionError, HttpRequestError, LimitExceededRpcError, TimeoutError } from 'viem'
import type { Unfit } from '../rail.ts'

const PREFIX = 'https://paymentauth.org/problems/'

/** Problem types of the Payment scheme by their last word, and what each means here in the directory's own words. */
const REASONS = {
  'payment-required': 'A post is paid for.',
  'malformed-credential': 'The Authorization header holds no readable Payment credential.',
  'invalid-challenge':
    'The challenge that this credential answers was not made by this directory for this host and this body.',
  'invalid-payload': 'The credential must carry a signed Tempo transaction that has a validBefore.',
  'method-unsupported': 'Posts are paid with the method tempo and the intent charge.',
  'payment-expired': 'The challenge or the transaction has expired.',
  'payment-insufficient':
    'The transaction fails when it is tried: the wallet holds too little for the price and Tempo’s fee, which is paid in the same dollar, or may not transfer.',
  'verification-failed': 'The transaction does not pay the amount that the challenge asks to its recipient.',
} as const

export type SchemeCode = keyof typeof REASONS

const isCode = (code: string): code is SchemeCode => Object.hasOwn(REASONS, code)

/** The scheme's address for a code; one that the scheme does not have is a failed verification. */
export const paymentProblem = (code: string): string => `${PREFIX}${isCode(code) ? code : 'verification-failed'}`

/** `detail` where there is more to say than the code does. */
export const unfit = (code: SchemeCode, detail: string = REASONS[code]): Unfit => ({ ok: false, code, reason: detail })

/**
 * What an error of checking says about the credential; `undefined` when it says nothing about it, because the node did
 * not answer. Its own message is never passed on: it can name the node's address.
 */
export function unfitOf(error: unknown): Unfit | undefined {
  if (error instanceof Errors.PaymentError) {
    const code = error.type.slice(PREFIX.length)
    return unfit(isCode(code) ? code : 'verification-failed')
  }
  if (!(error instanceof BaseError) || error.walk(isOutage) !== null) return undefined
  return error.walk((cause) => cause instanceof CallExecutionError) === null ? undefined : unfit('payment-insufficient')
}

const isOutage = (cause: unknown): boolean =>
  cause instanceof HttpRequestError || cause instanceof TimeoutError || cause instanceof LimitExceededRpcError
