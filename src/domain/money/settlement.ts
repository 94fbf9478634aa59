import type { Rail } from '../words/route-words.ts'

/**
 * What a post's payment is taken for on a network: with a node the transfer was seen on chain before the post is shown;
 * without one the facilitator's word is all there is.
 */
export const SETTLEMENTS = ['verified on chain', 'as the facilitator says'] as const
export type Settlement = (typeof SETTLEMENTS)[number]

/** Whether a rail may take a facilitator's word where it has no node. */
const MAY_BELIEVE: Readonly<Record<Rail, boolean>> = { x402: true, mpp: false }

/** Of one payment, by where in its transaction a node of ours has seen the transfer; -1: none was asked. */
export const settlementOf = (rail: Rail, logIndex: number): Settlement =>
  MAY_BELIEVE[rail] && logIndex < 0 ? 'as the facilitator says' : 'verified on chain'
