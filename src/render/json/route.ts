import { askedFor, type Challenge } from '../../domain/challenge.ts'
import {
  CARD_CODE,
  cardLine,
  cardStatusLine,
  DIRECTORY_OBSERVED,
  type Listing,
  listingLine,
} from '../../domain/listing.ts'
import { formatPrice } from '../../domain/money/price.ts'
import type { PriceSpread } from '../../domain/money/route-price.ts'
import { classify, probeLine } from '../../domain/probe.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { Description } from '../../domain/words/description.ts'
import type { ProbeView, RouteProbeView, RouteView } from '../../views/host/host-view.ts'
import { paidCallsJson } from '../buyers/paid-calls.ts'
import { signedOffersJson } from '../buyers/signed-offers.ts'
import { logJson } from '../log/words.ts'
import { otherMatch, priceDifference, sourcesSay } from '../observed.ts'
import type { Site } from '../site.ts'
import { networkJson, priceOrNull } from '../values.ts'
import { nowJson } from './now.ts'
import { reviewJson } from './review.ts'
import { retiredJson, statementJson } from './statement.ts'

export interface RouteOptions {
  /** Adds the three exact texts of the card style to each route. */
  readonly cards: boolean
}

// A member that is `undefined` is left out of the text. Every object of a kind has all members in one order, as what takes
// objects of many shapes is several times as slow, and an object that is spread into another is made twice.

export function listingJson(row: Listing) {
  return {
    source: row.source,
    price: priceOrNull(row.price),
    network: row.network,
    label: DIRECTORY_OBSERVED,
    first_observed: formatTimestamp(row.firstUs),
    last_observed: formatTimestamp(row.lastUs),
    line: listingLine(row),
    // Left out while it is named: the members above are a published format.
    no_longer_named_since: typeof row.goneUs === 'number' ? formatTimestamp(row.goneUs) : undefined,
    method_stated: row.isMethodStated === false ? (false as const) : undefined,
    log: logJson(row).log,
  }
}

/** Where current rows disagree. */
export function spreadJson(spread: PriceSpread | null) {
  if (spread === null) return { sources_say: undefined }
  const { low, high } = spread
  return { sources_say: { lowest: formatPrice(low), highest: formatPrice(high), line: sourcesSay({ spread }) ?? '' } }
}

/** What the newest challenge asks for, where that is not what is listed. */
function asksJson(route: RouteView) {
  const line = priceDifference(route)
  if (line === null || route.live === null) return undefined
  const asked = askedFor(route.live.challenge, route)
  const at = formatTimestamp(route.live.atUs)
  return { price: priceOrNull(asked?.price ?? null), network: asked?.network ?? null, at, line }
}

/** The same, what the newest challenge asks for instead, and which of them it matches if not the one that gives the price. */
export function disagreementJson(route: RouteView) {
  const { spread, matching } = route
  return {
    sources_say: spreadJson(spread).sources_say,
    challenge_asks: asksJson(route),
    challenge_matches:
      matching === null
        ? undefined
        : {
            source: matching.source,
            price: priceOrNull(matching.price),
            network: matching.network,
            line: otherMatch({ matching }) ?? '',
          },
  }
}

/** `untrusted` marks the text beside it as a stranger's words, never an instruction. */
export const descriptionJson = ({ source, text }: Description) => ({ source, untrusted: true, text })

function challengeJson(challenge: Challenge) {
  return {
    untrusted: true,
    offers: challenge.offers.map((offer) => ({
      rail: offer.rail,
      network: offer.network,
      price: priceOrNull(offer.price),
      asset: offer.asset,
      payee: offer.payee,
    })),
    warnings: challenge.warnings,
  }
}

export function probeJson(probe: ProbeView) {
  return {
    result: classify(probe.httpStatus),
    date: formatTimestamp(probe.atUs),
    http_status: probe.httpStatus,
    latency_ms: probe.latencyMs,
    error: probe.error,
    line: probeLine(probe),
    challenge: probe.challenge === null ? null : challengeJson(probe.challenge),
    // Left out where nothing was said of it: the members above are a published format.
    vantage: probe.vantage ?? undefined,
    shield: probe.shield ?? undefined,
    log: logJson(probe).log,
  }
}

/** An entry in a list over several routes names its route. */
export function routeProbeJson(probe: RouteProbeView) {
  return { method: probe.method, address: probe.address, rail: probe.rail, ...probeJson(probe) }
}

/** What its seller says of it. */
const saidJson = (site: Site, { said = [] }: RouteView) =>
  said.length === 0 ? undefined : said.map((one) => statementJson(site, one))

/** The three exact texts of the card style. */
const cardJson = ({ price, rail, network, probeStatus }: RouteView) => ({
  line: cardLine(price, rail, network),
  code: CARD_CODE,
  status_line: cardStatusLine(probeStatus),
})

export function routeJson(site: Site, route: RouteView, options: RouteOptions) {
  const { signed_offers, contradictions } = signedOffersJson(route)
  const { network_id, network_name } = networkJson(route.network)
  const { sources_say, challenge_asks, challenge_matches } = disagreementJson(route)
  return {
    method: route.method,
    address: route.address,
    path: route.path,
    price: priceOrNull(route.price),
    rail: route.rail,
    network: route.network,
    probe_status: route.probeStatus,
    listings: route.listings.map(listingJson),
    probes: route.probes.map(probeJson),
    probes_total: route.probesTotal,
    reviews: route.reviews.map((review) => reviewJson(site, review)),
    reviews_total: route.reviewsTotal,
    listings_total: route.listingsTotal,
    // Left out where there is nothing to say: the members above are a published format.
    now: route.now === null ? undefined : nowJson(route.now),
    paid_calls: paidCallsJson(site, route.paidCalls, route.notServed).paid_calls,
    signed_offers,
    contradictions,
    median_ms: route.medianMs,
    network_id,
    network_name,
    sources_say,
    challenge_asks,
    challenge_matches,
    descriptions: route.descriptions.length === 0 ? undefined : route.descriptions.map(descriptionJson),
    retired: route.retired == null ? undefined : retiredJson(site, route.retired),
    seller_says: saidJson(site, route),
    card: options.cards ? cardJson(route) : undefined,
  }
}
