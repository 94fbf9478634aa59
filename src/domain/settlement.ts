/**
 * What a post's payment is taken for on a network: with a node the transfer was seen on chain before the post is shown;
 * without one the facilitator's word is all there is.
 */
export const SETTLEMENTS = ['verified on chain', 'as the facilitator says'] as const
export type Settlement = (typeof SETTLEMENTS)[number]
