import { NO_DATA, orNoData, thousands } from '../../../domain/count.ts'
import type { SellerHost } from '../../../domain/host.ts'
import { CARD_CODE, cardLine, cardStatusLine, type Listing } from '../../../domain/listing.ts'
import { PROBE_HEADING, PROBE_NOTE } from '../../../domain/probe.ts'
import { REVIEWS_HEADING } from '../../../domain/review.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import type { ProbeView, RouteView } from '../../../views/host/host-view.ts'
import { AllInLog } from '../../log/in-log.tsx'
import { entriesText } from '../../now/entry-lines.ts'
import { neverProbed, routeCheck, whyUnprobed } from '../../now/now-words.ts'
import { challengeFaults, listingText, observedPrice, otherMatch, priceDifference, sourcesSay } from '../../observed.ts'
import { routeHref } from '../../site.ts'
import { counted, networkText, priceText } from '../../values.ts'
import { LISTINGS_HEADING } from '../../words.ts'
import { isRetired, Retired, SellerSays } from '../sellers/statements.tsx'
import { PaidCalls } from './buyers/paid-calls.tsx'
import { SignedOffers } from './buyers/signed-offers.tsx'
import { DescriptionPart } from './description.tsx'
import { NowMark } from './now.tsx'
import { Reviews } from './reviews.tsx'

interface RouteProps {
  readonly host: SellerHost
  readonly route: RouteView
  readonly nowUs: TimestampUs
}

/** Everything that a host view says of one route. Few elements: there may be fifty of them. The table above has the links. */
export const Route = ({ host, route, nowUs }: RouteProps) => (
  <>
    <h3>{`${route.method} ${route.address} · ${route.rail}`}</h3>
    <p class="facts">{`Listed price ${priceText(route.price)} · ${factsOf(route)} · ${shownText(route)}`}</p>
    <Retired retired={route.retired} />
    <Difference route={route} />
    <DescriptionPart descriptions={route.descriptions} />
    <Evidence host={host} route={route} nowUs={nowUs} />
  </>
)

/** Whether there are more listing rows than are shown. */
export const isCut = ({ listings, listingsTotal }: RouteView): boolean => listings.length < listingsTotal

export function rowsText(route: RouteView): string {
  const total = counted(route.listingsTotal, 'listing row')
  return isCut(route) ? `showing ${route.listings.length} of ${total}` : total
}

/** How much of a route's evidence is shown; its own page has all of it. */
function shownText(route: RouteView): string {
  const { probes, probesTotal, reviews, reviewsTotal } = route
  const why = whyUnprobed(route)
  const said = reviewsTotal === 0 ? '' : `${reviews.length} of ${counted(reviewsTotal, 'review')}`
  if (why !== undefined) return said === '' ? neverProbed(why) : `${neverProbed(why)} · showing ${said}`
  const entries = `showing ${probes.length} of ${thousands(probesTotal)} probe ${probesTotal === 1 ? 'entry' : 'entries'}`
  return said === '' ? entries : `${entries} and ${said}`
}

/** No space between the three spans: their text together is the exact card line. */
export const RouteCard = ({ host, route, nowUs }: RouteProps) => (
  <article class="route">
    <Heading host={host} route={route} />
    <p class="cardline" data-line={cardLine(route.price, route.rail, route.network)}>
      <span>{`Price: ${priceText(route.price)}`}</span>
      <span>{`Rail: ${route.rail}`}</span>
      <span>{`Network: ${orNoData(route.network)}`}</span>
    </p>
    <p class="code">{CARD_CODE}</p>
    <p class="status">{cardStatusLine(route.probeStatus)}</p>
    <p class="small">
      <NowMark now={route.now} nowUs={nowUs} isRetired={isRetired(route)} />
      {` · price check: ${routeCheck(route)}`}
    </p>
    <Disagreement route={route} />
    <Retired retired={route.retired} />
    <Difference route={route} />
    <DescriptionPart descriptions={route.descriptions} />
    <details>
      <summary>{[rowsText(route), shownText(route)].join(', ')}</summary>
      <Evidence host={host} route={route} nowUs={nowUs} />
    </details>
  </article>
)

