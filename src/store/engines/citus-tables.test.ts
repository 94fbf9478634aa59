import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openStore } from '../open.ts'
import { distribute } from './citus.ts'
import { PLACES } from './citus-tables.ts'

describe.skipIf(inject('databaseUrl') === null)('the places of tables on a cluster', () => {
  it('are said of every table that the migrations make, and those of hosts have a host in every key', async () => {
    const store = await openStore({
      dataDir: '',
      databaseUrl: await freshDatabase(inject('databaseUrl') ?? '', inject('madeStores')?.postgres),
    })
    const tables = await sql<{ name: string }>`select relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition`.execute(store.read)
    const unique = await sql<{ name: string; columns: string[] }>`select c.relname as name,
        array(select a.attname::text from pg_attribute as a where a.attrelid = i.indrelid and a.attnum = any(i.indkey)) as columns
      from pg_index as i join pg_class as c on c.oid = i.indrelid
      where i.indisunique and c.relnamespace = 'public'::regnamespace`.execute(store.read)
    await store.close()
    expect(tables.rows.map(({ name }) => name).sort()).toEqual(Object.keys(PLACES).sort())
    const ofHosts = new Set(
      Object.entries(PLACES).flatMap(([name, place]) => (place === 'with its host' ? [name] : [])),
    )
    const keys = unique.rows.filter(({ name }) => ofHosts.has(name))
    expect(keys.length).toBeGreaterThanOrEqual(ofHosts.size)
    expect(keys.filter(({ columns }) => !columns.includes('host_id'))).toEqual([])
  })

  it('are refused where there is no Citus, with what to do', async () => {
    const store = await openStore({
      dataDir: '',
      databaseUrl: await freshDatabase(inject('databaseUrl') ?? '', inject('madeStores')?.postgres),
    })
    await expect(distribute(store)).rejects.toMatchObject({
      slug: 'no-citus',
      hint: expect.stringContaining('docs/scale.md'),
    })
    await store.close()
  })
})
