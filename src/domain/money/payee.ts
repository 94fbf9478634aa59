/** Who named a payee: a listing source, or the seller itself in a live challenge. */
export const PAYEE_ORIGINS = ['listing', 'challenge'] as const
export type PayeeOrigin = (typeof PAYEE_ORIGINS)[number]
