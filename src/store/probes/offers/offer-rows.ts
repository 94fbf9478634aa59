import { type RawBuilder, sql } from 'kysely'
import { sha256Hex } from '../../../domain/keys.ts'
import type { SeenOffer } from '../../../domain/offers/seen-offer.ts'
import type { SignedOffer } from '../../../domain/offers/signed-offer.ts'
import { writtenOffer } from '../../../wire/offers/read-offers.ts'
import type { SignedOfferTable } from '../../schema.ts'
import { readJson } from '../../sql/json.ts'
import { logIndexOf } from '../../sql/log-index.ts'

/** Of one route; older ones go. A seller of the stock kit signs anew for everybody who asks. */
export const MOST_KEPT = 20

/** The same offer is one row, however often it is seen. */
export const offerId = (offer: SignedOffer): string => sha256Hex(JSON.stringify(writtenOffer(offer)))

export interface OfferRow extends Pick<SignedOfferTable, 'body' | 'found' | 'first_us' | 'last_us'> {
  readonly log_index?: number | null
}

export const seenOfferOf = (row: OfferRow): SeenOffer => ({
  offer: readJson(row.body),
  check: readJson(row.found),
  firstUs: row.first_us,
  lastUs: row.last_us,
  logIndex: row.log_index ?? undefined,
})

export const OFFER_COLUMNS = {
  body: 'value',
  found: 'value',
  first_us: 'value',
  last_us: 'value',
  log_index: 'value',
} as const

/** Inside a list of routes: the newest of the route at hand. */
export const offersOf = (ofRoute: RawBuilder<unknown>, limit: number): RawBuilder<unknown> =>
  sql`select o.body, o.found, o.first_us, o.last_us, ${logIndexOf('o.log_id')} as log_index from signed_offers as o where ${ofRoute}
    order by o.last_us desc, o.offer_id limit ${limit}`
