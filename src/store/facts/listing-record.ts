import { sha256Hex } from '../../domain/keys.ts'
import { DIRECTORY_OBSERVED, type Listing } from '../../domain/listing.ts'
import { formatPrice } from '../../domain/money/price.ts'
import { addressOf } from '../../domain/route.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { RouteRef } from '../hosts/route-ref.ts'

type LoggedListing = RouteRef & Listing & { readonly description?: string | null | undefined }
/** Of a row that is to be stored: when its source named it, what is said of it at once joined. */
type Seen = Pick<Listing, 'firstUs' | 'lastUs'> & { readonly goneUs?: number | null | undefined }

const time = (us: number): string => `"${formatTimestamp(us)}"`

/** What the log says of a listing row, in canonical form. There are many of them, so they are written member by member. */
export function listingText(listing: LoggedListing, { firstUs, lastUs, goneUs }: Seen = listing): string {
  const { source, method, scheme, host, path, rail, price, network, description } = listing
  const words = typeof description === 'string' ? `"description_sha256":"${sha256Hex(description)}",` : ''
  const gone = typeof goneUs === 'number' ? `,"no_longer_named_since":${time(goneUs)}` : ''
  const several = listing.isOneOfSeveral === true ? ',"one_of_several":true' : ''
  const named = `"first_observed":${time(firstUs)},"kind":"listing","label":"${DIRECTORY_OBSERVED}","last_observed":${time(lastUs)}`
  const asked = `"method":"${method}","network":${JSON.stringify(network)}${gone}${several}`
  const priced = `"price":${price === null ? null : `"${formatPrice(price)}"`},"rail":"${rail}"`
  const where = `"source":${JSON.stringify(source)},"url":${JSON.stringify(addressOf(scheme, host, path))}`
  return `{${words}${named},${asked},${priced},${where}}`
}
