import type { Outcome, Payment } from '../rail.ts'

/** What a search needs of a payment: everything but what settles it. */
export type Sought = Pick<
  Payment,
  'key' | 'network' | 'asset' | 'payer' | 'payee' | 'amount' | 'expiresUs' | 'fromBlock'
>

export const unknown = (reason: string): Outcome => ({ kind: 'unknown', reason })
export const expired = (reason: string): Outcome => ({ kind: 'expired', reason })
