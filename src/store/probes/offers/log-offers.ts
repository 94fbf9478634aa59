import { sql } from 'kysely'
import type { OfferKey } from '../../../domain/offers/signed-offer.ts'
import { addressOf, type RouteKey } from '../../../domain/route.ts'
import { offerKeyRecord, offerRecord } from '../../../wire/offers/records.ts'
import type { HostTransaction } from '../../hosts/host-transaction.ts'
import type { OfferKeyTable, SignedOfferTable } from '../../schema.ts'
import { keyOf } from './keys.ts'
import { seenOfferOf } from './offer-rows.ts'

/** Keys of a host as they are now. */
export async function logKeys(
  { writer, log }: HostTransaction,
  hostId: number,
  host: string,
  keys: readonly OfferKey[],
): Promise<void> {
  for (const key of keys) {
    const log_id = await log.addWritten(hostId, offerKeyRecord({ ...key, host }))
    await writer
      .updateTable('offer_keys')
      .set({ log_id })
      .where('host_id', '=', hostId)
      .where('kid', '=', key.kid)
      .where('jwk', '=', JSON.stringify(key.jwk))
      .where('first_us', '=', key.firstUs)
      .execute()
  }
}

type Named<T> = T & { readonly name: string }

/** Signed offers and keys of a host that the log knows nothing of, so many at most; answers how many offers there were. */
export async function logUnknownOffers(transaction: HostTransaction, hostId: number, most: number): Promise<number> {
  const { writer, log } = transaction
  const keys = await sql<Named<OfferKeyTable>>`select k.*, h.name from offer_keys as k
    join hosts as h on h.host_id = k.host_id where k.host_id = ${hostId} and k.log_id is null
    order by k.kid, k.jwk, k.first_us`.execute(writer)
  const [first] = keys.rows
  if (first !== undefined) await logKeys(transaction, hostId, first.name, keys.rows.map(keyOf))
  const offers = await sql<Named<SignedOfferTable & RouteKey>>`select o.*, r.scheme, r.method, r.path, r.rail, h.name
    from signed_offers as o join routes as r on r.host_id = o.host_id and r.route_id = o.route_id
    join hosts as h on h.host_id = o.host_id where o.host_id = ${hostId} and o.log_id is null
    order by o.route_id, o.offer_id limit ${sql.lit(most)}`.execute(writer)
  for (const row of offers.rows) {
    const route = { method: row.method, url: addressOf(row.scheme, row.name, row.path), rail: row.rail }
    const log_id = await log.addWritten(hostId, { ...route, ...offerRecord(seenOfferOf(row)) })
    const own = writer.updateTable('signed_offers').where('host_id', '=', hostId).where('route_id', '=', row.route_id)
    await own.where('offer_id', '=', row.offer_id).set({ log_id }).execute()
  }
  return offers.rows.length
}
