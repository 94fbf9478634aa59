import { inParallel } from '../../async/in-parallel.ts'
import { sleep } from '../../async/sleep.ts'
import { isSettledAgain, type PaymentState } from '../../domain/money/payment.ts'
import { failureFields } from '../../domain/store-trouble.ts'
import { isSet, type Outcome, type PastRail, type Payment, pastOf, type UnsetRail } from '../../payment/rail.ts'
import { claimPayment } from '../../store/posts/payment-steps.ts'
import { duePayments, type StoredPayment, undecidedPayments } from '../../store/posts/payments.ts'
import { confirmDue } from './confirm.ts'
import type { Ledger } from './ledger.ts'
import { lookForPayment, type PaymentStanding, settlePayment } from './settle-payment.ts'
import { watchDue } from './watch.ts'

/** How many payments of a round are in each state now. */
export type Reconciled = Readonly<Record<PaymentState, number>>

const AT_ONCE = 8
const BATCH = 100
const EVERY_MS = 2000

const countsOf = (): Record<PaymentState, number> => ({ pending: 0, refused: 0, settled: 0, expired: 0 })

/**
 * Looks at every undecided payment, due or not, and publishes what is paid: after a start, nobody else may be there to
 * do it. What a program that was killed had claimed and perhaps never handed over is settled again at once; should it be
 * alive, the chain takes an authorisation once and whoever comes second finds the transfer.
 */
export async function lookAtAll(ledger: Ledger, signal?: AbortSignal): Promise<Reconciled> {
  const counts = countsOf()
  const payments: StoredPayment[] = []
  for await (const payment of undecidedPayments(ledger.store.read)) payments.push(payment)
  await each(ledger, payments, counts, signal, async (payment) => {
    const rail = ledger.rails[payment.rail]
    const seen = await lookForPayment(ledger, await pastOf(rail), payment, 'visitor')
    const { state, raw, expiresUs } = seen.payment
    if (!isSet(rail) || state !== 'pending' || raw === null || ledger.nowUs() >= expiresUs) return seen
    const claimed = await claimPayment(ledger.store, seen.payment, ledger.nowUs())
    return claimed ? settlePayment(ledger, rail, claimed, false) : seen
  })
  return counts
}

/** Brings every payment that is due a step further. Any number of programs may do so at once. */
export async function reconcileDue(ledger: Ledger, signal?: AbortSignal): Promise<Reconciled> {
  const counts = countsOf()
  const startUs = ledger.nowUs()
  for (;;) {
    const due = await duePayments(ledger.store.read, startUs, BATCH)
    const steps = await each(ledger, due, counts, signal, (payment) => reconcile(ledger, payment))
    // A full page without a single step is one that cannot be worked on now.
    if (due.length < BATCH || steps === 0 || signal?.aborted) return counts
  }
}

async function reconcile(ledger: Ledger, seen: StoredPayment): Promise<PaymentStanding | undefined> {
  const { store, nowUs } = ledger
  const claimed = await claimPayment(store, seen, nowUs())
  if (!claimed) return undefined
  const rail = ledger.rails[claimed.rail]
  if (!isSet(rail)) return lookForPayment(ledger, await lookingOnly(rail), claimed, 'claimed')
  if (claimed.raw === null || !isSettledAgain(claimed, nowUs())) return lookForPayment(ledger, rail, claimed, 'claimed')
  const looked = await lookForPayment(ledger, rail, claimed, 'visitor')
  const { state } = looked.payment
  return state === 'settled' || state === 'expired' ? looked : settlePayment(ledger, rail, claimed, false)
}

/** What is on its way is looked for also with its rail unset; that is why nobody settles it again. */
async function lookingOnly({ name, missing, past }: UnsetRail): Promise<PastRail> {
  const rail = await past()
  const reason = `payments by ${name} are not set up: ${missing.join(', ')}`
  const look = async (payment: Payment): Promise<Outcome> => {
    const outcome = await rail.look(payment)
    return outcome.kind === 'unknown' ? { ...outcome, reason } : outcome
  }
  return { ...rail, look }
}

/** A few at a time; how many came a step further. What fails is told and comes up again when its claim ends. */
async function each(
  { log }: Ledger,
  payments: readonly StoredPayment[],
  counts: Record<PaymentState, number>,
  signal: AbortSignal | undefined,
  work: (payment: StoredPayment) => Promise<PaymentStanding | undefined>,
): Promise<number> {
  let steps = 0
  await inParallel(payments, AT_ONCE, signal, async (payment) => {
    try {
      const standing = await work(payment)
      if (standing === undefined) return
      counts[standing.payment.state]++
      steps++
    } catch (error) {
      log.error({ err: error, post: payment.postId }, 'a payment could not be reconciled')
    }
  })
  return steps
}

/**
 * Reconciles at once and then on a timer, until the signal says stop. A store that is away is tried again. What was taken
 * on a facilitator's word is looked for beside it, and what is not final yet looked at: nobody who waits for a post waits
 * for that.
 */
export async function keepReconciled(ledger: Ledger, signal: AbortSignal, everyMs = EVERY_MS): Promise<void> {
  let isFirst = true
  const reconciled = again(ledger, signal, everyMs, async () => {
    if (isFirst) await lookAtAll(ledger, signal)
    isFirst = false
    await reconcileDue(ledger, signal)
  })
  const confirmed = again(ledger, signal, everyMs, () => confirmDue(ledger, signal))
  const watched = again(ledger, signal, everyMs, () => watchDue(ledger, signal))
  await Promise.all([reconciled, confirmed, watched])
}

async function again(
  { log }: Ledger,
  signal: AbortSignal,
  everyMs: number,
  work: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work()
    } catch (error) {
      log.error(failureFields(error), 'payments could not be reconciled')
    }
    await sleep(everyMs, signal)
  }
}
