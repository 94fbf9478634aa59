import { join } from 'node:path'
import pg from 'pg'
import type { Row } from '../src/store/dialect.ts'
import { SQLITE_FILE } from '../src/store/engines/sqlite.ts'
import { connect } from '../src/store/engines/sqlite-connection.mjs'
import { openStore, type StoreOptions } from '../src/store/open.ts'
import { type BareBatch, LISTING_COLUMNS, PROBE_COLUMNS } from './bare-rows.ts'

/** The same tables, indexes and partitions without any of our code above them: rows go in, a durable commit comes back. */
export interface BareTables {
  insert(batch: BareBatch): Promise<void>
  close(): Promise<void>
}

/** Makes the tables of an empty store; `timesUs` are those of the entries to come. */
export async function openBare(options: StoreOptions, timesUs: Iterable<number>): Promise<BareTables> {
  const store = await openStore(options)
  await store.prepareMonths(timesUs)
  await store.close()
  return options.databaseUrl === undefined ? bareSqlite(options.dataDir) : barePostgres(options.databaseUrl)
}

/** Row by row through one prepared statement: measured faster than statements of many rows, as there is no network. */
function bareSqlite(dataDir: string): BareTables {
  const connection = connect(join(dataDir, SQLITE_FILE), { readOnly: false })
  const { database } = connection
  const statementFor = (table: string, columns: Readonly<Record<string, string>>) => {
    const names = Object.keys(columns)
    return database.prepare(
      `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) on conflict do nothing`,
    )
  }
  const listing = statementFor('listings', LISTING_COLUMNS)
  const probe = statementFor('probes', PROBE_COLUMNS)
  return {
    insert: async ({ listings, probes }) => {
      database.exec('begin immediate')
      for (const row of listings) listing.run(...row)
      for (const row of probes) probe.run(...row)
      database.exec('commit')
    },
    close: async () => connection.close(),
  }
}

async function barePostgres(url: string): Promise<BareTables> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const insertInto = async (table: string, columns: Readonly<Record<string, string>>, rows: readonly Row[]) => {
    if (rows.length === 0) return
    const names = Object.keys(columns)
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`)
    await client.query({
      name: `insert-${table}`,
      text: `insert into ${table} (${names.join(', ')}) select * from unnest(${arrays.join(', ')}) on conflict do nothing`,
      values: names.map((_, index) => rows.map((row) => row[index] ?? null)),
    })
  }
  return {
    insert: async ({ listings, probes }) => {
      await client.query('begin')
      await insertInto('listings', LISTING_COLUMNS, listings)
      await insertInto('probes', PROBE_COLUMNS, probes)
      await client.query('commit')
    },
    close: () => client.end(),
  }
}
