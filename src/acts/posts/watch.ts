import { inParallel } from '../../async/in-parallel.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { type PastRail, pastOf, type Standing } from '../../payment/rail.ts'
import { NO_LONGER_ON_CHAIN } from '../../store/posts/hide-post.ts'
import type { StoredPayment } from '../../store/posts/payments.ts'
import { unfinal, unfinalPayments } from '../../store/posts/unfinal-payments.ts'
import type { Ledger } from './ledger.ts'
import { outcomeWords, tellAct } from './payment-story.ts'

/** What became of the payments of one turn. */
export interface Watched {
  /** Nothing can take them away any more. */
  final: number
  withdrawn: number
  /** Looked at again. */
  postponed: number
}

const TURN = 20
const AT_ONCE = 4
const FIRST_PAUSE_US = 5_000_000
const LONGEST_PAUSE_US = 300_000_000
/** What nobody could say anything about for so long is left as it is. */
const LONGEST_WATCH_US = 7 * 86_400_000_000

/** When a payment is looked at again, after so many looks: it stays looked at until its block is final. */
const nextLookUs = (nowUs: TimestampUs, looks: number): TimestampUs =>
  nowUs + Math.min(FIRST_PAUSE_US * 2 ** Math.min(looks, 20), LONGEST_PAUSE_US)

/** When a payment that was seen on chain is first looked at again; null where nothing of the kind can happen. */
export const firstLookUs = ({ watch }: PastRail, nowUs: TimestampUs): TimestampUs | null =>
  watch === undefined ? null : nextLookUs(nowUs, 0)

/**
 * Looks whether payments that were seen on chain are still there, until their block is final. A post is withdrawn when two
 * looks in a row find that its payment is gone for good: until then a transfer that was taken away mostly comes back.
 * Any number of programs may do so at once.
 */
export async function watchDue(ledger: Ledger, signal?: AbortSignal): Promise<Watched> {
  const counts: Watched = { final: 0, withdrawn: 0, postponed: 0 }
  for (const known of Object.values(ledger.rails)) {
    const due = await unfinalPayments(ledger.store.read, known.name, ledger.nowUs(), TURN)
    if (due.length === 0) continue
    const rail = await pastOf(known)
    await inParallel(due, AT_ONCE, signal, async (payment) => {
      try {
        const end = await watch(ledger, rail, payment)
        if (end !== undefined) counts[end]++
      } catch (error) {
        ledger.log.error({ err: error, post: payment.postId }, 'a settled payment could not be looked at')
      }
    })
  }
  return counts
}

async function watch(ledger: Ledger, rail: PastRail, seen: StoredPayment): Promise<keyof Watched | undefined> {
  const { store, nowUs, log } = ledger
  const claimed = await unfinal.claim(store, seen, nowUs())
  if (!claimed) return undefined
  const standing = await standingOf(rail, claimed)
  const said = { host: claimed.host, post: claimed.postId, network: claimed.network, transaction: claimed.transaction }
  const lateUs = nowUs() - claimed.updatedUs > LONGEST_WATCH_US ? null : nextLookUs(nowUs(), claimed.attempts)
  if (standing.kind === 'expired' && claimed.reason === NO_LONGER_ON_CHAIN) {
    await tellAct(ledger, claimed, 'watch', [outcomeWords(standing)])
    const why = { shown: NO_LONGER_ON_CHAIN, reason: standing.reason }
    const isWithdrawn = await unfinal.withdraw(store, claimed, why, nowUs())
    if (isWithdrawn) log.warn({ ...said, reason: standing.reason }, 'a reorganisation has taken a payment away')
    return isWithdrawn ? 'withdrawn' : undefined
  }
  if (standing.kind === 'expired') await unfinal.postpone(store, claimed, NO_LONGER_ON_CHAIN, nextLookUs(nowUs(), 0))
  else if (standing.kind === 'unknown') await unfinal.postpone(store, claimed, standing.reason, lateUs)
  else return keep(ledger, claimed, standing, standing.isFinal ? null : lateUs)
  return 'postponed'
}

/** Rails promise not to reject. Should one do so, nobody can say. */
async function standingOf(rail: PastRail, { transaction, ...payment }: StoredPayment): Promise<Standing> {
  try {
    const standing = await rail.watch?.(payment, transaction ?? '')
    return standing ?? { kind: 'unknown', reason: 'the rail does not look' }
  } catch (error) {
    return { kind: 'unknown', reason: `the rail failed: ${error instanceof Error ? error.name : 'unknown error'}` }
  }
}

/** It is on chain, perhaps in another block or transaction than before. */
async function keep(
  ledger: Ledger,
  claimed: StoredPayment,
  standing: Extract<Standing, { kind: 'paid' }>,
  dueUs: TimestampUs | null,
): Promise<keyof Watched | undefined> {
  const { store, log, nowUs } = ledger
  const isMoved = standing.transaction !== claimed.transaction || standing.logIndex !== claimed.logIndex
  if (!isMoved) {
    await unfinal.postpone(store, claimed, null, dueUs)
    return standing.isFinal ? 'final' : 'postponed'
  }
  await tellAct(ledger, claimed, 'watch', [outcomeWords(standing)])
  const confirmation = await unfinal.confirm(store, claimed, standing, dueUs)
  if (confirmation === 'already') return undefined
  if (confirmation === 'confirmed') return standing.isFinal ? 'final' : 'postponed'
  log.error({ post: claimed.postId, transaction: standing.transaction }, 'a transfer was named for two payments')
  await unfinal.postpone(
    store,
    claimed,
    'its transfer has paid for another post',
    nextLookUs(nowUs(), claimed.attempts),
  )
  return 'postponed'
}
