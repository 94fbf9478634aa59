import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { Problem } from '../../domain/problem.ts'
import { migrate } from '../migrate.ts'
import type { Tables, Writer } from '../schema.ts'
import { citusDialect } from '../sql/citus.ts'
import type { Dialect } from '../sql/dialect.ts'
import { postgresDialect } from '../sql/postgres.ts'
import type { Store } from '../store.ts'
import { askWorkers, lowerEnds, placeTables } from './citus.ts'
import { createMonths, MONTHS } from './postgres-months.ts'
import { poolTo, READER_OPTIONS } from './postgres-pool.ts'
import { retried } from './retried.ts'

/** How long a page may be served before another program's writes are looked for. */
const EPOCH_MS = 500

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
    return poolTo(url, max, options, onTrouble)
  }
  const kysely = (pool: pg.Pool): Kysely<Tables> => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const pools = { read: connect(10, READER_OPTIONS), write: connect(10, '-c jit=off') }
  const read = kysely(pools.read)
  const write = kysely(pools.write)
  let dialect: Dialect = postgresDialect
  const transact = <T>(work: (writer: Writer) => Promise<T>): Promise<T> =>
    retried(() =>
      write.transaction().execute(async (writer) => {
        await dialect.begin(writer)
        return work(writer)
      }),
    )
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
  const steps = to === 'work' ? await migrate(postgresDialect, transact) : 0
  const shards = await lowerEnds(write)
  if (shards !== null) {
    dialect = citusDialect(shards)
    if (steps > 0) await transact((writer) => placeTables(writer, shards.length))
  }
  const workers: Store['workers'] = async () => (shards === null ? [] : askWorkers(read))
  let writes = 0
  return {
    dialect,
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
      const away = (await workers()).find(({ isThere }) => !isThere)
      if (away !== undefined) throw new Error(`the worker ${away.name} does not answer`)
    },
    workers,
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
