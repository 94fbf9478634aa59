import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onBothEngines } from '../../test/support/engines.ts'
import { aListing, aProbe, NOON_US } from '../../test/support/samples.ts'
import { saveListings } from './facts/save-listings.ts'
import { MIGRATIONS, migrate } from './migrate.ts'
import { openStore } from './open.ts'
import { saveProbes } from './probes/save-probes.ts'
import type { Store } from './store.ts'
import { verifyStore } from './transfer/verify.ts'

describe('the steps of the schema', () => {
  it('have the number of their place', async () => {
    const files = readdirSync(new URL('./migrations/', import.meta.url)).filter((file) => !file.includes('.test.'))
    const steps = await Promise.all(
      files.toSorted().map(async (file) => {
        const module: Record<string, unknown> = await import(`./migrations/${file}`)
        return Object.values(module).filter((one) => MIGRATIONS.some((step) => step === one))
      }),
    )
    expect(steps.flat()).toEqual(MIGRATIONS)
    expect(files.toSorted().map((file) => Number(file.slice(0, 3)))).toEqual(MIGRATIONS.map((_, place) => place + 1))
  })
})

onBothEngines('migrating', (engine) => {
  const columnsOf = async (store: Store): Promise<unknown> => {
    const columns =
      engine.name === 'sqlite'
        ? sql`select t.name as "table", c.name, c.type from sqlite_master as t, pragma_table_info(t.name) as c
            where t.type = 'table' order by 1, 2`
        : sql`select table_name as "table", column_name as name, data_type as type from information_schema.columns
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

  it('refuses data of a newer program in one line', async () => {
    const options = await engine.empty()
    const store = await openStore(options)
    await store.write((writer) => writer.updateTable('schema_version').set({ version: 99 }).execute())
    await store.close()
    await expect(openStore(options)).rejects.toMatchObject({
      slug: 'newer-data',
      message: `the data has schema version 99, this program knows ${MIGRATIONS.length}`,
    })
  })

  it('migrates once when several programs start together', async () => {
    const options = await engine.empty()
    const stores = await Promise.all([openStore(options), openStore(options), openStore(options)])
    const versions = await Promise.all(
      stores.map((store) => store.read.selectFrom('schema_version').selectAll().execute()),
    )
    expect(new Set(versions.map((rows) => rows.length))).toEqual(new Set([1]))
    for (const store of stores) await store.close()
  })
})
