import type { Listing } from './listing.ts'
import { networkKey } from './network.ts'
import type { MicroDollars } from './price.ts'
import type { ProbeStatus } from './probe.ts'
import type { Rail } from './route.ts'

/** One way to pay that a live 402 answer offered, as far as it could be read. */
export interface Offer {
  readonly rail: Rail
  /** As the seller wrote it. */
  readonly network: string | null
  /** `null` where the asset's decimals or dollar value are not known. */
  readonly price: MicroDollars | null
  readonly asset: string | null
  readonly payee: string | null
}

/** What a live 402 answer said: machine-observed evidence beside the entry, never changing its class. */
export interface Challenge {
  readonly offers: readonly Offer[]
  /** What does not conform, in a closed vocabulary of short codes. */
  readonly warnings: readonly string[]
}

/** The rows each source still stands by: those it was last seen saying. An older price of the same source is history. */
export function currentRows<L extends Listing>(rows: readonly L[]): L[] {
  const newest = new Map<string, number>()
  for (const row of rows) newest.set(row.source, Math.max(newest.get(row.source) ?? 0, row.lastUs))
  return rows.filter((row) => row.lastUs === newest.get(row.source))
}

/**
 * `verified` when some current row has the network and price of an offer on the route's rail, `differs` when none has,
 * `unverified` while there is nothing on one side to compare.
 */
export function probeStatusOf(rail: Rail, rows: readonly Listing[], challenge: Challenge | null): ProbeStatus {
  const offers = (challenge?.offers ?? []).filter((offer) => offer.price !== null && offer.network !== null)
  const listed = currentRows(rows).filter((row) => row.price !== null && row.network !== null)
  if (offers.length === 0 || listed.length === 0) return 'unverified'
  const same = (row: Listing, offer: Offer): boolean =>
    offer.rail === rail &&
    row.price === offer.price &&
    networkKey(row.network ?? '') === networkKey(offer.network ?? '')
  return listed.some((row) => offers.some((offer) => same(row, offer))) ? 'verified' : 'differs'
}
