import { join } from 'node:path'
import pg from 'pg'
import { SQLITE_FILE } from '../../../src/store/engines/sqlite.ts'
import { connect } from '../../../src/store/engines/sqlite-connection.mjs'
import { openStore, type StoreOptions } from '../../../src/store/open.ts'
import { timed } from '../measure.ts'

/** Written by the program itself and not about any item, as is what an empty store holds. */
const LEFT_OUT = new Set(['sources', 'sweeps', 'source_documents'])

interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

export interface Copied {
  readonly ms: number
  readonly rows: number
}

/**
 * Inserts all rows that one store holds into the same tables and indexes of an empty one, without any of our code: some
 * transactions, each with its share of every table, and nothing asked or looked at.
 */
export async function bareCopy(from: StoreOptions, to: StoreOptions, transactions: number): Promise<Copied> {
  await (await openStore(to)).close()
  const own = new Set((await tablesOf(to)).map(({ name }) => name))
  const tables = (await tablesOf(from)).filter(({ name }) => !own.has(name))
  const insert = to.databaseUrl === undefined ? sqliteInsert(to.dataDir) : await postgresInsert(to.databaseUrl)
  const shares = Array.from({ length: transactions }, (_, share) =>
    tables.map((table) => shareOf(table, share, transactions)),
  )
  const { ms } = await timed(async () => {
    for (const share of shares) await insert.all(share)
  })
  await insert.close()
  return { ms, rows: tables.reduce((sum, { rows }) => sum + rows.length, 0) }
}

function shareOf(table: Table, share: number, of: number): Table {
  const size = Math.ceil(table.rows.length / of)
  return { ...table, rows: table.rows.slice(share * size, (share + 1) * size) }
}

/** Those that hold anything. */
const tablesOf = async ({ dataDir, databaseUrl }: StoreOptions): Promise<Table[]> =>
  databaseUrl === undefined ? sqliteTables(dataDir) : postgresTables(databaseUrl)

function sqliteTables(dataDir: string): Table[] {
  const { database, close } = connect(join(dataDir, SQLITE_FILE), { readOnly: true })
  const names = database.prepare("select name from sqlite_master where type = 'table'").all()
  const tables = names.flatMap(({ name }): Table[] => {
    const found = database.prepare(`select * from ${name}`).all()
    const columns = Object.keys(found[0] ?? {})
    return LEFT_OUT.has(String(name)) || columns.length === 0
      ? []
      : [{ name: String(name), columns, rows: found.map((row) => columns.map((column) => cellOf(row[column]))) }]
  })
  close()
  return tables
}

const cellOf = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null

/** Rows in one prepared statement, as in `bare-insert`. */
const SQLITE_ROWS = 50

interface Insert {
  all(tables: readonly Table[]): Promise<void>
  close(): Promise<void>
}

function sqliteInsert(dataDir: string): Insert {
  const connection = connect(join(dataDir, SQLITE_FILE), { readOnly: false })
  const { database } = connection
  const prepared = new Map<string, ReturnType<typeof database.prepare>>()
  const statement = ({ name, columns }: Table, rows: number) => {
    const row = `(${columns.map(() => '?').join(', ')})`
    const text = `insert into ${name} (${columns.join(', ')}) values ${Array(rows).fill(row).join(', ')}`
    const known = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, known)
    return known
  }
  return {
    all: async (tables) => {
      database.exec('begin immediate')
      for (const table of tables) {
        for (let at = 0; at < table.rows.length; at += SQLITE_ROWS) {
          const part = table.rows.slice(at, at + SQLITE_ROWS)
          if (part.length === SQLITE_ROWS) statement(table, SQLITE_ROWS).run(...part.flat())
          else for (const row of part) statement(table, 1).run(...row)
        }
      }
      database.exec('commit')
    },
    close: async () => connection.close(),
  }
}

async function postgresTables(url: string): Promise<Table[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const names = await client.query<{ name: string }>(
    "select c.relname as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition",
  )
  const tables: Table[] = []
  for (const { name } of names.rows) {
    const found = await client.query({ text: `select * from ${name}`, rowMode: 'array' })
    if (LEFT_OUT.has(name) || found.rows.length === 0) continue
    tables.push({ name, columns: found.fields.map((field) => field.name), rows: found.rows })
  }
  await client.end()
  return tables
}

async function postgresInsert(url: string): Promise<Insert> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const types = new Map<string, string>()
  const found = await client.query<{ table_name: string; column_name: string; data_type: string }>(
    "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public'",
  )
  for (const row of found.rows) types.set(`${row.table_name}.${row.column_name}`, row.data_type)
  return {
    all: async (tables) => {
      await client.query('begin')
      for (const { name, columns, rows } of tables) {
        const arrays = columns.map((column, at) => `$${at + 1}::${types.get(`${name}.${column}`)}[]`)
        await client.query({
          name: `copy-${name}`,
          text: `insert into ${name} (${columns.join(', ')}) select * from unnest(${arrays.join(', ')})`,
          values: columns.map((_, at) => rows.map((row) => row[at] ?? null)),
        })
      }
      await client.query('commit')
    },
    close: () => client.end(),
  }
}
