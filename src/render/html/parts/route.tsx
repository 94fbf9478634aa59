import { NO_DATA, orNoData } from '../../../domain/count.ts'
import type { SellerHost } from '../../../domain/host.ts'
import { CARD_CODE, cardLine, cardStatusLine, type Listing, listingLine } from '../../../domain/listing.ts'
import { classify, PROBE_HEADING, PROBE_NOTE, probeLine } from '../../../domain/probe.ts'
import { REVIEWS_HEADING } from '../../../domain/review.ts'
import type { ProbeView, RouteView } from '../../../views/host/host-view.ts'
import { goneWords, observedPrice, otherMatch, priceDifference, sourcesSay } from '../../observed.ts'
import { routeHref } from '../../site.ts'
import { counted, priceText } from '../../values.ts'
import { LISTINGS_HEADING } from '../../words.ts'
import { Reviews } from '../pages/review.tsx'
import { RESULT_CLASS } from './charts.tsx'
import { DescriptionPart } from './description.tsx'

interface RouteProps {
  readonly host: SellerHost
  readonly route: RouteView
}

export const Route = ({ host, route }: RouteProps) => (
  <article class="route">
    <Heading host={host} route={route} />
    <Facts route={route} />
    <Difference route={route} />
    <DescriptionPart descriptions={route.descriptions} />
    <Evidence host={host} route={route} />
  </article>
)

/** No space between the three spans: their text together is the exact card line. */
export const RouteCard = ({ host, route }: RouteProps) => (
  <article class="route">
    <Heading host={host} route={route} />
    <p class="cardline" data-line={cardLine(route.price, route.rail, route.network)}>
      <span>{`Price: ${priceText(route.price)}`}</span>
      <span>{`Rail: ${route.rail}`}</span>
      <span>{`Network: ${orNoData(route.network)}`}</span>
    </p>
    <p class="code">{CARD_CODE}</p>
    <p class="status">{cardStatusLine(route.probeStatus)}</p>
    <Disagreement route={route} />
    <Difference route={route} />
    <DescriptionPart descriptions={route.descriptions} />
    <details>
      <summary>
        {[
          counted(route.listings.length, 'listing row'),
          `${route.probesTotal} probe ${route.probesTotal === 1 ? 'entry' : 'entries'}`,
          counted(route.reviewsTotal, 'review'),
        ].join(', ')}
      </summary>
      <Evidence host={host} route={route} />
    </details>
  </article>
)

const Heading = ({ host, route }: RouteProps) => (
  <h3>
    <span class="method">{route.method}</span> <a href={routeHref(host, route)}>{route.address}</a>
  </h3>
)

/** What is listed, and beside it what was observed. */
export const Facts = ({ route }: { readonly route: RouteView }) => {
  const say = sourcesSay(route)
  const others = [
    ...(say === null ? [] : [say]),
    `Observed price ${priceText(observedPrice(route)?.price ?? null)}`,
    `Rail ${route.rail}`,
    `Network ${orNoData(route.network)}`,
    `Probe status ${route.probeStatus}`,
  ]
  return (
    <p class="facts">
      <b>{`Listed price ${priceText(route.price)}`}</b>
      {` · ${others.join(' · ')}`}
    </p>
  )
}

export const Difference = ({ route }: { readonly route: RouteView }) => {
  const words = [priceDifference(route), otherMatch(route)].filter((line) => line !== null)
  return words.length === 0 ? null : <p class="differs">{words.join(' ')}</p>
}

const Disagreement = ({ route }: { readonly route: RouteView }) => {
  const words = sourcesSay(route)
  return words === null ? null : <p class="cut">{words}</p>
}

const Evidence = ({ host, route }: RouteProps) => (
  <>
    <h4>{LISTINGS_HEADING}</h4>
    <ListingLines listings={route.listings} />
    <h4>{PROBE_HEADING}</h4>
    <p class="note">{PROBE_NOTE}</p>
    <ProbeLines probes={route.probes} />
    {route.probes.length < route.probesTotal && (
      <p class="cut">
        {`showing ${route.probes.length} of ${route.probesTotal}`} ·{' '}
        <a href={`${routeHref(host, route)}#entries`}>all entries</a>
      </p>
    )}
    <h4>{REVIEWS_HEADING}</h4>
    <Reviews reviews={route.reviews} />
    {route.reviews.length < route.reviewsTotal && (
      <p class="cut">
        {`showing ${route.reviews.length} of ${route.reviewsTotal}`} ·{' '}
        <a href={`${routeHref(host, route)}#reviews`}>more reviews</a>
      </p>
    )}
  </>
)

export const ListingLines = ({ listings }: { readonly listings: readonly Listing[] }) =>
  listings.length === 0 ? (
    <NoData />
  ) : (
    <ul class="lines">
      {listings.map((row) => (
        <li key={row.source}>
          {listingLine(row)}
          <Gone row={row} />
        </li>
      ))}
    </ul>
  )

/** Of a row that its source does not name any more: under the exact line. */
const Gone = ({ row }: { readonly row: Listing }) => {
  const words = goneWords(row)
  return words === null ? null : <div class="cut">{words}</div>
}

export const ProbeLines = ({ probes }: { readonly probes: readonly ProbeView[] }) =>
  probes.length === 0 ? (
    <NoData />
  ) : (
    <ol class="lines">
      {probes.map((probe) => (
        <li key={probe.atUs} class={RESULT_CLASS[classify(probe.httpStatus)]}>
          {probeLine(probe)}
        </li>
      ))}
    </ol>
  )

const NoData = () => <p class="none">{NO_DATA}</p>
