import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onBothEngines } from '../../test/support/engines.ts'
import { aListing, aProbe, NOON_US } from '../../test/support/samples.ts'
import { saveListings } from './facts/save-listings.ts'
import { MIGRATIONS, migrate, type SchemaStep } from './migrate.ts'
import { openStore } from './open.ts'
import { saveProbes } from './probes/save-probes.ts'
import type { Store } from './store.ts'
import { verifyStore } from './transfer/verify.ts'

describe('the steps of the schema', () => {
  it('have the number of their place', async () => {
    const all = readdirSync(new URL('./migrations/', import.meta.url), { recursive: true, encoding: 'utf8' })
    const files = all.filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    const steps = await Promise.all(
      files.toSorted().map(async (file) => {
        const module: Record<string, unknown> = await import(`./migrations/${file}`)
        return Object.values(module).filter((one) => MIGRATIONS.some((step) => step === one))
      }),
    )
    expect(steps.flat()).toEqual(MIGRATIONS)
    expect(files.toSorted().map((file) => Number(file.split('/').at(-1)?.slice(0, 3)))).toEqual(
      MIGRATIONS.map((_, place) => place + 1),
    )
  })
})

onBothEngines('migrating', (engine) => {
  type Column = Readonly<Record<'table' | 'name' | 'type', string>>

  const columnsOf = async (store: Store): Promise<readonly Column[]> => {
    const columns =
      engine.name === 'sqlite'
        ? sql<Column>`select t.name as "table", c.name, c.type from sqlite_master as t, pragma_table_info(t.name) as c
            where t.type = 'table' order by 1, 2`
        : sql<Column>`select table_name as "table", column_name as name, data_type as type from information_schema.columns
            where table_schema = 'public' order by 1, 2`
    return (await columns.execute(store.read)).rows
  }

  /** Leaves what a program left that knew so many steps. */
  const takeBack = (store: Store, steps: number): Promise<void> =>
    store.write(async (writer) => {
      if (engine.name === 'sqlite') {
        const tables = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(writer)
        for (const { name } of tables.rows) await sql`drop table ${sql.table(name)}`.execute(writer)
      } else await sql`drop schema public cascade; create schema public`.execute(writer)
      for (const step of MIGRATIONS.slice(0, steps)) await step(writer, store.dialect)
      await sql`create table schema_version (version integer not null)`.execute(writer)
      await writer.insertInto('schema_version').values({ version: steps }).execute()
    })

  it.each(MIGRATIONS.map((_, place) => place + 1))(
    'brings a store of %i steps to what an empty one becomes',
    async (n) => {
      const store = await engine.open()
      const fresh = await columnsOf(store)
      await takeBack(store, n)
      expect(await migrate(store.dialect, store.write)).toBe(MIGRATIONS.length - n)
      expect(await columnsOf(store)).toEqual(fresh)
      expect(await store.read.selectFrom('schema_version').selectAll().execute()).toEqual([
        { version: MIGRATIONS.length },
      ])
      await saveListings(store, { listings: [aListing()] })
      await saveProbes(store, { probes: [aProbe({ atUs: NOON_US })] })
      const differences: unknown[] = []
      await verifyStore(store, (one) => differences.push(one))
      expect(differences).toEqual([])
    },
  )

  it('says each step of data that was there, and none of an empty store', async () => {
    const steps: SchemaStep[] = []
    const onStep = (step: SchemaStep): void => {
      steps.push(step)
    }
    const options = await engine.unmade()
    const store = await openStore({ ...options, onStep })
    expect(steps).toEqual([])
    await takeBack(store, MIGRATIONS.length - 2)
    await store.close()
    await (await openStore({ ...options, onStep })).close()
    const [from, to] = [MIGRATIONS.length - 2, MIGRATIONS.length]
    expect(steps).toEqual([
      { step: from + 1, from, to },
      { step: to, from, to },
    ])
  })

  type Rows = readonly Record<string, unknown>[]

  const columnsByTable = async (store: Store): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
    const found = new Map<string, Set<string>>()
    for (const { table, name } of await columnsOf(store)) found.set(table, (found.get(table) ?? new Set()).add(name))
    return found
  }

  /** Every row of the store, by table; what the engine itself keeps left out. */
  const allRows = async (store: Store): Promise<ReadonlyMap<string, Rows>> => {
    const tables = [...(await columnsByTable(store)).keys()].filter(
      (name) => !/^(sqlite_|schema_version|probes_)/.test(name),
    )
    const rows = tables.map(async (table): Promise<[string, Rows]> => {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(store.read)
      return [table, rows]
    })
    return new Map(await Promise.all(rows))
  }

  /** What of these rows had a place then. */
  const putBack = async (store: Store, rows: ReadonlyMap<string, Rows>): Promise<void> => {
    const columns = await columnsByTable(store)
    await store.write(async (writer) => {
      for (const [table, all] of rows) {
        const known = [...(columns.get(table) ?? [])]
        if (known.length > 0) await sql`delete from ${sql.table(table)}`.execute(writer)
        const names = sql.join(known.map((name) => sql.ref(name)))
        for (const row of known.length === 0 ? [] : all) {
          const values = sql.join(known.map((name) => row[name] ?? null))
          await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(writer)
        }
      }
    })
  }

  it.each([1, 5, 10, 14, 19, 21])('loses nothing of a store of %i steps with evidence in it', async (n) => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing(), aListing({ path: '/other', price: 5_000 })] })
    const probes = [402, 500, null].map((httpStatus, hour) => aProbe({ httpStatus, atUs: NOON_US + hour }))
    await saveProbes(store, { probes })
    const rows = await allRows(store)
    await takeBack(store, n)
    await putBack(store, rows)
    await migrate(store.dialect, store.write)
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
    const { rows: kept } = await sql<{ n: number }>`select count(*) as n from probes`.execute(store.read)
    expect(Number(kept[0]?.n)).toBe(3)
  })

  it('refuses data of a newer program in one line', async () => {
    const options = await engine.unmade()
    const store = await openStore(options)
    await store.write((writer) => writer.updateTable('schema_version').set({ version: 99 }).execute())
    await store.close()
    await expect(openStore(options)).rejects.toMatchObject({
      slug: 'newer-data',
      message: `the data has schema version 99, this program knows ${MIGRATIONS.length}`,
    })
  })

  it('takes nothing more, and is not ready, once a newer program has brought the data up to date', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    // As the newer program leaves it.
    await store.write((writer) => writer.updateTable('schema_version').set({ version: 99 }).execute())
    const refused = await saveListings(store, { listings: [aListing({ path: '/later' })] }).catch(String)
    expect(refused).toBe(`Error: the data has schema version 99, this program knows ${MIGRATIONS.length}`)
    await expect(store.ping()).rejects.toThrow('the data has schema version 99')
    const routes = await store.read.selectFrom('routes').select('path').execute()
    expect(routes).toHaveLength(1)
  })

  it('migrates once when several programs start together', async () => {
    const options = await engine.unmade()
    const stores = await Promise.all([openStore(options), openStore(options), openStore(options)])
    const versions = await Promise.all(
      stores.map((store) => store.read.selectFrom('schema_version').selectAll().execute()),
    )
    expect(new Set(versions.map((rows) => rows.length))).toEqual(new Set([1]))
    for (const store of stores) await store.close()
  })
})
