import type { OfferKey } from '../../../domain/offers/signed-offer.ts'
import type { OfferKeyTable, Reader, Writer } from '../../schema.ts'
import { readJson } from '../../sql/json.ts'
import type { DidReading } from './offer-input.ts'

export const keyOf = (row: OfferKeyTable): OfferKey => ({
  kid: row.kid,
  jwk: readJson(row.jwk),
  firstUs: row.first_us,
  lastUs: row.last_us,
  goneUs: row.gone_us,
})

/** Every key that DID documents of a host have named, those that are gone too. */
export async function readKeys(reader: Reader, hostId: number): Promise<OfferKey[]> {
  const rows = reader.selectFrom('offer_keys').selectAll().where('host_id', '=', hostId)
  return (await rows.orderBy('kid').orderBy('jwk').orderBy('first_us').execute()).map(keyOf)
}

/**
 * What one reading of a document says: keys that it holds are in force, those that it held and does not hold any more are
 * gone. A key that comes back begins anew, so that nothing is taken for signed by it while it was gone.
 */
export async function saveReading(writer: Writer, hostId: number, { did, keys, atUs }: DidReading): Promise<void> {
  const named = new Set(keys.map(({ kid, jwk }) => `${kid}\n${JSON.stringify(jwk)}`))
  const open = (await readKeys(writer, hostId)).filter(
    ({ kid, goneUs }) => goneUs === null && kid.startsWith(`${did}#`),
  )
  for (const key of open) {
    const text = `${key.kid}\n${JSON.stringify(key.jwk)}`
    const isThere = named.delete(text)
    if (atUs < key.lastUs) continue
    await writer
      .updateTable('offer_keys')
      .set(isThere ? { last_us: atUs } : { gone_us: atUs })
      .where('host_id', '=', hostId)
      .where('kid', '=', key.kid)
      .where('jwk', '=', JSON.stringify(key.jwk))
      .where('first_us', '=', key.firstUs)
      .execute()
  }
  const fresh = keys.filter(({ kid, jwk }) => named.delete(`${kid}\n${JSON.stringify(jwk)}`))
  for (const { kid, jwk } of fresh)
    await saveKey(writer, hostId, { kid, jwk, firstUs: atUs, lastUs: atUs, goneUs: null })
}

/** As it was kept elsewhere; of what both know, the later sight and the earlier end. */
export async function saveKey(writer: Writer, hostId: number, key: OfferKey): Promise<void> {
  const { kid, jwk, firstUs, lastUs, goneUs } = key
  const known = await writer
    .selectFrom('offer_keys')
    .select(['last_us', 'gone_us'])
    .where('host_id', '=', hostId)
    .where('kid', '=', kid)
    .where('jwk', '=', JSON.stringify(jwk))
    .where('first_us', '=', firstUs)
    .executeTakeFirst()
  const ends = [goneUs, known?.gone_us ?? null].filter((end) => end !== null)
  const times = {
    last_us: Math.max(lastUs, known?.last_us ?? lastUs),
    gone_us: ends.length === 0 ? null : Math.min(...ends),
  }
  await writer
    .insertInto('offer_keys')
    .values({ host_id: hostId, kid, jwk: JSON.stringify(jwk), first_us: firstUs, ...times, log_id: null })
    .onConflict((conflict) => conflict.columns(['host_id', 'kid', 'jwk', 'first_us']).doUpdateSet(times))
    .execute()
}
