import type { Look } from '../../domain/seller/proof.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { saveLooks, takeClaims } from '../../store/sellers/claims.ts'
import type { Store } from '../../store/store.ts'
import type { Looked } from './look.ts'

export interface LookAgainOptions {
  readonly store: Store
  readonly look: (looked: Looked) => Promise<readonly Look[]>
  readonly nowUs: () => TimestampUs
  /** Waits, or less when `signal` says so. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onTrouble: (error: unknown) => void
}

/** Longer than any look takes: until then nobody else looks at the same claim. */
const LEASE_US = 300_000_000
const A_BATCH = 8
const EVERY_MS = 15_000

/** Looks once at every claim that is due, any number of programs side by side. Answers how many it looked at. */
export async function lookAgain({ store, look, nowUs }: LookAgainOptions): Promise<number> {
  const due = await takeClaims(store, nowUs(), LEASE_US, A_BATCH)
  await Promise.all(due.map(async (claim) => saveLooks(store, claim, await look(claim), nowUs())))
  return due.length
}

/** Goes on until told to stop: every claim is looked at again each day. */
export async function lookAgainForever(options: LookAgainOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let looked = 0
    try {
      looked = await lookAgain(options)
    } catch (error) {
      options.onTrouble(error)
    }
    if (looked < A_BATCH) await options.sleep(EVERY_MS, signal)
  }
}
