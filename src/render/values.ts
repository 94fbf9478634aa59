import { domainToUnicode } from 'node:url'
import { NO_DATA, orNoData } from '../domain/count.ts'
import type { SellerHost } from '../domain/host.ts'
import { assetName } from '../domain/money/asset-name.ts'
import { formatPrice, type MicroDollars } from '../domain/money/price.ts'
import { nameBeside, networkKey, networkName } from '../domain/network.ts'
import { formatTimestamp, type TimestampUs } from '../domain/time/timestamp.ts'
import type { HostRow } from '../views/host/hosts-view.ts'

/** JSON says `null` for what is not known, text views say "no data". */
export const priceOrNull = (price: MicroDollars | null): string | null => (price === null ? null : formatPrice(price))
export const timeOrNull = (us: TimestampUs | null): string | null => (us === null ? null : formatTimestamp(us))

export const priceText = (price: MicroDollars | null): string => orNoData(priceOrNull(price))
export const timeText = (us: TimestampUs | null): string => orNoData(timeOrNull(us))

/** For places where the exact time stands beside it or in `datetime`. */
export { formatMinute as minuteText } from '../domain/time/timestamp.ts'

/** As the source wrote it, and beside an id the name that people know: `eip155:84532 (Base Sepolia)`. */
export function networkText(network: string | null, quote: (text: string) => string = (text) => text): string {
  if (network === null) return NO_DATA
  const name = nameBeside(network)
  return name === null ? quote(network) : `${quote(network)} (${name})`
}

/** As somebody wrote it, and beside it what it is called where it is a known dollar: `0x8335… (USDC)`. */
export function assetText(network: string | null, asset: string | null): string {
  const name = network === null || asset === null ? null : assetName(network, asset)
  return name === null ? orNoData(asset) : `${asset} (${name})`
}

/** Beside a network as it is written, of one that is known: its CAIP-2 id and its name. */
export function networkJson(network: string | null): { readonly network_id?: string; readonly network_name?: string } {
  const name = network === null ? null : networkName(network)
  return network === null || name === null ? {} : { network_id: networkKey(network), network_name: name }
}

export function priceRangeText(row: HostRow): string {
  if (row.priceMin === null || row.priceMax === null) return NO_DATA
  const [low, high] = [formatPrice(row.priceMin), formatPrice(row.priceMax)]
  return low === high ? low : `${low} to ${high}`
}

export { counted } from '../domain/count.ts'

export const agentReviews = (row: Pick<HostRow, 'reviewCounts'>): number =>
  Object.values(row.reviewCounts.byLevel).reduce((sum, n) => sum + n, 0)

/** What a punycode host looks like in Unicode; `null` when it is plain ASCII. Shown beside the punycode, never instead of it. */
export function unicodeForm(host: SellerHost): string | null {
  if (!host.includes('xn--')) return null
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
