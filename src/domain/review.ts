import { sha256Hex } from './keys.ts'
import type { Exclusion, SupportLevel } from './support-level.ts'
import type { TimestampUs } from './time/timestamp.ts'
import { walletKey } from './wallet.ts'

export { EXCLUSIONS, type Exclusion, LEVEL_MEANINGS, LEVELS, type SupportLevel } from './support-level.ts'

/** What decides whether a review is among the counted agent reviews. */
export interface ReviewStanding {
  readonly level: SupportLevel
  readonly excluded: Exclusion | null
  /** The wallet's newer review of the same route counts instead. */
  readonly superseded: boolean
}

/** What a review counts as; anything but `counted` is the reason why it does not. */
export type Counting = 'counted' | 'superseded' | Exclusion

export const countingOf = ({ excluded, superseded }: Omit<ReviewStanding, 'level'>): Counting =>
  excluded ?? (superseded ? 'superseded' : 'counted')

/**
 * Whether the outcome of a review is among the paid calls that are counted. Of a verified buyer every payment is a call of
 * its own, whether or not the wallet has reviewed the route again since; without a payment one wallet has one say.
 */
export const countsOutcome = ({ level, excluded, superseded }: ReviewStanding): boolean =>
  excluded === null && (level === 'Verified buyer' || !superseded)

/** One wallet over one message is one review, however often and in whatever writing it is sent. */
export const signedReviewId = (wallet: string, message: string): string =>
  sha256Hex(`review\n${walletKey(wallet)}\n${sha256Hex(message)}`).slice(0, 32)

const PENDING = 'payment check pending: '

/** Why a review is not yet a verified buyer's, while that is still looked into. */
export const pendingReason = (reason: string): string => `${PENDING}${reason}`

export const isPending = (levelReason: string | null): boolean => levelReason?.startsWith(PENDING) ?? false

/** Why a payment supports nothing, where another price may decide otherwise. */
export const PRICE_REASONS = {
  isLess: 'the payment is smaller than the price at that time',
  isUnknown: 'no price of this route is known',
} as const

export const isOfPrice = (levelReason: string | null): boolean =>
  Object.values(PRICE_REASONS).some((reason) => levelReason?.startsWith(reason) ?? false)

export const REVIEWS_HEADING = 'Reviews for this route'

/** What was found on chain of the payment that a review names. */
export interface PaymentFound {
  readonly asset: string
  /** In the asset's base units. */
  readonly amount: string
  readonly payer: string
  readonly payee: string
  readonly logIndex: number
  /** Time of its block. */
  readonly atUs: TimestampUs
  /** False while a reorganisation could still take it away. */
  readonly isFinal: boolean
  /** How many other hosts the same payee was seen for: the transfer alone does not say which of them was paid. */
  readonly otherHosts: number
  /** A receipt signed by the payee names the very address that was paid for. */
  readonly hasReceipt: boolean
  /**
   * Places of the transfers beside it that make up the amount, where the seller has it shared among several. They
   * support no other review.
   */
  readonly parts?: readonly number[]
  /** Where it was paid out of what the buyer had deposited. */
  readonly channel?: ChannelFound
}

/** Whether what was found may still be taken away, or more of it be learnt. */
export const mayChange = ({ isFinal, channel }: PaymentFound): boolean => !isFinal || (channel?.isOpen ?? false)

/** A deposit that a seller is paid out of, in an escrow contract: many calls, few transactions. */
export interface ChannelFound {
  readonly id: string
  /** What moved the money: a claim, a settlement or the closing. */
  readonly transaction: string
  /** What of the deposit went back to the buyer, in the asset's base units; null while nothing has. */
  readonly refunded: string | null
  /** More may be paid or given back, and is looked for. */
  readonly isOpen: boolean
}
