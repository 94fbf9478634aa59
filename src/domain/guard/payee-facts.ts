import { counted } from '../count.ts'
import { DAY_US } from '../time/day.ts'
import { formatMinute } from '../time/timestamp.ts'
import { walletKey, walletKind } from '../wallet.ts'
import { type Fact, grave, warning } from './finding.ts'
import type { KnownRoute, LiveOffer } from './known.ts'

/** Live challenges of fewer days do not say who a seller's payees are. */
const ENOUGH_DAYS = 3

/** Whether who is to be paid was paid before. */
export function payeeFacts(route: KnownRoute, { payee }: LiveOffer): Fact[] {
  if (payee === null || route.payees.length === 0) return []
  const key = walletKey(payee)
  const same = route.payees.filter((known) => walletKey(known.payee) === key)
  if (same.length === 0) return [neverSeen(route, payee)]
  const firstUs = Math.min(...same.map((known) => known.firstUs))
  const isNew = firstUs > route.nowUs - DAY_US
  const before = route.payees.some((known) => walletKey(known.payee) !== key && known.firstUs < firstUs)
  if (!isNew || !before) return []
  const said = `${theWallet(payee)} was first named as payee on ${formatMinute(firstUs)}, less than a day ago; others were before.`
  return [warning('payee_changed', 'route', said)]
}

function neverSeen({ payees, payeeDays }: KnownRoute, payee: string): Fact {
  const isSeenLive = payees.some(({ origin }) => origin === 'challenge')
  const never = `${theWallet(payee)} was never seen as payee of this route`
  if (!isSeenLive) return warning('payee_never_seen', 'route', `${never}; sources name another.`)
  const said = `${never}; live challenges of ${counted(payeeDays, 'day')} named others.`
  return (payeeDays >= ENOUGH_DAYS ? grave : warning)('payee_never_seen', 'route', said)
}

/** A stranger's word is repeated only where it can be nothing but a wallet. */
const theWallet = (payee: string): string => (walletKind(payee) === undefined ? 'The payee' : `The wallet ${payee}`)
