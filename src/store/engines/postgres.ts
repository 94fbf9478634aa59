import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { Problem } from '../../domain/problem.ts'
import { migrate } from '../migrate.ts'
import type { Tables, Writer } from '../schema.ts'
import { postgresDialect } from '../sql/postgres.ts'
import type { Store } from '../store.ts'
import { createMonths, MONTHS } from './postgres-months.ts'

const INT8 = 20
const NUMERIC = 1700
const JSON_TEXT = 114
/**
 * Every bigint here is a safe integer by construction (times, prices, 53-bit keys, counts), and so is a sum of them.
 * JSON stays text as on SQLite, for `readJson`.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (oid === JSON_TEXT) return String
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')
  },
}

/** Whoever gets no connection by then is told that the database is away. */
const CONNECT_MS = 10_000

/** How long a page may be served before another program's writes are looked for. */
const EPOCH_MS = 500

/**
 * Readers must walk the route index even on hosts whose size the planner misjudges: with sorting and bitmap scans at
 * hand it sorts all 5,000 routes of a large host to show 50.
 */
const READER_OPTIONS = '-c enable_sort=off -c enable_bitmapscan=off -c jit=off'

/** For whoever only looks: the server itself refuses every change. */
const LOOK_OPTIONS = '-c default_transaction_read_only=on'

/** The store on a Postgres server. `onTrouble` hears of lost connections; the pool replaces them. */
export async function openPostgres(
  url: string,
  onTrouble: (error: Error) => void = () => undefined,
  to: 'work' | 'look' = 'work',
): Promise<Store> {
  const connect = (max: number, settings: string): pg.Pool => {
    const options = to === 'look' ? `${settings} ${LOOK_OPTIONS}` : settings
    const pool = new pg.Pool({
      ...{ connectionString: url, max, types, options, application_name: 'tollbook' },
      connectionTimeoutMillis: CONNECT_MS,
    })
    // A connection that is lost says so itself, between two statements of a transaction too: unheard, that would end the
    // program. The pool says it again of idle ones.
    pool.on('connect', (client) => client.on('error', onTrouble))
    pool.on('error', () => undefined)
    return pool
  }
  const kysely = (pool: pg.Pool): Kysely<Tables> => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const pools = { read: connect(10, READER_OPTIONS), write: connect(10, '-c jit=off') }
  const read = kysely(pools.read)
  const write = kysely(pools.write)
  const transact = <T>(work: (writer: Writer) => Promise<T>): Promise<T> => write.transaction().execute(work)
  const close = async (): Promise<void> => {
    await read.destroy()
    await write.destroy()
  }
  try {
    await sql`select 1`.execute(write)
  } catch (error) {
    await close()
    throw unreachable(error)
  }
  if (to === 'work') await migrate(postgresDialect, transact)
  let writes = 0
  return {
    dialect: postgresDialect,
    file: null,
    read,
    write: async (work) => {
      try {
        return await transact(work)
      } finally {
        // Also after a failure: a lost answer may have been a commit.
        writes++
      }
    },
    snapshot: (work) => read.transaction().setIsolationLevel('repeatable read').execute(work),
    prepareMonths: createMonths(write),
    months: MONTHS,
    epoch: () => Math.floor(performance.now() / EPOCH_MS) + writes,
    ping: async () => {
      await sql`select 1 from schema_version`.execute(read)
    },
    // Entries go with the table of their month, and its file with it.
    shrink: async () => undefined,
    load: () => ({
      reading: pools.read.totalCount - pools.read.idleCount,
      writing: pools.write.totalCount - pools.write.idleCount,
      idle: pools.read.idleCount + pools.write.idleCount,
      waiting: pools.read.waitingCount + pools.write.waitingCount,
    }),
    close,
  }
}

function unreachable(error: unknown): Problem {
  const reason = error instanceof Error ? error.message || String(error) : String(error)
  return new Problem(
    'database',
    503,
    'Database not reachable',
    `the database of DATABASE_URL cannot be used: ${reason}`,
    'check that DATABASE_URL names a running Postgres and a database this user may use',
  )
}
