import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Credential, Payment, RailTerms } from '../../payment/rail.ts'
import type { Authorisation, FakeChain } from './fake-chain.ts'

/** How a fake facilitator behaves when it is asked to settle. */
export const SETTLE_FAULTS = [
  'ok',
  'invalid',
  'unanswered',
  'reset after broadcast',
  'error after broadcast',
  'mined later',
  'wrong payer',
  'wrong amount',
  'empty transaction',
  'broadcast, empty transaction',
  'transaction of another',
  'settled by a third party',
  'says expired',
  'rejects',
  'rejects after broadcast',
] as const
export type SettleFault = (typeof SETTLE_FAULTS)[number]

export const FAKE_TERMS: RailTerms = {
  network: 'eip155:31337',
  asset: '0xa55e7a55e7a55e7a55e7a55e7a55e7a55e7a55e7',
  payee: '0x9a7ee9a7ee9a7ee9a7ee9a7ee9a7ee9a7ee9a7ee',
  amount: '50000',
  settlement: 'verified on chain',
}

/** Nobody made it. */
const INVENTED = `0x${'ab'.repeat(32)}`

export interface FakeFacilitatorOptions {
  readonly chain: FakeChain
  readonly nowUs: () => TimestampUs
  readonly fault: () => SettleFault
  /** A transaction that is not the payment's and that is named for it; one that nobody made unless given. */
  readonly another?: (payment: Payment) => Promise<string>
}

/** What a facilitator says about a settlement. A claim is its word, whatever is true. */
export type Answer =
  | { readonly said: 'settled'; readonly transaction: string; readonly payer: string; readonly amount: string }
  | { readonly said: 'refused'; readonly code: string; readonly reason: string }
  | { readonly said: 'nothing' }
  /** What no rail should pass on: only the chain can say so. */
  | { readonly said: 'expired' }

/** What happens when it is asked to settle. Rejects where the rail is to break its word. */
export async function answerOf(
  { chain, nowUs, fault, another }: FakeFacilitatorOptions,
  payment: Payment,
): Promise<Answer> {
  if (payment.raw === null) return { said: 'nothing' }
  const authorisation = authorisationOf({ ...payment, raw: payment.raw, identifier: null })
  const send = (delayUs = 0) => chain.broadcast(authorisation, 'facilitator', nowUs(), delayUs)
  const used: Answer = { said: 'refused', code: 'nonce_used', reason: 'the nonce is used' }
  const claim = { said: 'settled', transaction: INVENTED, payer: payment.payer, amount: payment.amount } as const
  switch (fault()) {
    case 'ok': {
      const sent = send()
      return sent ? { ...claim, transaction: sent.transaction } : used
    }
    case 'invalid':
      return { said: 'refused', code: 'invalid', reason: 'the facilitator refused it' }
    case 'unanswered':
      return { said: 'nothing' }
    case 'reset after broadcast':
    case 'error after broadcast':
      send()
      return { said: 'nothing' }
    case 'mined later':
      send(20_000_000)
      return { said: 'nothing' }
    case 'wrong payer':
      return { ...claim, payer: FAKE_TERMS.payee }
    case 'wrong amount':
      return { ...claim, amount: '1' }
    case 'broadcast, empty transaction':
      send()
      return { ...claim, transaction: '' }
    case 'empty transaction':
      return { ...claim, transaction: '' }
    case 'transaction of another':
      return { ...claim, transaction: (await another?.(payment)) ?? INVENTED }
    case 'settled by a third party':
      chain.broadcast(authorisation, 'third party', nowUs())
      return used
    case 'says expired':
      return { said: 'expired' }
    case 'rejects after broadcast':
      send()
      throw new Error('the rail broke its word')
    case 'rejects':
      throw new Error('the rail broke its word')
  }
}

export const nonceOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1)

export const authorisationOf = ({ payer, payee, amount, key, expiresUs }: Credential): Authorisation => ({
  payer,
  payee,
  amount,
  nonce: nonceOf(key),
  expiresUs,
})
