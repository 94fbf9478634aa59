import { sql } from 'kysely'
import { offerKeyRecord, offerRecord } from '../../wire/offers/records.ts'
import type { WrittenRecord } from '../../wire/records.ts'
import { keyOf } from '../probes/offers/keys.ts'
import { seenOfferOf } from '../probes/offers/offer-rows.ts'
import type { OfferKeyTable, Reader, SignedOfferTable } from '../schema.ts'
import { routeFields, scan } from './scan.ts'

/** What sellers put their signatures to. */
export async function* signedOfferRecords(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  const key = ['host_id', 'route_id', 'offer_id']
  for await (const rows of scan<SignedOfferTable>(reader, 'signed_offers', key, sql``, 'join'))
    yield rows.map((row) => ({ ...routeFields(row), ...offerRecord(seenOfferOf(row)) }))
}

/** The keys that their DID documents named. */
export async function* offerKeyRecords(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  const key = ['host_id', 'kid', 'jwk', 'first_us']
  for await (const rows of scan<OfferKeyTable>(reader, 'offer_keys', key, sql``, null))
    yield rows.map((row) => offerKeyRecord({ ...keyOf(row), host: row.host_name }))
}
