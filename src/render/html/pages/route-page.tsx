import { thousands } from '../../../domain/count.ts'
import { PROBE_HEADING, PROBE_NOTE } from '../../../domain/probe.ts'
import { REVIEWS_HEADING } from '../../../domain/review.ts'
import type { RoutePageView } from '../../../views/route/route-view.ts'
import { CALL_NOTE, callExample } from '../../examples/call-example.ts'
import { reviewExample } from '../../examples/review-example.ts'
import { LISTING_HISTORY_TITLE } from '../../listing-words.ts'
import { routeCheck, whyUnprobed } from '../../now/now-words.ts'
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
import { DESCRIPTIONS_HEADING, EXAMPLE_NOTE, keptSinceLine, LISTINGS_HEADING, PARTS, PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
import { PaidCalls } from '../parts/buyers/paid-calls.tsx'
import { SignedOffers } from '../parts/buyers/signed-offers.tsx'
import { Hatches } from '../parts/charts.tsx'
import { Descriptions } from '../parts/description.tsx'
import { NowLine } from '../parts/now.tsx'
import { Reviews } from '../parts/reviews.tsx'
import { Difference, Facts, isCut, ListingLines, ProbeLines, rowsText, SaidOfRoute } from '../parts/route.tsx'
import { WhyLink } from '../parts/why-link.tsx'
import { isRetired, Retired } from '../sellers/statements.tsx'
import { AskedPrices, Payees, Prices, Windows } from './route-figures.tsx'

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
