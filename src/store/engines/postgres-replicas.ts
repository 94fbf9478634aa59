import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import { inTime } from '../../async/in-time.ts'
import { sleep } from '../../async/sleep.ts'
import { Problem } from '../../domain/problem.ts'
import { isAway } from '../../domain/store-trouble.ts'
import type { Reader, Tables } from '../schema.ts'
import type { ReadReplicas, ReplicaStanding } from '../store.ts'
import { lowerEnds } from './citus.ts'
import { RenewedPool } from './postgres/renewed-pool.ts'
import { poolTo, READER_OPTIONS } from './postgres-pool.ts'
import { preparing } from './prepared.ts'
import { type Choosable, chooseReplica, type ReplicaState } from './replica-choice.ts'
import { type Lsn, WriterTrail } from './replica-lag.ts'
import { LeavablePool, RoutedClient } from './routed-client.ts'

export interface ReplicaOptions {
  /** Of the server that takes the writes. */
  readonly writerUrl: string
  readonly urls: readonly string[]
  /** One that has another is left out. */
  readonly schemaVersion: number
  readonly onTrouble: (error: Error) => void
  /** A replica that is later than this is left out until it has caught up. */
  readonly mostLagMs?: number
}

const MOST_LAG_MS = 10_000
/** So often everybody is looked at, and at most so often when somebody waits for a replica to catch up. */
const LOOK_MS = 500
const SOON_MS = 20
/** Whoever has not said where it stands by then is away. */
const PATIENCE_MS = 2_000
const CONNECTIONS = 10
/** Of them, for looking alone: a replica that is busy answers there still, one that hangs does not. */
const LOOKING = 1

/** Nobody replays as far: while it is not known how far the writer is, only the writer has what was written. */
const UNKNOWN = Number.POSITIVE_INFINITY

const WHERE_WRITER = sql<{ lsn: Lsn }>`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as lsn`
const WHERE_REPLICA = sql<{ standby: boolean; lsn: Lsn | null; version: number }>`select pg_is_in_recovery() as standby,
  case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as lsn,
  (select max(version) from schema_version) as version`
const SYSTEM = sql<Named>`select system_identifier::text as id, current_database() as name from pg_control_system()`

/** Which server it is, and which of its databases. */
interface Named {
  readonly id: string
  readonly name: string
}

interface Replica extends Choosable {
  readonly name: string
  readonly pool: LeavablePool
  readonly looking: LeavablePool
  /** Through `looking`. */
  readonly db: Kysely<Tables>
  state: ReplicaState
  lsn: Lsn | null
  lagMs: number
  /** That it copies this writer was looked at since it was last away. */
  isKnown: boolean
  /** It had what the writer has not. It cannot follow until it is made anew, which takes it away for a while. */
  isAstray: boolean
}

/** Replicas of a Postgres server, and the way to read from them and still see what this program wrote. */
export async function openReplicas(options: ReplicaOptions): Promise<ReadReplicas> {
  const replicas = new PostgresReplicas(options)
  await replicas.look()
  if (!(await replicas.isOfCluster())) return replicas
  await replicas.close()
  throw new Problem(
    'replicas',
    500,
    'No replicas of a cluster',
    'DATABASE_READ_URL is set, and DATABASE_URL names a Citus cluster: a copy of its coordinator has none of its hosts',
    'unset DATABASE_READ_URL: hosts are read from the workers already, docs/scale.md',
  )
}

class PostgresReplicas implements ReadReplicas {
  readonly read: Reader
  onWrote: (lsn: Lsn) => void = () => undefined
  readonly #replicas: readonly Replica[]
  readonly #writer: { readonly connections: RenewedPool; readonly pool: PostgresPool; readonly db: Kysely<Tables> }
  readonly #trail = new WriterTrail()
  readonly #mostLagMs: number
  readonly #schemaVersion: number
  readonly #closing = new AbortController()
  #isWriterUp = true
  #floor: Lsn = 0
  #writes = 0
  /** Programs that read from the same replicas spread over them. */
  readonly #lot = Math.floor(Math.random() * 2 ** 31)
  /** The one that answered last. */
  #before: Replica | null = null
  /** Who was asked last; `null`: the writer. */
  #asked: Replica | null = null
  #switches = 0
  #looking: Promise<void> | undefined
  #lookedMs = Number.NEGATIVE_INFINITY
  readonly #watching: Promise<void>

