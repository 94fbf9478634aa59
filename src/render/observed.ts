import { askedFor, type Challenge, elsewhere, type Listed } from '../domain/challenge.ts'
import { type Listing, listingLine } from '../domain/listing.ts'
import { formatPrice, type MicroDollars } from '../domain/money/price.ts'
import { formatTimestamp, type TimestampUs } from '../domain/time/timestamp.ts'
import type { RouteView } from '../views/host/host-view.ts'
import { WARNING_MEANINGS } from '../wire/challenge/warnings.ts'
import { networkText, priceText } from './values.ts'

export interface ObservedPrice {
  readonly price: MicroDollars
  readonly network: string | null
  readonly atUs: TimestampUs
}

/** What the newest live challenge asked for (`askedFor`). `null` while no price was read. */
export function observedPrice(route: RouteView): ObservedPrice | null {
  const asked = route.live && askedFor(route.live.challenge, route)
  return asked && route.live && { price: asked.price, network: asked.network, atUs: route.live.atUs }
}

/** What does not conform in the newest live challenge, a sentence each. */
export const challengeFaults = ({ live }: Pick<RouteView, 'live'>): readonly string[] =>
  (live?.challenge.warnings ?? []).map((warning) => (isWarning(warning) ? WARNING_MEANINGS[warning] : warning))

const isWarning = (text: string): text is keyof typeof WARNING_MEANINGS => Object.hasOwn(WARNING_MEANINGS, text)

type Quote = (text: string) => string

const asWritten: Quote = (text) => text

/** After `differs`, in what: `asks 0.030000`, `asks on tempo:1337, listed on tempo:4217`, `asks on mpp, listed on x402`. */
export function asksWords(challenge: Challenge, listed: Listed, quote = asWritten): string | null {
  const asked = askedFor(challenge, listed)
  if (asked !== null && listed.price !== null && asked.price !== listed.price) return `asks ${formatPrice(asked.price)}`
  return elsewhereWords(challenge, listed, quote)
}

function elsewhereWords(challenge: Challenge, listed: Listed, quote: Quote): string | null {
  const other = elsewhere(challenge, listed)
  return other && `asks on ${quote(other.asked)}, listed on ${quote(other.listed)}`
}

/**
 * In words, where the observed price, network or rail is not the listed one. Older entries of a verified route say nothing
 * against it. `quote` makes a stranger's words harmless in the text around them.
 */
export function priceDifference(route: RouteView, quote = asWritten): string | null {
  const { live, price, probeStatus } = route
  if (live === null || probeStatus === 'verified') return null
  const at = formatTimestamp(live.atUs)
  const other = probeStatus === 'differs' ? elsewhereWords(live.challenge, route, quote) : null
  const observed = observedPrice(route)
  const isOther = observed !== null && observed.price !== price
  if (other !== null && (price === null || !isOther)) return `The newest challenge (${at}) ${other}.`
  if (!isOther) return null
  const listed = price === null ? 'no price is listed' : `the listed price is ${formatPrice(price)}`
  return `Machine-observed price ${formatPrice(observed.price)} in the newest challenge (${at}); ${listed}.`
}

/** In words, where current rows disagree about the price. */
export const sourcesSay = ({ spread = null }: Partial<Pick<RouteView, 'spread'>>): string | null =>
  spread && `sources say ${formatPrice(spread.low)} to ${formatPrice(spread.high)}`

/** In words, where the newest challenge asks for what a row says that does not give the route its price. */
export function otherMatch({ matching }: Pick<RouteView, 'matching'>, quote = asWritten): string | null {
  if (matching === null) return null
  const { source, price, network } = matching
  return `The newest challenge asks for what ${quote(source)} says: ${priceText(price)} on ${networkText(network, quote)}.`
}

/** In words, of a row that its source does not name any more. */
export const goneWords = ({ goneUs }: Pick<Listing, 'goneUs'>): string | null =>
  typeof goneUs === 'number' ? `no longer named since the complete sweep of ${formatTimestamp(goneUs)}` : null

/** The exact rows, a line each, and under them what is said of them. */
export function listingText(rows: readonly Listing[]): string {
  let text = ''
  for (const row of rows) {
    text += text === '' ? listingLine(row) : `\n${listingLine(row)}`
    if (row.isMethodStated === false) text += '\n  its source names no method; GET is assumed'
    const gone = goneWords(row)
    if (gone !== null) text += `\n  ${gone}`
  }
  return text
}
