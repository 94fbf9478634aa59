import type { SellerHost } from '../../../domain/host.ts'
import { addressOf } from '../../../domain/route.ts'
import { badgeSnippet } from '../../seller-words.ts'
import {
  badgeHref,
  hostEventsHref,
  hostFeedHref,
  listingHistoryHref,
  type Site,
  sellersHref,
  whyHref,
} from '../../site.ts'

interface FollowProps {
  readonly site: Site
  readonly host: SellerHost
}

/** How to hear of changes, and where the seller itself is. */
export const Follow = ({ host }: FollowProps) => (
  <p class="follow">
    {'Follow: '}
    <a href={hostFeedHref(host)}>Feed</a>
    <a href={hostEventsHref(host)}>Events</a>
    <a href={badgeHref(host)}>
      <img src={badgeHref(host)} alt={`Badge of ${host}`} height="20" />
    </a>
    <a href={addressOf('https', host, '/')} rel="nofollow noreferrer">
      The seller’s own site
    </a>
  </p>
)

/** What whoever runs the host should know, on its own page. */
export const ForSellers = ({ site, host }: FollowProps) => (
  <details id="sellers">
    <summary>For sellers: why this is listed, how to correct it, the badge</summary>
    <p class="small">
      {'Listing sources named this host: '}
      <a href={listingHistoryHref(host)}>which ones, since when, and what was refused</a>
      {'. '}
      <a href={whyHref(host)}>Why a route is missing, or is not probed</a>
      {
        '. Correct a price, a path or a description where it comes from, at the listing source or in your own document; the next sweep takes it over. '
      }
      <a href={sellersHref}>More for sellers</a>
    </p>
    <pre>
      <code>{badgeSnippet(site, host)}</code>
    </pre>
  </details>
)
