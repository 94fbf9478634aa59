import { counted } from '../count.ts'
import { DAY_US, dayOf } from '../time/day.ts'
import { formatMinute } from '../time/timestamp.ts'
import { walletKey, walletKind } from '../wallet.ts'
import { type Fact, grave, note, warning } from './finding.ts'
import type { KnownRoute, LiveOffer } from './known.ts'

/** Live challenges of fewer days do not say who a seller's payees are. */
const ENOUGH_DAYS = 3

/** Whether who is to be paid was paid before. */
export function payeeFacts(route: KnownRoute, { payee }: LiveOffer): Fact[] {
  if (payee === null || route.payees.length === 0) return []
  const key = walletKey(payee)
  const same = route.payees.filter((known) => walletKey(known.payee) === key)
  const habit = habitOf(route)
  if (same.length === 0) return [neverSeen(route, payee, habit)]
  if (habit === 'a new one each time') return []
  const firstUs = Math.min(...same.map((known) => known.firstUs))
  const isNew = firstUs > route.nowUs - DAY_US
  const before = route.payees.some((known) => walletKey(known.payee) !== key && known.firstUs < firstUs)
  if (!isNew || !before) return []
  const said = `${theWallet(payee)} was first named as payee on ${formatMinute(firstUs)}, less than a day ago; others were before.`
  return [warning('payee_changed', 'route', said)]
}

type Habit = 'a new one each time' | 'kept' | 'not known'

/** What live challenges say of how a seller names payees. */
function habitOf({ payees, payeeDays }: KnownRoute): Habit {
  const seen = new Map<string, { readonly firstUs: number; readonly lastUs: number }>()
  for (const { payee, origin, firstUs, lastUs } of payees) {
    if (origin !== 'challenge') continue
    const key = walletKey(payee)
    const known = seen.get(key) ?? { firstUs, lastUs }
    seen.set(key, { firstUs: Math.min(known.firstUs, firstUs), lastUs: Math.max(known.lastUs, lastUs) })
  }
  const keptDays = [...seen.values()].map(({ firstUs, lastUs }) => (lastUs - firstUs) / DAY_US)
  const once = [...seen.values()].filter(({ firstUs, lastUs }) => firstUs === lastUs)
  const again = seen.size - once.length
  // A few days on which a seller that keeps its payee for weeks names others say nothing of its habit.
  const days = new Set(once.map(({ firstUs }) => dayOf(firstUs))).size
  const isHabit = days >= ENOUGH_DAYS && 2 * days > Math.max(...keptDays) && once.length > again
  if (isHabit) return 'a new one each time'
  return payeeDays >= ENOUGH_DAYS && again > 0 ? 'kept' : 'not known'
}

function neverSeen({ payees, payeeDays }: KnownRoute, payee: string, habit: Habit): Fact {
  const never = `${theWallet(payee)} was never seen as payee of this route`
  if (!payees.some(({ origin }) => origin === 'challenge'))
    return warning('payee_never_seen', 'route', `${never}; sources name another.`)
  if (habit === 'a new one each time')
    return note('payee_never_seen', 'route', `${never}; most of its payees were named only once.`)
  const said = `${never}; live challenges of ${counted(payeeDays, 'day')} named others.`
  return (habit === 'kept' ? grave : warning)('payee_never_seen', 'route', said)
}

/** A stranger's word is repeated only where it can be nothing but a wallet. */
const theWallet = (payee: string): string => (walletKind(payee) === undefined ? 'The payee' : `The wallet ${payee}`)