const Heading = ({ host, route }: Pick<RouteProps, 'host' | 'route'>) => (
  <h3>
    <a href={routeHref(host, route)}>{`${route.method} ${route.address}`}</a>
  </h3>
)

/** What is listed, and beside it what was observed. */
export const Facts = ({ route }: { readonly route: RouteView }) => (
  <p class="facts">
    <b>{`Listed price ${priceText(route.price)}`}</b>
    {` · ${factsOf(route)}`}
  </p>
)

function factsOf(route: RouteView): string {
  const say = sourcesSay(route)
  const observed = priceText(observedPrice(route)?.price ?? null)
  return `${say === null ? '' : `${say} · `}Observed price ${observed} · Rail ${route.rail} · Network ${networkText(route.network)} · Probe status ${route.probeStatus}`
}

/** What a buyer should know before paying: another price than listed, and what is wrong with the challenge. */
export const Difference = ({ route }: { readonly route: RouteView }) => {
  const words = [
    priceDifference(route),
    otherMatch(route),
    ...challengeFaults(route).map((fault) => `Fault in the newest challenge: ${fault}`),
  ].filter((line) => line !== null)
  return words.length === 0 ? null : <p class="differs">{words.join(' ')}</p>
}

const Disagreement = ({ route }: { readonly route: RouteView }) => {
  const words = sourcesSay(route)
  return words === null ? null : <p class="cut">{words}</p>
}

// What stands once for each route, and is the same for all.
const LISTINGS = <h4>{LISTINGS_HEADING}</h4>
const PROBES = (
  <>
    <h4>{PROBE_HEADING}</h4>
    <p class="note">{PROBE_NOTE}</p>
  </>
)
const REVIEWS = <h4>{REVIEWS_HEADING}</h4>
const NOTHING = <p class="none">{NO_DATA}</p>

const Evidence = ({ host, route, nowUs }: RouteProps) => (
  <>
    {LISTINGS}
    <ListingLines listings={route.listings} />
    {isCut(route) && (
      <p class="cut">
        {`${rowsText(route)} ·`} <a href={`${routeHref(host, route)}#listings`}>more rows</a>
      </p>
    )}
    <SaidOfRoute route={route} />
    {PROBES}
    <ProbeText probes={route.probes} />
    <SignedOffers route={route} heading="h4" />
    {REVIEWS}
    <PaidCalls calls={route.paidCalls} notServed={route.notServed} />
    <Reviews reviews={route.reviews} nowUs={nowUs} />
  </>
)

/** What its seller says of it, beside the rows that it may dispute. */
export const SaidOfRoute = ({ route }: { readonly route: RouteView }) => (
  <>
    {(route.said ?? []).map((statement) => (
      <SellerSays key={statement.id} statement={statement} isNamed={true} />
    ))}
  </>
)

/** The exact rows, a line each, and what is said under them. */
export const ListingLines = ({ listings }: { readonly listings: readonly Listing[] }) =>
  listings.length === 0 ? <NoData /> : <pre class="lines">{listingText(listings)}</pre>

/** The exact entries, a line each. */
const ProbeText = ({ probes }: { readonly probes: readonly ProbeView[] }) =>
  probes.length === 0 ? <NoData /> : <pre class="lines">{entriesText(probes)}</pre>

/** The same with where each is in the log. */
export const ProbeLines = ({
  probes,
  why,
}: {
  readonly probes: readonly ProbeView[]
  readonly why?: string | undefined
}) =>
  probes.length === 0 ? (
    <NoData why={why} />
  ) : (
    <>
      <ProbeText probes={probes} />
      <AllInLog of={probes} />
    </>
  )

/** What is not known, and if that can be said, why. */
const NoData = ({ why }: { readonly why?: string | undefined }) => (
  <>
    {NOTHING}
    {why !== undefined && (
      <details class="why">
        <summary>Why</summary>
        <p class="small">{neverProbed(why)}</p>
      </details>
    )}
  </>
)
