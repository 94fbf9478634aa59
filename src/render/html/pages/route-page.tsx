import { NO_DATA, thousands } from '../../../domain/count.ts'
import { type Listing, listingLine } from '../../../domain/listing.ts'
import { formatPrice } from '../../../domain/money/price.ts'
import { PROBE_HEADING, PROBE_NOTE } from '../../../domain/probe.ts'
import { REVIEWS_HEADING } from '../../../domain/review.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import type { RoutePageView } from '../../../views/route/route-view.ts'
import { ASKED_HEADING, askedCut, askedNote, NOTHING_ASKED, networkShort, shownAsked } from '../../asked-prices.ts'
import { PAYEES_HEADING, payeeLine, payeesRoomLines, shownPayees } from '../../buyers/payees.ts'
import { CALL_NOTE, callExample } from '../../examples/call-example.ts'
import { reviewExample } from '../../examples/review-example.ts'
import { LISTING_HISTORY_TITLE } from '../../listing-words.ts'
import { requestedLine, routeCheck, whyUnprobed } from '../../now/now-words.ts'
import {
  fullAddress,
  hostHref,
  hostPictureHref,
  hostProbesHref,
  hostReviewsHref,
  listingHistoryHref,
  routeHref,
  type Site,
} from '../../site.ts'
import { priceSteps } from '../../svg/price-steps.ts'
import { counted, minuteText, networkText, priceText } from '../../values.ts'
import { DESCRIPTIONS_HEADING, EXAMPLE_NOTE, keptSinceLine, LISTINGS_HEADING, PARTS, PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
import { PaidCalls } from '../parts/buyers/paid-calls.tsx'
import { SignedOffers } from '../parts/buyers/signed-offers.tsx'
import { Hatches, lookOf, PriceLines } from '../parts/charts.tsx'
import { Descriptions } from '../parts/description.tsx'
import { Days } from '../parts/history.tsx'
import { NowLine } from '../parts/now.tsx'
import { Reviews } from '../parts/reviews.tsx'
import { Difference, Facts, isCut, ListingLines, ProbeLines, rowsText, SaidOfRoute } from '../parts/route.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { WhyLink } from '../parts/why-link.tsx'
import { isRetired, Retired } from '../sellers/statements.tsx'

export interface RoutePageOptions {
  /** Where the shown part of the entries starts; `null` at its beginning. */
  readonly cursor: string | null
}

interface PartProps {
  readonly view: RoutePageView
}

/** Everything about one route: its facts, its listed prices over time, all its entries, its reviews. */
export function routePage(site: Site, view: RoutePageView, options: RoutePageOptions): string {
  const { host, route } = view
  const name = `${route.method} ${route.path === '' ? '/' : route.path}`
  return page({
    site,
    title: `${name} · ${host} · ${PRODUCT}`,
    description: `${name} at ${host}: listed and observed price, probe entries and reviews of one route.`,
    canonical: fullAddress(site, routeHref(host, route)),
    picture: fullAddress(site, hostPictureHref(host)),
    alternates: [
      { type: 'text/markdown', name: 'This route as Markdown', href: routeHref(host, route, { format: 'md' }) },
      { type: 'application/json', name: 'This route as JSON', href: routeHref(host, route, { format: 'json' }) },
    ],
    children: (
      <>
        <Hatches />
        <header>
          <p class="eyebrow">
            Route of <a href={hostHref(host)}>{host}</a>
          </p>
          <h1>{name}</h1>
          <p class="exact">{route.address}</p>
          <NowLine now={route.now} nowUs={view.nowUs} why={whyUnprobed(route)} isRetired={isRetired(route)} />
          <p class="checkline">
            {'Price check: '}
            <b class={`check ${route.probeStatus}`}>{routeCheck(route)}</b>
          </p>
          <Facts route={route} />
          <Retired retired={route.retired} />
          <Difference route={route} />
        </header>
        <Windows view={view} />
        <Prices view={view} />
        <AskedPrices view={view} />
        <Payees view={view} />
        <section id="listings">
          <h2>{LISTINGS_HEADING}</h2>
          <ListingLines listings={route.listings} />
          {isCut(route) && <p class="cut">{rowsText(route)}</p>}
          <SaidOfRoute route={route} />
          <p class="small">
            <a href={listingHistoryHref(host)}>{LISTING_HISTORY_TITLE}</a>
          </p>
          <WhyLink host={host} path={route.path} />
        </section>
        {route.descriptions.length > 0 && (
          <section id="descriptions">
            <h2>{DESCRIPTIONS_HEADING}</h2>
            <Descriptions descriptions={route.descriptions} />
          </section>
        )}
        <Entries view={view} options={options} />
        {route.signedOffers.length > 0 && (
          <section id="offers">
            <SignedOffers route={route} heading="h2" />
          </section>
        )}
        <section id="reviews">
          <h2>{REVIEWS_HEADING}</h2>
          <PaidCalls calls={route.paidCalls} notServed={route.notServed} />
          <Reviews reviews={route.reviews} nowUs={view.nowUs} heading="h3" />
          {route.reviews.length < route.reviewsTotal && (
            <p class="cut">
              {`showing ${route.reviews.length} of ${route.reviewsTotal}`} ·{' '}
              <a href={hostReviewsHref(host)}>all reviews of this host</a>
            </p>
          )}
        </section>
        <section id="call">
          <h2>Call it yourself</h2>
          <p class="small soft">{CALL_NOTE}</p>
          <pre>
            <code>{callExample(route)}</code>
          </pre>
        </section>
        <section id="example">
          <h2>{PARTS.example}</h2>
          <p class="small soft">{EXAMPLE_NOTE}</p>
          <pre>
            <code>{reviewExample(site, { host, routes: [route] }).curl}</code>
          </pre>
        </section>
      </>
    ),
  })
}

/** The last day, week and month of this route, and sixty days one by one. */
const Windows = ({ view }: PartProps) => (
  <section id="windows">
    <h2>How it answers</h2>
    <div class="panel">
      <Days view={view} />
    </div>
    <TableBox name="How it answers">
      <table>
        <caption>Exact over every probe entry since then; p95 is the latency that 95 of 100 do not exceed</caption>
        <thead>
          <tr>
            <th scope="col">Last</th>
            <th scope="col">Requests for payment</th>
            <th scope="col" class="num">
              Median
            </th>
            <th scope="col" class="num">
              p95
            </th>
          </tr>
        </thead>
        <tbody>
          {view.windows.map(({ name, results, latency }) => (
            <tr key={name}>
              <th scope="row" class="tight">
                {name}
              </th>
              <td>{requestedLine(results)}</td>
              <td class="num tight">{latency === null ? 'no data' : `${thousands(latency.medianMs)} ms`}</td>
              <td class="num tight">{latency === null ? 'no data' : `${thousands(latency.p95Ms)} ms`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  </section>
)

const Prices = ({ view: { route } }: PartProps) => {
  const steps = priceSteps(route.listings)
  return (
    <section id="prices">
      <h2>Listed price over time</h2>
      {steps === null ? (
        <p class="panel">No listing source states a price in dollars.</p>
      ) : (
        <div class="panel">
          <p class="axis">
            <span>{`${formatPrice(steps.highest)} dollars at the top, 0 at the foot`}</span>
          </p>
          <PriceLines
            steps={steps}
            label={`Listed prices of ${counted(steps.series.length, 'source')} from 0 to ${formatPrice(steps.highest)} dollars; the table has every row`}
          />
          <p class="axis">
            <span>{minuteText(steps.fromUs)}</span>
            <span>{minuteText(steps.toUs)}</span>
          </p>
          <ul class="keys">
            {steps.series.map(({ source }, index) => (
              <li key={source} class={lookOf(index)}>
                {source}
              </li>
            ))}
          </ul>
        </div>
      )}
      {route.listings.length > 0 && <PriceTable listings={route.listings} />}
    </section>
  )
}

const PriceTable = ({ listings }: { readonly listings: readonly Listing[] }) => (
  <TableBox name="Listed prices">
    <table>
      <caption>Newest first; times are UTC</caption>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col" class="num">
            Price
          </th>
          <th scope="col">Network</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {listings.map((row) => (
          <tr key={listingLine(row)}>
            <th scope="row" class="whole">
              {row.source}
            </th>
            <td class="num">{priceText(row.price)}</td>
            <td>{networkText(row.network)}</td>
            <td>
              <Minute us={row.firstUs} />
            </td>
            <td>
              <Minute us={row.lastUs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableBox>
)

/** Observed, and so apart from what sources list. */
const AskedPrices = ({ view: { asked } }: PartProps) => {
  const cut = askedCut(asked)
  return (
    <section id="observed">
      <h2>{ASKED_HEADING}</h2>
      {asked.prices.length === 0 ? (
        <p class="panel">{NOTHING_ASKED}</p>
      ) : (
        <>
          <p class="small soft">{askedNote(asked)}</p>
          <TableBox name="Observed prices">
            <table>
              <caption>Last seen first; times are UTC</caption>
              <thead>
                <tr>
                  <th scope="col" class="num">
                    Price
                  </th>
                  <th scope="col">Network</th>
                  <th scope="col" class="num">
                    Answers
                  </th>
                  <th scope="col">First</th>
                  <th scope="col">Last</th>
                </tr>
              </thead>
              <tbody>
                {shownAsked(asked).map(({ price, network, entries, firstUs, lastUs }) => (
                  <tr>
                    <th scope="row" class="num">
                      {priceText(price)}
                    </th>
                    <td>{networkShort(network)}</td>
                    <td class="num">{thousands(entries)}</td>
                    <td>
                      <Minute us={firstUs} />
                    </td>
                    <td>
                      <Minute us={lastUs} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableBox>
          {cut !== null && <p class="cut">{cut}</p>}
        </>
      )}
    </section>
  )
}

/** Which wallets get the money. */
const Payees = ({ view: { payees, payeesTotal } }: PartProps) => {
  const shown = shownPayees(payees)
  return (
    <section id="payees">
      <h2>{PAYEES_HEADING}</h2>
      <p class="small soft">
        Who was named to be paid for a call, newest first: in live challenges, or by listing sources.
      </p>
      {payeesTotal === 0 ? <p class="none">{NO_DATA}</p> : <pre class="lines">{shown.map(payeeLine).join('\n')}</pre>}
      {shown.length < payeesTotal && <p class="cut">{`showing ${shown.length} of ${thousands(payeesTotal)}`}</p>}
      {payeesRoomLines(payeesTotal).map((line) => (
        <p class="cut">{line}</p>
      ))}
    </section>
  )
}

/** A moment that breaks between day and time alone. */
const Minute = ({ us }: { readonly us: TimestampUs }) => {
  const [day, time] = minuteText(us).split(' ')
  return (
    <>
      <span class="num">{day}</span> <span class="num">{time}</span>
    </>
  )
}

const Entries = ({ view, options }: PartProps & { readonly options: RoutePageOptions }) => {
  const { host, route, nextProbes, keptSinceUs } = view
  return (
    <section id="entries">
      <h2>{PROBE_HEADING}</h2>
      <p class="small soft">{PROBE_NOTE}</p>
      <ProbeLines probes={route.probes} why={whyUnprobed(route)} />
      {keptSinceUs !== null && <p class="cut">{keptSinceLine(keptSinceUs)}</p>}
      {route.probes.length < route.probesTotal && (
        <p class="cut">
          {`showing ${route.probes.length} of ${thousands(route.probesTotal)}`} ·{' '}
          <a href={hostProbesHref(host, { method: route.method, path: route.path, rail: route.rail })}>
            all entries, runs of one class folded
          </a>
        </p>
      )}
      {(options.cursor !== null || nextProbes !== null) && (
        <p class="next">
          {options.cursor !== null && <a href={`${routeHref(host, route)}#entries`}>Newest entries</a>}
          {nextProbes !== null && (
            <a rel="next" href={`${routeHref(host, route, { cursor: nextProbes })}#entries`}>
              Older entries
            </a>
          )}
        </p>
      )}
    </section>
  )
}
