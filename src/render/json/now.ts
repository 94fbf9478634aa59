import { type Now, nowLine, resultOf } from '../../domain/now/now.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { HostNow, PriceCheck } from '../../views/host/now-view.ts'
import { hostCheck } from '../now/now-words.ts'
import { timeOrNull } from '../values.ts'

export const nowJson = (now: Now) => ({
  result: resultOf(now),
  since: formatTimestamp(now.sinceUs),
  http_status: now.httpStatus,
  checked: formatTimestamp(now.checkedUs),
  last_402: timeOrNull(now.last402Us),
  line: nowLine(now),
})

export const hostNowJson = (now: HostNow) => ({
  ...nowJson(now),
  ...{ method: now.method, address: now.address, routes: now.routes, of: now.of },
})

export const priceCheckJson = (check: PriceCheck, routes: number) => ({
  verified: check.verified,
  differs: check.differs,
  line: hostCheck(check, routes),
})
