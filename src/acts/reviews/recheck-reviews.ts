import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { decideReview } from '../../store/reviews/decide-review.ts'
import { readReview } from '../../store/reviews/read-review.ts'
import { type DueCheck, nextDueCheckUs, takeChecks } from '../../store/reviews/review-checks.ts'
import { checkPayment, type PaymentChecks } from './check-payment.ts'

export interface RecheckOptions extends Omit<PaymentChecks, 'deadlineMs'> {
  readonly nowUs: () => TimestampUs
  /** Waits, or less when `signal` says so. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onTrouble: (error: unknown) => void
}

const DEADLINE_MS = 15_000
/** Longer than any look takes: until then nobody else looks at the same review. */
const LEASE_US = 120_000_000
const A_BATCH = 16
/** Other programs add checks too: they are found within this time. */
const LONGEST_SLEEP_MS = 5_000
const SHORTEST_SLEEP_MS = 250

/** Looks once at every payment that is due, any number of programs side by side. Answers how many it looked at. */
export async function recheckDue(options: RecheckOptions): Promise<number> {
  const due = await takeChecks(options.store, options.nowUs(), LEASE_US, A_BATCH)
  await Promise.all(due.map((check) => recheck(options, check)))
  return due.length
}

async function recheck(options: RecheckOptions, check: DueCheck): Promise<void> {
  const { store, proofs, nowUs } = options
  const review = await readReview(store.read, check.id, check.hostId)
  const finding = review
    ? await checkPayment({ store, proofs, deadlineMs: DEADLINE_MS }, review, review)
    : { kind: 'none' as const, reason: 'the review is gone' }
  await decideReview(store, check, finding, nowUs())
}

/** Goes on until told to stop: payments that were not decided are, final ones are confirmed, vanished ones lower. */
export async function recheckForever(options: RecheckOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let looked = 0
    let dueUs: TimestampUs | null = null
    try {
      looked = await recheckDue(options)
      dueUs = await nextDueCheckUs(options.store)
    } catch (error) {
      options.onTrouble(error)
    }
    if (looked === A_BATCH) continue
    const waitMs = dueUs === null ? LONGEST_SLEEP_MS : (dueUs - options.nowUs()) / 1000
    await options.sleep(Math.min(LONGEST_SLEEP_MS, Math.max(SHORTEST_SLEEP_MS, waitMs)), signal)
  }
}
