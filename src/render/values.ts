import { domainToUnicode } from 'node:url'
import { NO_DATA, orNoData } from '../domain/count.ts'
import type { SellerHost } from '../domain/host.ts'
import { formatPrice, type MicroDollars } from '../domain/money/price.ts'
import { formatTimestamp, type TimestampUs } from '../domain/time/timestamp.ts'
import type { HostRow } from '../views/host/hosts-view.ts'

/** JSON says `null` for what is not known, text views say "no data". */
export const priceOrNull = (price: MicroDollars | null): string | null => (price === null ? null : formatPrice(price))
export const timeOrNull = (us: TimestampUs | null): string | null => (us === null ? null : formatTimestamp(us))

export const priceText = (price: MicroDollars | null): string => orNoData(priceOrNull(price))
export const timeText = (us: TimestampUs | null): string => orNoData(timeOrNull(us))

/** To the minute, for places where the exact time stands beside it or in `datetime`: `2026-11-14 12:34` */
export const minuteText = (us: TimestampUs): string => formatTimestamp(us).slice(0, 16).replace('T', ' ')

export function priceRangeText(row: HostRow): string {
  if (row.priceMin === null || row.priceMax === null) return NO_DATA
  const [low, high] = [formatPrice(row.priceMin), formatPrice(row.priceMax)]
  return low === high ? low : `${low} to ${high}`
}

/** `1 route`, `2 routes` */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

export const agentReviews = (row: Pick<HostRow, 'reviewCounts'>): number =>
  Object.values(row.reviewCounts.byLevel).reduce((sum, n) => sum + n, 0)

/** What a punycode host looks like in Unicode; `null` when it is plain ASCII. Shown beside the punycode, never instead of it. */
export function unicodeForm(host: SellerHost): string | null {
  const [name = '', port] = host.split(':')
  const unicode = domainToUnicode(name)
  if (unicode === '' || unicode === name) return null
  return port === undefined ? unicode : `${unicode}:${port}`
}

/** The beginning of a text, whole characters and no more than so many. */
export function shortened(text: string, most: number): string {
  const points = [...text]
  return points.length <= most
    ? text
    : `${points
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
