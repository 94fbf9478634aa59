import { join } from 'node:path'
import pg from 'pg'
import { SQLITE_FILE } from '../../../src/store/engines/sqlite.ts'
import { connect } from '../../../src/store/engines/sqlite-connection.mjs'
import { openStore, type StoreOptions } from '../../../src/store/open.ts'
import type { Row } from '../../../src/store/sql/dialect.ts'
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

/** Rows in one prepared statement: measured faster than one, than 500, and than JSON. */
const SQLITE_ROWS = 50

function bareSqlite(dataDir: string): BareTables {
  const connection = connect(join(dataDir, SQLITE_FILE), { readOnly: false })
  const { database } = connection
  const inserter = (table: string, columns: Readonly<Record<string, string>>) => {
    const names = Object.keys(columns)
    const row = `(${names.map(() => '?').join(', ')})`
    const statement = (rows: number) =>
      database.prepare(
        `insert into ${table} (${names.join(', ')}) values ${Array(rows).fill(row).join(', ')} on conflict do nothing`,
      )
    const [many, one] = [statement(SQLITE_ROWS), statement(1)]
    return (rows: readonly Row[]): void => {
      for (let at = 0; at < rows.length; at += SQLITE_ROWS) {
        const part = rows.slice(at, at + SQLITE_ROWS)
        if (part.length === SQLITE_ROWS) many.run(...part.flat())
        else for (const row of part) one.run(...row)
      }
    }
  }
  const insertListings = inserter('listings', LISTING_COLUMNS)
  const insertProbes = inserter('probes', PROBE_COLUMNS)
  return {
    insert: async ({ listings, probes }) => {
      database.exec('begin immediate')
      insertListings(listings)
      insertProbes(probes)
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
