import { NO_DATA, orNoData } from '../../domain/count.ts'
import type { SellerHost } from '../../domain/host.ts'
import { CARD_CODE, cardLine, cardStatusLine, listingLine } from '../../domain/listing.ts'
import { classify, PROBE_HEADING, PROBE_NOTE, probeLine } from '../../domain/probe.ts'
import { REVIEWS_HEADING } from '../../domain/review.ts'
import type { RouteView } from '../../views/host-view.ts'
import { priceDifference } from '../observed.ts'
import { apiReviewsHref, routeProbesHref } from '../site.ts'
import { counted, priceText } from '../values.ts'
import { LISTINGS_HEADING } from '../words.ts'
import { RESULT_CLASS } from './bar.tsx'
import { Review } from './said.tsx'

interface RouteProps {
  readonly host: SellerHost
  readonly route: RouteView
}

export const Route = ({ host, route }: RouteProps) => (
  <article class="route">
    <Heading route={route} />
    <dl class="facts">
      <dt>Price</dt>
      <dd>{priceText(route.price)}</dd>
      <dt>Rail</dt>
      <dd>{route.rail}</dd>
      <dt>Network</dt>
      <dd>{orNoData(route.network)}</dd>
      <dt>Probe status</dt>
      <dd>{route.probeStatus}</dd>
    </dl>
    <Difference route={route} />
    <Evidence host={host} route={route} />
  </article>
)

/** No space between the three spans: their text together is the exact card line. */
export const RouteCard = ({ host, route }: RouteProps) => (
  <article class="route">
    <Heading route={route} />
    <p class="cardline" data-line={cardLine(route.price, route.rail, route.network)}>
      <span>{`Price: ${priceText(route.price)}`}</span>
      <span>{`Rail: ${route.rail}`}</span>
      <span>{`Network: ${orNoData(route.network)}`}</span>
    </p>
    <p class="code">{CARD_CODE}</p>
    <p class="status">{cardStatusLine(route.probeStatus)}</p>
    <Difference route={route} />
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

const Heading = ({ route }: { readonly route: RouteView }) => (
  <h3>
    <span class="method">{route.method}</span> <code>{route.address}</code>
  </h3>
)

const Difference = ({ route }: { readonly route: RouteView }) => {
  const words = priceDifference(route)
  return words === null ? null : <p class="differs">{words}</p>
}

const Evidence = ({ host, route }: RouteProps) => (
  <>
    <h4>{LISTINGS_HEADING}</h4>
    {route.listings.length === 0 ? (
      <NoData />
    ) : (
      <ul class="lines">
        {route.listings.map((row) => (
          <li key={row.source}>{listingLine(row)}</li>
        ))}
      </ul>
    )}
    <h4>{PROBE_HEADING}</h4>
    <p class="note">{PROBE_NOTE}</p>
    {route.probes.length === 0 ? (
      <NoData />
    ) : (
      <ol class="lines">
        {route.probes.map((probe) => (
          <li key={probe.atUs} class={RESULT_CLASS[classify(probe.httpStatus)]}>
            {probeLine(probe)}
          </li>
        ))}
      </ol>
    )}
    {route.probes.length < route.probesTotal && (
      <p class="cut">
        {`showing ${route.probes.length} of ${route.probesTotal}`} ·{' '}
        <a href={routeProbesHref(host, route)}>all entries as JSON</a>
      </p>
    )}
    <h4>{REVIEWS_HEADING}</h4>
    {route.reviews.length === 0 ? (
      <NoData />
    ) : (
      <ul>
        {route.reviews.map((review) => (
          <Review key={review.id} review={review} />
        ))}
      </ul>
    )}
    {route.reviews.length < route.reviewsTotal && (
      <p class="cut">
        {`showing ${route.reviews.length} of ${route.reviewsTotal}`} ·{' '}
        <a href={apiReviewsHref(host)}>all reviews of this host as JSON</a>
      </p>
    )}
  </>
)

const NoData = () => <p class="none">{NO_DATA}</p>
