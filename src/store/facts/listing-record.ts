import { sha256Hex } from '../../domain/keys.ts'
import { DIRECTORY_OBSERVED, type Listing } from '../../domain/listing.ts'
import { formatPrice } from '../../domain/money/price.ts'
import { addressOf } from '../../domain/route.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { LoggedRecord } from '../../wire/log/logged-record.ts'
import type { RouteRef } from '../hosts/route-ref.ts'

/** What the log says of a listing row. */
export const listingRecord = (
  listing: RouteRef & Listing & { readonly description?: string | null | undefined },
): LoggedRecord => ({
  kind: 'listing',
  source: listing.source,
  method: listing.method,
  url: addressOf(listing.scheme, listing.host, listing.path),
  rail: listing.rail,
  price: listing.price === null ? null : formatPrice(listing.price),
  network: listing.network,
  label: DIRECTORY_OBSERVED,
  first_observed: formatTimestamp(listing.firstUs),
  last_observed: formatTimestamp(listing.lastUs),
  ...(typeof listing.goneUs === 'number' ? { no_longer_named_since: formatTimestamp(listing.goneUs) } : {}),
  ...(listing.isOneOfSeveral === true ? { one_of_several: true as const } : {}),
  ...(typeof listing.description === 'string' ? { description_sha256: sha256Hex(listing.description) } : {}),
})
