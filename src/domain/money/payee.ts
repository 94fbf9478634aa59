/**
 * Who named a payee: a listing source, or the seller itself in a live challenge; there either as the one to be paid, or as
 * one of those with whom that one shares (`split`).
 */
export const PAYEE_ORIGINS = ['listing', 'challenge', 'split'] as const
export type PayeeOrigin = (typeof PAYEE_ORIGINS)[number]
