import type { Rail } from './route-words.ts'

/**
 * What a post's payment is taken for on a network: with a node the transfer was seen on chain before the post is shown;
 * without one the facilitator's word is all there is.
 */
export const SETTLEMENTS = ['verified on chain', 'as the facilitator says'] as const
export type Settlement = (typeof SETTLEMENTS)[number]

/** Of one payment, by where in its transaction a node of ours has seen the transfer; -1: none was asked. */
export const settlementOf = (rail: Rail, logIndex: number): Settlement =>
  rail === 'x402' && logIndex < 0 ? 'as the facilitator says' : 'verified on chain'
