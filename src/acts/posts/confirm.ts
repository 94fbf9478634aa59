import { inParallel } from '../../async/in-parallel.ts'
import { type Hindsight, isSet, type PaymentRail } from '../../payment/rail.ts'
import { NO_PAYMENT_FOUND } from '../../store/posts/hide-post.ts'
import type { StoredPayment } from '../../store/posts/payments.ts'
import { unseen, unseenPayments } from '../../store/posts/unseen-payments.ts'
import type { Ledger } from './ledger.ts'
import { outcomeWords, tellAct } from './payment-story.ts'
import { answered } from './settle-payment.ts'
import { firstLookUs } from './watch.ts'

/** What became of the payments of one turn. */
export interface Confirmed {
  confirmed: number
  withdrawn: number
  /** Nobody can say yet. */
  postponed: number
}

/** So many of each network in one turn: a long history is worked off beside everything else, never at once. */
const TURN = 20
const AT_ONCE = 4
const MINUTE_US = 60_000_000
const LONGEST_PAUSE_US = 6 * 60 * MINUTE_US

/** Some are never found out, and their post says so; they must cost next to nothing. */
const pauseUs = (looks: number): number => Math.min(2 ** Math.min(looks - 1, 20) * MINUTE_US, LONGEST_PAUSE_US)

/**
 * Looks for payments that a facilitator was believed, on networks that have a node by now. What is found counts as seen; a
 * post whose payment can never be found any more is withdrawn. Any number of programs may do so at once.
 */
export async function confirmDue(ledger: Ledger, signal?: AbortSignal): Promise<Confirmed> {
  const counts: Confirmed = { confirmed: 0, withdrawn: 0, postponed: 0 }
  for (const hindsight of hindsightsOf(ledger)) {
    for (const network of hindsight.networks) {
      const due = await unseenPayments(ledger.store.read, network, ledger.nowUs(), TURN)
      await inParallel(due, AT_ONCE, signal, async (payment) => {
        try {
          const end = await confirm(ledger, hindsight, payment)
          if (end !== undefined) counts[end]++
        } catch (error) {
          ledger.log.error({ err: error, post: payment.postId }, 'a payment could not be confirmed')
        }
      })
    }
  }
  return counts
}

interface Looking extends Hindsight {
  readonly rail: PaymentRail
}

const hindsightsOf = ({ rails }: Ledger): Looking[] =>
  Object.values(rails).flatMap((rail) => {
    if (!isSet(rail) || rail.hindsight === undefined) return []
    const { networks, look } = rail.hindsight
    return [{ networks, look, rail }]
  })

async function confirm(ledger: Ledger, hindsight: Looking, seen: StoredPayment): Promise<keyof Confirmed | undefined> {
  const { store, nowUs, log } = ledger
  const claimed = await unseen.claim(store, seen, nowUs())
  if (!claimed) return undefined
  const said = { host: claimed.host, post: claimed.postId, network: claimed.network, transaction: claimed.transaction }
  const outcome = await answered(() => hindsight.look(claimed, claimed.transaction ?? ''))
  await tellAct(ledger, claimed, 'confirm', [outcomeWords(outcome)])
  if (outcome.kind === 'paid' && outcome.logIndex >= 0) {
    const confirmation = await unseen.confirm(store, claimed, outcome, firstLookUs(hindsight.rail, nowUs()))
    if (confirmation !== 'taken') return confirmation === 'confirmed' ? 'confirmed' : undefined
    log.error(said, 'a transfer was named for two payments')
  }
  if (outcome.kind === 'expired') {
    const why = { shown: NO_PAYMENT_FOUND, reason: outcome.reason }
    const isWithdrawn = await unseen.withdraw(store, claimed, why, nowUs())
    if (isWithdrawn)
      log.warn({ ...said, reason: outcome.reason }, 'the facilitator named a payment that was never made')
    return isWithdrawn ? 'withdrawn' : undefined
  }
  const reason = outcome.kind === 'paid' ? 'its transfer has paid for another post' : outcome.reason
  await unseen.postpone(store, claimed, reason, nowUs() + pauseUs(claimed.attempts))
  return 'postponed'
}
