import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { ChangeWatch } from '../../async/change-watch.ts'
import { Problem } from '../../domain/problem.ts'
import { isReadOnly, storeProblem } from '../../domain/store-trouble.ts'
import { migrate, type OnSchemaStep } from '../migrate.ts'
import type { Tables, Writer } from '../schema.ts'
import { citusDialect } from '../sql/citus.ts'
import type { Dialect } from '../sql/dialect.ts'
import { LaterPostgresDialect } from '../sql/later-postgres.ts'
import { postgresDialect } from '../sql/postgres.ts'
import { byTime, type Store } from '../store.ts'
import { askWorkers, lowerEnds, placeTables } from './citus.ts'
import { CitusParts } from './citus-parts.ts'
import { RenewedPool } from './postgres/renewed-pool.ts'
import { createMonths, MONTHS } from './postgres-months.ts'
import { poolTo, READER_OPTIONS } from './postgres-pool.ts'
import { PreparedWrites, preparing } from './prepared.ts'
import { retried } from './retried.ts'

/** Tells two moments apart between which anything was committed: which transactions are under way, and which is the next. */
const UNDER_WAY = sql<{ at: string }>`select txid_current_snapshot()::text as at`

/** Not of a standby, nor of a server that was made read-only. */
const MAY_WRITE = sql<boolean>`current_setting('transaction_read_only') = 'off'`

const ENCODING = sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`

/** For whoever only looks: the server itself refuses every change. */
const LOOK_OPTIONS = '-c default_transaction_read_only=on'

export interface PostgresOptions {
  /** Hears of lost connections; the pool replaces them. */
  readonly onTrouble?: ((error: Error) => void) | undefined
  readonly onStep?: OnSchemaStep | undefined
}

/** The store on a Postgres server. */
export async function openPostgres(
  url: string,
  { onTrouble = () => undefined, onStep }: PostgresOptions,
  to: 'work' | 'look' = 'work',
): Promise<Store> {
  const connect = (settings: string, how: 'read' | 'write', at = url): pg.Pool => {
    const options = to === 'look' ? `${settings} ${LOOK_OPTIONS}` : settings
    return poolTo(at, 10, options, onTrouble, how)
  }
  const pools = { read: connect(READER_OPTIONS, 'read'), write: connect('-c jit=off', 'write') }
  const connections = { read: new RenewedPool(pools.read), write: new RenewedPool(pools.write) }
  /** It takes no writes: the address may lead to the one that does. */
  const reconnect = (): void => {
    connections.read.renew()
    connections.write.renew()
  }
  const reading = preparing(connections.read)
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: reading }) })
  const prepared = new PreparedWrites()
  const write = new Kysely<Tables>({ dialect: new LaterPostgresDialect({ pool: prepared.poolOf(connections.write) }) })
  const commits = new ChangeWatch(async () => (await UNDER_WAY.execute(read)).rows[0]?.at ?? '')
  let dialect: Dialect = postgresDialect
  const transact = <T>(work: (writer: Writer) => Promise<T>): Promise<T> =>
    retried(
      () =>
        write.transaction().execute(async (writer) => {
          await dialect.begin(writer)
          return work(writer)
        }),
      (error) => prepared.wasRefused(error),
    )
  let spread: CitusParts | undefined
  const close = async (): Promise<void> => {
    commits.close()
    await spread?.close()
    await read.destroy()
    await write.destroy()
  }
  try {
    const { rows } = await ENCODING.execute(write)
    // Whoever only looks can still take out what it holds.
    if (to === 'work' && rows[0] !== undefined) refuseEncoding(rows[0].encoding)
  } catch (error) {
    await close()
    throw error instanceof Problem ? error : unreachable(error)
  }
  const migrated = async (): Promise<number> => {
    try {
      return await migrate(postgresDialect, transact, onStep)
    } catch (error) {
      await close()
      throw storeProblem(error)
    }
  }
  const steps = to === 'work' ? await migrated() : 0
  const shards = await lowerEnds(write)
  if (shards !== null) {
    dialect = citusDialect(shards)
    const workerPool = (node: string) => preparing(connect(READER_OPTIONS, 'read', urlAt(url, node)))
    spread = new CitusParts({ coordinator: reading, read, dialect, poolTo: workerPool })
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
      } catch (error) {
        if (isReadOnly(error)) reconnect()
        throw error
      } finally {
        // Also after a failure: a lost answer may have been a commit.
        writes++
      }
    },
    snapshot: (work) => read.transaction().setIsolationLevel('repeatable read').execute(work),
    prepareMonths: createMonths(write),
    months: MONTHS,
    // What machines of a cluster commit, their coordinator does not see.
    epoch: () => (shards === null ? commits.changes() : byTime()) + writes,
    switches: () => 0,
    ping: async () => {
      const { rows } = await sql<{ may_write: boolean }>`select ${MAY_WRITE} as may_write from schema_version`.execute(
        read,
      )
      if (to === 'work' && !rows[0]?.may_write) {
        reconnect()
        throw new Error('the database takes no writes')
      }
      const away = (await workers()).find(({ isThere }) => !isThere)
      if (away !== undefined) throw new Error(`the worker ${away.name} does not answer`)
    },
    findRoom: async () => undefined,
    parts: spread?.parts ?? null,
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

/** Asked in a session of its own: one that only looks may never write. */
export async function takesWrites(url: string): Promise<boolean> {
  const pool = poolTo(url, 1, '-c jit=off', () => undefined)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return (await sql<{ may_write: boolean }>`select ${MAY_WRITE} as may_write`.execute(db)).rows[0]?.may_write === true
  } finally {
    await db.destroy()
  }
}

/** The same database for the same user on another machine of the cluster. */
function urlAt(url: string, node: string): string {
  const at = new URL(url)
  at.host = node
  return at.href
}

/** What agents and sellers write is in every script, and counted in code points. */
export function refuseEncoding(encoding: string): void {
  if (encoding === 'UTF8') return
  throw new Problem(
    'database',
    503,
    'Database not usable',
    `the database of DATABASE_URL is encoded in ${encoding}, which does not hold every text`,
    'make one with encoding UTF8 from template0 and name it; tollbook export still reads this one',
  )
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
