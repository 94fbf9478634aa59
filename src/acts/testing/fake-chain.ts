import { createHash } from 'node:crypto'
import type { TimestampUs } from '../../domain/time/timestamp.ts'

/** One authorisation to move money, as on the real chains: it works once, whoever uses it, and not after its time. */
export interface Authorisation {
  readonly payer: string
  readonly payee: string
  readonly amount: string
  readonly nonce: string
  readonly expiresUs: TimestampUs
}

export interface FakeTransfer extends Omit<Authorisation, 'expiresUs'> {
  readonly transaction: string
  readonly logIndex: number
  /** From when on it can be seen. */
  readonly atUs: TimestampUs
  readonly by: 'facilitator' | 'third party'
}

/** A stand-in for a chain, fast enough for thousands of runs; tests of the rails use real ones. */
export interface FakeChain {
  /** Uses an authorisation. `undefined` when it was used before or is too old: nothing moves then. */
  broadcast(
    authorisation: Authorisation,
    by: FakeTransfer['by'],
    nowUs: TimestampUs,
    /** Sent now, in a block only so much later. */
    delayUs?: number,
  ): FakeTransfer | undefined
  /** The transfer that used an authorisation, sent or seen. */
  find(use: Pick<Authorisation, 'payer' | 'nonce'>): FakeTransfer | undefined
  /** Everything that ever moved or is about to. */
  transfers(): readonly FakeTransfer[]
}

/** Blocks of this chain may come so much later than an authorisation's end. */
export const FAKE_MARGIN_US = 30_000_000

export const transferFrom = (
  { payer, payee, amount, nonce }: Authorisation,
  by: FakeTransfer['by'],
  atUs: TimestampUs,
): FakeTransfer => {
  const digest = createHash('sha256').update(`${payer}\n${nonce}`).digest('hex')
  return { payer, payee, amount, nonce, by, atUs, transaction: `0x${digest}`, logIndex: Number(`0x${digest[0]}`) }
}

export function fakeChain(): FakeChain {
  const byUse = new Map<string, FakeTransfer>()
  const useOf = ({ payer, nonce }: Pick<Authorisation, 'payer' | 'nonce'>): string => `${payer}\n${nonce}`
  return {
    broadcast: (authorisation, by, nowUs, delayUs = 0) => {
      const use = useOf(authorisation)
      if (byUse.has(use) || nowUs >= authorisation.expiresUs) return undefined
      const transfer = transferFrom(authorisation, by, nowUs + Math.min(delayUs, FAKE_MARGIN_US - 1))
      byUse.set(use, transfer)
      return transfer
    },
    find: (use) => byUse.get(useOf(use)),
    transfers: () => [...byUse.values()],
  }
}
