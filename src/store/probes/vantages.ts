import { type RawBuilder, sql } from 'kysely'
import { NO_VANTAGE, type Vantage } from '../../domain/now/vantage.ts'
import type { Reader } from '../schema.ts'
import type { Store } from '../store.ts'

/** How schedules write "no vantage"; entries have none of it. */
export const NO_VANTAGE_ID = 0

/** A vantage with its number here: entries carry that, everything that travels the name. */
export interface StoredVantage {
  readonly id: number
  readonly name: Vantage
}

/** They never change. */
const known = new WeakMap<Store, Map<Vantage, number>>()

/** The numbers of these vantages, new ones stored: before the transaction that needs them. */
export async function vantageIds(store: Store, names: Iterable<Vantage | null>): Promise<ReadonlyMap<Vantage, number>> {
  const ids = known.get(store) ?? new Map([[NO_VANTAGE, NO_VANTAGE_ID]])
  known.set(store, ids)
  const missing = new Set([...names].filter((name): name is Vantage => name !== null && !ids.has(name)))
  if (missing.size === 0) return ids
  const rows = await store.write(async (writer) => {
    await store.dialect.lockClaims(writer)
    for (const name of missing) {
      await sql`insert into vantages (vantage_id, name)
        select coalesce(max(vantage_id), ${sql.lit(NO_VANTAGE_ID)}) + 1, ${name} from vantages where true
        on conflict (name) do nothing`.execute(writer)
    }
    return writer.selectFrom('vantages').selectAll().execute()
  })
  for (const { vantage_id, name } of rows) ids.set(name, vantage_id)
  return ids
}

/** The name of the vantage of entries with this alias; null of those that name none. */
export const vantageOf = (alias: string): RawBuilder<string | null> =>
  sql`(select n.name from vantages as n where n.vantage_id = ${sql.ref(`${alias}.vantage_id`)})`

/** The number of a vantage that is asked for; `undefined`: no entry names it. */
export async function vantageIdOf(reader: Reader, name: Vantage | null): Promise<number | null | undefined> {
  if (name === null) return null
  const row = await reader.selectFrom('vantages').select('vantage_id').where('name', '=', name).executeTakeFirst()
  return row?.vantage_id
}

/** Whether any entry may name one. */
export async function hasVantages(reader: Reader): Promise<boolean> {
  const found = await sql`select 1 from vantages limit 1`.execute(reader)
  return found.rows.length > 0
}

/** `null`: of probers without a name. */
export async function storedVantage(store: Store, given: Vantage | null): Promise<StoredVantage> {
  const name = given ?? NO_VANTAGE
  const id = (await vantageIds(store, [name])).get(name)
  if (id === undefined) throw new Error(`the vantage ${name} has no number`)
  return { id, name }
}
