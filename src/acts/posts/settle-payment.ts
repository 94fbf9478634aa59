import { pauseUs } from '../../domain/money/payment.ts'
import type { Outcome, PastRail, PaymentRail } from '../../payment/rail.ts'
import { expirePayment, postponePayment, refusePayment } from '../../store/posts/payment-steps.ts'
import { findPayment, type StoredPayment } from '../../store/posts/payments.ts'
import { publishPost } from '../../store/posts/publish.ts'
import type { Ledger } from './ledger.ts'
import { outcomeWords, tellAct } from './payment-story.ts'
import { firstLookUs } from './watch.ts'

/** How a payment stands after something was done about it. */
export interface PaymentStanding {
  readonly payment: StoredPayment
  /** Its post became visible by this very act. */
  readonly isNew: boolean
  /** The rail's word for why this very act was refused. */
  readonly refusedAs?: string
}

/**
 * Moves the money of a payment that the caller has claimed, and writes down what came of it. `mayRefuse` says that every
 * earlier attempt, if there was one, was refused for certain: only then does a refusal mean that nothing was paid.
 */
export async function settlePayment(
  ledger: Ledger,
  rail: PaymentRail,
  claimed: StoredPayment,
  mayRefuse: boolean,
): Promise<PaymentStanding> {
  const said: string[] = []
  const asked = await answered(() => rail.settle(claimed, (words) => said.push(words)))
  // Whatever a facilitator says, the chain has the last word: a refusal may mean that somebody else was faster.
  const outcome = asked.kind === 'paid' && asked.transaction !== '' ? asked : await onChain(rail, claimed, asked)
  const isUncertain = outcome.kind === 'refused' && !mayRefuse
  const standing = await writeDown(ledger, rail, claimed, isUncertain ? unknown(outcome.reason) : outcome, 'claimed')
  await tellAct(ledger, claimed, 'settle', [...said, outcomeWords(outcome)])
  return standing
}

/** Asks the chain about a payment, and writes down what it says. `claimed` also sets when it is looked for next. */
export async function lookForPayment(
  ledger: Ledger,
  rail: PastRail,
  payment: StoredPayment,
  as: 'claimed' | 'visitor',
): Promise<PaymentStanding> {
  const outcome = await answered(() => rail.look(payment))
  const seen = outcome.kind === 'refused' ? unknown(outcome.reason) : outcome
  const standing = await writeDown(ledger, rail, payment, seen, as)
  // Visitors come as often as they like: they add to the story only when they have changed it.
  const isTold = as === 'claimed' || standing.payment.state !== payment.state
  if (isTold) await tellAct(ledger, payment, 'look', [outcomeWords(outcome)])
  return standing
}

const unknown = (reason: string): Outcome => ({ kind: 'unknown', reason })

/** Rails promise not to reject. Should one do so, nobody knows what it did before. */
export async function answered(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    return unknown(`the rail failed: ${error instanceof Error ? error.name : 'unknown error'}`)
  }
}

/** What settling left open, as the chain sees it. `expired` is the chain's to say, never the facilitator's. */
async function onChain(rail: PaymentRail, payment: StoredPayment, asked: Outcome): Promise<Outcome> {
  const seen = await answered(() => rail.look(payment))
  if (seen.kind === 'paid' || seen.kind === 'expired') return seen
  if (asked.kind === 'refused') return asked
  return unknown(asked.kind === 'paid' ? 'settling named no transaction' : asked.reason)
}

async function writeDown(
  ledger: Ledger,
  rail: PastRail,
  payment: StoredPayment,
  said: Outcome,
  as: 'claimed' | 'visitor',
): Promise<PaymentStanding> {
  const { store, nowUs } = ledger
  const outcome = isFirstDoubt(payment, said, as) ? unknown(said.reason) : said
  const isNew = outcome.kind === 'paid' && (await publish(ledger, rail, payment, outcome))
  if (outcome.kind === 'expired') await expirePayment(store, payment.key, outcome.reason, nowUs())
  const isRefused =
    outcome.kind === 'refused' &&
    (await refusePayment(store, payment, outcome.reason, nowUs(), nowUs() + pauseUs('refused', 0)))
  if (!isNew && !isRefused && outcome.kind !== 'expired' && as === 'claimed') {
    const reason = outcome.kind === 'paid' ? 'its transfer has paid for another post' : outcome.reason
    // Changes nothing when the payment has ended meanwhile.
    await postponePayment(store, payment, reason, nowUs() + pauseUs(payment.state, payment.attempts))
  }
  const now = await findPayment(store.read, payment.key)
  if (!now) throw new Error('a payment is gone from the ledger')
  if (now.state !== payment.state) {
    const { key: _, host, postId, rail: name, network, transaction, reason } = now
    ledger.log.info({ host, post: postId, rail: name, network, transaction, reason }, `payment ${now.state}`)
  }
  return { payment: now, isNew, ...(outcome.kind === 'refused' && isRefused && { refusedAs: outcome.code }) }
}

/** What may have been paid is given up only when two looks in a row say so, each in its turn. */
const isFirstDoubt = (
  { state, reason }: StoredPayment,
  said: Outcome,
  as: 'claimed' | 'visitor',
): said is Extract<Outcome, { kind: 'expired' }> =>
  said.kind === 'expired' &&
  said.isUnsure === true &&
  state === 'pending' &&
  (as === 'visitor' || reason !== said.reason)

/** True when the post became visible by this. */
async function publish(
  { store, nowUs, log }: Ledger,
  rail: PastRail,
  payment: StoredPayment,
  paid: Extract<Outcome, { kind: 'paid' }>,
): Promise<boolean> {
  const publishAs = (by: typeof paid) => publishPost(store, payment, by, nowUs(), firstLookUs(rail, nowUs()))
  const publication = paid.transaction === '' ? 'taken' : await publishAs(paid)
  if (publication !== 'taken') return publication === 'published'
  const seen = await answered(() => rail.look(payment))
  if (seen.kind === 'paid' && seen.transaction !== '' && seen.logIndex >= 0) {
    const again = await publishAs(seen)
    if (again !== 'taken') return again === 'published'
  }
  log.error({ post: payment.postId, transaction: paid.transaction }, 'a transfer was named for two payments')
  return false
}
