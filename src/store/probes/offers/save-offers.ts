import { sql } from 'kysely'
import { offerState, type SeenOffer } from '../../../domain/offers/seen-offer.ts'
import type { OfferCheck, OfferKey, SignedOffer } from '../../../domain/offers/signed-offer.ts'
import { addressOf, type RouteKey } from '../../../domain/route.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import { checkOffer } from '../../../wire/offers/check-offer.ts'
import { offerRecord } from '../../../wire/offers/records.ts'
import type { HostTransaction } from '../../hosts/host-transaction.ts'
import { type Placed, type RouteId, routeText } from '../../hosts/route-ref.ts'
import type { Reader, SignedOfferTable } from '../../schema.ts'
import { groupBy } from '../../sql/group.ts'
import { readJson } from '../../sql/json.ts'
import { readKeys, saveKey, saveReading } from './keys.ts'
import { logKeys } from './log-offers.ts'
import type { DidReading, OfferInput, OfferKeyInput } from './offer-input.ts'
import { MOST_KEPT, offerId, seenOfferOf } from './offer-rows.ts'

/** What probes saw of signed offers, or what another store kept of them. */
export interface OffersSeen {
  readonly offers: readonly OfferInput[]
  readonly readings?: readonly DidReading[]
  readonly keys?: readonly OfferKeyInput[]
}

/** Saves keys first and judges every offer by those of its own time; announces where a seller signs something else. */
export async function saveOffers(transaction: HostTransaction, { offers, readings = [], keys = [] }: OffersSeen) {
  const { writer, announceUs } = transaction
  const named = new Map([...readings, ...keys].map(({ host }) => [transaction.hostIdOf(host), host]))
  const keysBefore = new Map<number, ReadonlySet<string>>()
  for (const hostId of named.keys()) keysBefore.set(hostId, new Set((await readKeys(writer, hostId)).map(keyText)))
  for (const reading of readings) await saveReading(writer, transaction.hostIdOf(reading.host), reading)
  for (const key of keys) await saveKey(writer, transaction.hostIdOf(key.host), key)
  for (const [hostId, host] of named) {
    const fresh = (await readKeys(writer, hostId)).filter((key) => keysBefore.get(hostId)?.has(keyText(key)) !== true)
    await logKeys(transaction, hostId, host, fresh)
  }
  const placed = transaction.place(offers)
  const perRoute = groupBy(placed, ({ at }) => routeText(at))
  const before = new Map<string, string | null>()
  for (const [name, [first]] of perRoute) if (first) before.set(name, await stateOf(writer, first.at))
  for (const group of perRoute.values()) await saveOfRoute(transaction, group)
  // What a move brings may tell of keys that were not known when an offer was judged here.
  const moved = new Set(keys.map(({ host }) => transaction.hostIdOf(host)))
  for (const hostId of moved) await judgeAgain(transaction, hostId)
  if (announceUs === null) return
  for (const [name, [first]] of perRoute) {
    const [from, to] = [before.get(name) ?? null, first ? await stateOf(writer, first.at) : null]
    if (first && from !== to)
      transaction.announce([{ ...first.at, atUs: announceUs, kind: 'signed_offer_changed', data: { from, to } }])
  }
}

/** A key is said to the log when it begins and when it ends. */
const keyText = ({ kid, jwk, firstUs, goneUs }: OfferKey): string => JSON.stringify([kid, jwk, firstUs, goneUs])

async function saveOfRoute(
  { writer, dialect, log }: HostTransaction,
  offers: readonly Placed<OfferInput>[],
): Promise<void> {
  const [first] = offers
  if (first === undefined) return
  const { hostId, routeId } = first.at
  const keys = await readKeys(writer, hostId)
  const stored = writer.selectFrom('signed_offers').select(['offer_id', 'first_us']).where('host_id', '=', hostId)
  const rows = await stored.where('route_id', '=', routeId).execute()
  const known = new Map(rows.map((row) => [row.offer_id, row.first_us]))
  for (const { offer, firstUs, lastUs, scheme, host, path, method, rail } of offers) {
    const route = { method, url: addressOf(scheme, host, path), rail }
    const id = offerId(offer)
    const isSaid = firstUs >= (known.get(id) ?? Number.POSITIVE_INFINITY)
    const record = { ...route, ...offerRecord({ offer, firstUs, lastUs }) }
    const log_id = isSaid ? null : await log.addWritten(hostId, record)
    if (!isSaid) known.set(id, firstUs)
    const found = checkOffer(offer, { url: addressOf(scheme, host, path), seenUs: firstUs, keys })
    const row = { host_id: hostId, route_id: routeId, offer_id: id, log_id }
    const texts = { body: JSON.stringify(offer), found: JSON.stringify(found) }
    await writer
      .insertInto('signed_offers')
      .values({ ...row, ...texts, first_us: firstUs, last_us: lastUs })
      .onConflict((conflict) =>
        conflict.columns(['host_id', 'route_id', 'offer_id']).doUpdateSet({
          first_us: dialect.least(sql.ref('signed_offers.first_us'), sql.ref('excluded.first_us')).$castTo<number>(),
          last_us: dialect.greatest(sql.ref('signed_offers.last_us'), sql.ref('excluded.last_us')).$castTo<number>(),
          log_id: sql`coalesce(excluded.log_id, signed_offers.log_id)`,
        }),
      )
      .execute()
  }
  await sql`delete from signed_offers where host_id = ${hostId} and route_id = ${routeId} and offer_id not in (
    select offer_id from signed_offers where host_id = ${hostId} and route_id = ${routeId}
    order by last_us desc, offer_id limit ${sql.lit(MOST_KEPT)})`.execute(writer)
}

async function judgeAgain({ writer }: HostTransaction, hostId: number): Promise<void> {
  for (const { row, found } of await judgedOf(writer, hostId)) {
    const text = JSON.stringify(found)
    if (text === row.found) continue
    await writer
      .updateTable('signed_offers')
      .set({ found: text })
      .where('host_id', '=', hostId)
      .where('route_id', '=', row.route_id)
      .where('offer_id', '=', row.offer_id)
      .execute()
  }
}

type Named = SignedOfferTable & RouteKey & { readonly name: string }

/** Every signed offer of a host with what its keys say of it. */
export async function judgedOf(
  reader: Reader,
  hostId: number,
): Promise<{ readonly row: Named; readonly found: OfferCheck }[]> {
  const keys: readonly OfferKey[] = await readKeys(reader, hostId)
  const rows = await sql<Named>`select o.*, r.scheme, r.method, r.path, r.rail, h.name from signed_offers as o
    join routes as r on r.host_id = o.host_id and r.route_id = o.route_id join hosts as h on h.host_id = o.host_id
    where o.host_id = ${hostId}`.execute(reader)
  return rows.rows.map((row) => {
    const offer: SignedOffer = readJson(row.body)
    const seenUs: TimestampUs = row.first_us
    return { row, found: checkOffer(offer, { url: addressOf(row.scheme, row.name, row.path), seenUs, keys }) }
  })
}

/** What a route's newest challenge with signed offers says. */
async function stateOf(reader: Reader, { hostId, routeId }: RouteId): Promise<string | null> {
  const rows =
    await sql<SignedOfferTable>`select * from signed_offers where host_id = ${hostId} and route_id = ${routeId}
    and last_us = (select max(last_us) from signed_offers where host_id = ${hostId} and route_id = ${routeId})`.execute(
      reader,
    )
  const seen: SeenOffer[] = rows.rows.map(seenOfferOf)
  return offerState(seen)
}
