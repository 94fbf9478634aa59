import type { SellerHost } from '../../../domain/host.ts'
import { addressOf, type Scheme } from '../../../domain/route.ts'
import type { HostView } from '../../../views/host/host-view.ts'
import { badgeSnippet, CLAIM_NOTE } from '../../sellers/seller-words.ts'
import { sellerCommands } from '../../sellers/statement-words.ts'
import {
  badgeHref,
  hostEventsHref,
  hostFeedHref,
  hostStatementsHref,
  listingHistoryHref,
  policyHref,
  probingHref,
  type Site,
  sellersHref,
  whyHref,
} from '../../site.ts'
import { once } from '../jsx/jsx-runtime.ts'

interface FollowProps {
  readonly host: SellerHost
  readonly routes: HostView['routes']
}

/** Whoever lists no address with https may have nothing there. */
const schemeOf = (routes: HostView['routes']): Scheme =>
  routes.length > 0 && routes.every(({ scheme }) => scheme === 'http') ? 'http' : 'https'

/** How to hear of changes, and where the seller itself is. */
export const Follow = ({ host, routes }: FollowProps) => (
  <p class="follow">
    {'Follow: '}
    <a href={hostFeedHref(host)}>Feed</a>
    <a href={hostEventsHref(host)}>Events</a>
    <a href={badgeHref(host)}>
      <img src={badgeHref(host)} alt={`Badge of ${host}`} height="20" />
    </a>
    <a href={addressOf(schemeOf(routes), host, '/')} rel="nofollow noreferrer">
      The seller’s own site
    </a>
  </p>
)

interface ForSellersProps {
  readonly site: Site
  readonly view: Pick<HostView, 'host' | 'routes' | 'seller'>
}

/** What whoever runs the host should know, on its own page. */
export const ForSellers = ({ site, view }: ForSellersProps) => {
  const { host, seller } = view
  const sources = sourcesOf(view)
  return (
    <details id="sellers">
      <summary>For sellers: why this is listed, how to claim it, answer and correct it, the badge</summary>
      <p class="small">
        <b>Why this is here. </b>
        {sources.length === 0
          ? 'Listing sources named this host: '
          : `Named by ${sources.join(', ')}. Nobody is asked and nobody pays to be listed: `}
        <a href={listingHistoryHref(host)}>who lists it, since when, and what was refused</a>
        {' · '}
        <a href={whyHref(host)}>why a route is missing, or is not probed</a>
      </p>
      <p class="small">
        <b>{seller.claims.length === 0 ? 'Claim it, then answer. ' : 'Answer, correct, retire. '}</b>
        {CLAIM_NOTE}
      </p>
      <pre>{sellerCommands(site, host).join('\n')}</pre>
      <p class="small">
        <a href={hostStatementsHref(host)}>Everything that the seller said</a>
        {' · '}
        <a href={sellersHref}>more for sellers</a>
      </p>
      <p class="small">Badge, as Markdown.</p>
      <pre>{badgeSnippet(site, host)}</pre>
      <StopProbes />
    </details>
  )
}

const StopProbes = once(() => (
  <p class="small">
    <b>Stop the probes, or reach the operator. </b>
    {'A rule for our user agent in your robots.txt stops the probes within a day: '}
    <a href={probingHref}>who asks, and how</a>
    {' · '}
    <a href={policyHref}>who runs this directory, and how to reach them</a>
  </p>
))

/** Those that still name one of the routes that are shown; the listing history has all. */
function sourcesOf({ routes }: ForSellersProps['view']): string[] {
  const sources = new Set<string>()
  for (const { listings } of routes)
    for (const { source, goneUs = null } of listings) if (goneUs === null) sources.add(source)
  return [...sources].toSorted().slice(0, MOST_SOURCES)
}

const MOST_SOURCES = 8
