/**
 * Who named a payee: a listing source, or the seller itself in a live challenge; there either as the one to be paid, or as
 * one of those with whom that one shares (`split`).
 */
export const PAYEE_ORIGINS = ['listing', 'challenge', 'split'] as const
export type PayeeOrigin = (typeof PAYEE_ORIGINS)[number]

/**
 * Payees of one route that are kept of each listing source, and of each kind that live challenges name. All of them are read whenever
 * somebody is told who is paid there or a payment is held against them, and whoever names them may name another every time.
 */
export const MOST_PAYEES = 5000
