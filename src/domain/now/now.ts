import type { Asked } from '../challenge.ts'
import { formatPrice } from '../money/price.ts'
import { classify, type ProbeResult } from '../probe.ts'
import { formatMinute, type TimestampUs } from '../time/timestamp.ts'
import type { Run } from './run.ts'
import type { Sight } from './sights.ts'
import type { Shield } from './vantage.ts'

/** What is true of a route now: the run that its newest entry belongs to. */
export interface Now extends Run {
  /** The newest entry; where one of several vantages sees payment requested, its newest. Never before `sinceUs`. */
  readonly checkedUs: TimestampUs
  /** What the newest entry of the vantage that sees it best was asked for; `null` when it was not, or no price could be read. */
  readonly asked: Asked | null
  /** Whose challenge page it got. */
  readonly shield?: Shield | null
  /** What each vantage sees; nothing where none is named. */
  readonly sights?: readonly Sight[]
}

export const resultOf = (now: Pick<Now, 'httpStatus'>): ProbeResult => classify(now.httpStatus)

/** How a line begins; all but the first go on with the time since when. */
export const NOW_WORDS: Readonly<Record<ProbeResult, string>> = {
  '402-correct': 'Requested payment',
  answers: 'Answering without payment since',
  failed: 'Failing since',
  unreachable: 'Unreachable since',
}

/** `0.010000 on base` */
export const askedText = ({ price, network }: Asked): string =>
  network === null ? formatPrice(price) : `${formatPrice(price)} on ${network}`

/** What stands after the time. */
export function nowDetails(now: Now): string {
  const { httpStatus, asked, last402Us } = now
  if (resultOf(now) === '402-correct') return asked === null ? '' : `, ${askedText(asked)}`
  const status = httpStatus === null ? '' : ` (HTTP ${httpStatus})`
  const before =
    last402Us === null ? 'never seen to request payment' : `last requested payment ${formatMinute(last402Us)}`
  return `${status}; ${before}`
}

/** `Failing since 2026-11-13 02:08 (HTTP 500); last requested payment 2026-11-12 20:03`: UTC, to the minute. */
export function nowLine(now: Now): string {
  const result = resultOf(now)
  const at = formatMinute(result === '402-correct' ? now.checkedUs : now.sinceUs)
  return `${NOW_WORDS[result]} ${at}${nowDetails(now)}`
}