  constructor({ writerUrl, urls, schemaVersion, onTrouble, mostLagMs }: ReplicaOptions) {
    const connections = (url: string, max: number) => poolTo(url, max, READER_OPTIONS, onTrouble)
    const leavable = (url: string, max: number) => new LeavablePool(connections(url, max))
    this.#mostLagMs = mostLagMs ?? MOST_LAG_MS
    this.#schemaVersion = schemaVersion
    const writers = new RenewedPool(connections(writerUrl, CONNECTIONS))
    const toWriter = preparing(writers)
    this.#writer = { connections: writers, pool: toWriter, db: asking(toWriter) }
    this.#replicas = urls.map((url) => {
      const looking = leavable(url, LOOKING)
      return {
        ...{ pool: leavable(url, CONNECTIONS - LOOKING), looking, db: asking(looking) },
        ...{ name: new URL(url).host, state: 'away', lsn: null, lagMs: 0, isKnown: false, isAstray: false },
      }
    })
    this.read = asking({
      connect: async () => new RoutedClient(() => this.#connect(), this.#elsewhere),
      end: async () => undefined,
    })
    this.#watching = this.#watch()
  }

  standing(): ReplicaStanding {
    return {
      writer: this.#isWriterUp ? 'answers' : 'away',
      replicas: this.#replicas.map(({ name, state, lsn, lagMs }) => ({
        ...{ name, state, lagMs },
        lagBytes: lsn === null ? null : this.#trail.lagBytes(lsn),
      })),
    }
  }

  switches(): number {
    return this.#switches
  }

  async wrote(): Promise<void> {
    this.#writes += 1
    const found = await whereIs(WHERE_WRITER.execute(this.#writer.db))
    // The next look finds out how far the writer is.
    this.#floor = found === undefined ? UNKNOWN : Math.max(this.#floor, found.lsn)
    if (found !== undefined) this.onWrote(found.lsn)
  }

  wroteElsewhere(lsn: Lsn): void {
    this.#writes += 1
    this.#floor = Math.max(this.#floor, lsn)
  }

  async ping(): Promise<void> {
    await sql`select 1 from schema_version`.execute(this.read)
  }

  /** As far as the writer can be asked. */
  async isOfCluster(): Promise<boolean> {
    return (await lowerEnds(this.#writer.db).catch(() => null)) !== null
  }

  /** One look at a time at everybody. */
  look(): Promise<void> {
    this.#looking ??= this.#lookAtAll().finally(() => {
      this.#lookedMs = performance.now()
      this.#looking = undefined
    })
    return this.#looking
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#watching
    await this.#writer.db.destroy()
    await Promise.all(this.#replicas.flatMap(({ db, pool }) => [db.destroy(), pool.end()]))
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.look()
      await sleep(LOOK_MS, signal)
    }
  }

  async #lookAtAll(): Promise<void> {
    const writes = this.#writes
    const writer = await whereIs(WHERE_WRITER.execute(this.#writer.db))
    this.#isWriterUp = writer !== undefined
    // Perhaps it takes no writes any more, and its address leads to the one that does.
    if (writer === undefined) this.#writer.connections.renew()
    else {
      this.#trail.see(writer.lsn, performance.now())
      // Unknown since a write that ended before this look, or that of a server which this one has replaced.
      if (this.#floor > writer.lsn && writes === this.#writes) this.#floor = writer.lsn
    }
    await Promise.all(this.#replicas.map((replica) => this.#lookAt(replica)))
  }

  async #lookAt(replica: Replica): Promise<void> {
    const found = await whereIs(WHERE_REPLICA.execute(replica.db))
    if (found === undefined) return lose(replica)
    if (!found.standby || found.lsn === null) return leaveServer(replica, 'not a replica')
    if (found.version !== this.#schemaVersion) return leave(replica, 'behind')
    if (!replica.isKnown && !(await this.#isOurs(replica))) return leaveServer(replica, 'another database')
    replica.isAstray ||= await this.#isAhead(found.lsn)
    if (replica.isAstray) return leaveServer(replica, 'ahead')
    replica.isKnown = true
    replica.lsn = found.lsn
    replica.lagMs = this.#trail.lagMs(found.lsn, performance.now())
    const isLate = replica.lagMs > this.#mostLagMs || this.#trail.isBefore(found.lsn)
    replica.state = isLate ? 'behind' : 'following'
  }

  /** Whether it copies the same server; believed where a server does not tell. */
  async #isOurs({ db }: Replica): Promise<boolean> {
    const [there, here] = await Promise.all([db, this.#writer.db].map((one) => whereIs(SYSTEM.execute(one))))
    return there === undefined || here === undefined || (there.id === here.id && there.name === here.name)
  }

  /** Whether it has more than the writer, as one that got more of the old writer than the one that replaces it. */
  async #isAhead(lsn: Lsn): Promise<boolean> {
    if (lsn <= (this.#trail.newest ?? UNKNOWN)) return false
    // The writer may have gone on since it was asked.
    const writer = await whereIs(WHERE_WRITER.execute(this.#writer.db))
    return writer !== undefined && lsn > writer.lsn
  }

  async #connect(): Promise<PostgresPoolClient> {
    const chosen = this.#choose(this.#isWriterUp)
    if (chosen === null) {
      this.#lookSoon()
      return this.#elsewhere()
    }
    try {
      return await this.#ask(chosen).connect()
    } catch {
      leave(chosen, 'away')
      return this.#elsewhere()
    }
  }

  #choose(isWriterUp: boolean): Replica | null {
    return chooseReplica(this.#replicas, { floor: this.#floor, before: this.#before, lot: this.#lot, isWriterUp })
  }

  /** The connections to whoever is asked now. */
  #ask(replica: Replica | null): PostgresPool {
    if (replica !== this.#asked) this.#switches += 1
    this.#asked = replica
    this.#before = replica ?? this.#before
    return replica?.pool ?? this.#writer.pool
  }

  /** The writer; or whoever is left where it is away. */
  readonly #elsewhere = async (): Promise<PostgresPoolClient> => {
    try {
      return await this.#ask(null).connect()
    } catch (error) {
      if (!isAway(error)) throw error
      this.#isWriterUp = false
      const left = this.#choose(false)
      if (left === null) throw error
      return this.#ask(left).connect()
    }
  }

  #lookSoon(): void {
    if (performance.now() - this.#lookedMs > SOON_MS) void this.look()
  }
}

function leave(replica: Replica, state: ReplicaState): void {
  replica.state = state
  replica.lsn = null
  replica.isKnown = false
}

/** Its address may lead to another one by now. */
function leaveServer(replica: Replica, state: ReplicaState): void {
  leave(replica, state)
  replica.pool.renew()
  replica.looking.renew()
}

/** It may hang as well as be gone: nobody goes on waiting there. */
function lose(replica: Replica): void {
  leave(replica, 'away')
  replica.isAstray = false
  replica.pool.leave()
  replica.looking.leave()
}

const asking = (pool: PostgresPool) => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

/** The one row, or nothing when it does not come in time. */
const whereIs = <T>(asked: Promise<{ rows: T[] }>): Promise<T | undefined> =>
  inTime<T | undefined>(
    asked.then(
      ({ rows }) => rows[0],
      () => undefined,
    ),
    PATIENCE_MS,
    undefined,
  )
