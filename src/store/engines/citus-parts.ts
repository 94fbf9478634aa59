import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely'
import { isAway } from '../../domain/store-trouble.ts'
import type { Reader, Tables } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { StorePart } from '../sql/parts.ts'
import { tablesAt } from './citus-tables.ts'
import { AskingClient } from './postgres-pool.ts'

/** So often it is looked at where shards lie, while anybody reads: they may be moved. */
const LOOK_MS = 1_000
/** A worker that cannot be asked is left out for so long. */
const LEFT_OUT_MS = 5_000
/** What a worker says of a shard that it has no longer, and of a user that may not ask it. */
const NOT_HERE = /^(?:42P01|42501|28...|3D000)$/

interface Placement {
  readonly name: string
  readonly shard: number
  /** Of its hashes; null of a table that lies everywhere. */
  readonly lowest: number | null
  readonly node: string
}

interface Worker {
  readonly pool: PostgresPool
  leftOutUntilMs: number
}

/** The machine that has a shard, and what its tables are called there. */
interface Place {
  readonly worker: Worker
  renamed(text: string): string
}

export interface PartsOptions {
  /** Of the coordinator. */
  readonly coordinator: PostgresPool
  readonly read: Reader
  readonly dialect: Dialect
  /** Connections to a worker, as `host:port`. */
  poolTo(node: string): PostgresPool
}

/**
 * Hosts are read on the machine that has them, from the tables of their shard: the coordinator would plan every statement
 * anew, send it there as text and have it planned there once more. Where that machine cannot be asked, the coordinator is.
 */
export class CitusParts {
  readonly parts: readonly StorePart[]
  readonly #options: PartsOptions
  readonly #workers = new Map<string, Worker>()
  #places: readonly (Place | undefined)[] = []
  #lookedMs = Number.NEGATIVE_INFINITY

  constructor(options: PartsOptions) {
    this.#options = options
    const { dialect } = options
    this.parts = Array.from({ length: dialect.shards }, (_, part) => {
      const pool = { connect: async () => this.#connect(part), end: async () => undefined }
      return { dialect, read: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) }
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map(({ pool }) => pool.end()))
  }

  async #connect(part: number): Promise<PostgresPoolClient> {
    const now = performance.now()
    if (now - this.#lookedMs > LOOK_MS) {
      this.#lookedMs = now
      const looking = this.#look().catch(() => undefined)
      if (this.#places.length === 0) await looking
    }
    const coordinator = () => this.#options.coordinator.connect()
    const place = this.#places[part]
    if (place === undefined || place.worker.leftOutUntilMs > now) return coordinator()
    return new PartClient(place, coordinator)
  }

  async #look(): Promise<void> {
    const placements = await placementsIn(this.#options.read)
    const everywhere = placements.filter(({ lowest }) => lowest === null)
    const ends = [...new Set(placements.flatMap(({ lowest }) => lowest ?? []))].sort((a, b) => a - b)
    this.#places = ends.map((lowest) => {
      const own = placements.filter((placement) => placement.lowest === lowest)
      const node = own.find(({ name }) => name === 'hosts')?.node
      if (node === undefined) return undefined
      const names = new Map([...everywhere, ...own].map(({ name, shard }) => [name, `${name}_${shard}`]))
      return { worker: this.#workerAt(node), renamed: (text) => renamed(text, names) }
    })
  }

  #workerAt(node: string): Worker {
    const known = this.#workers.get(node)
    if (known !== undefined) return known
    const worker = { pool: this.#options.poolTo(node), leftOutUntilMs: 0 }
    this.#workers.set(node, worker)
    return worker
  }
}

async function placementsIn(reader: Reader): Promise<readonly Placement[]> {
  const tables = [...tablesAt('with its host'), ...tablesAt('everywhere')]
  const { rows } = await sql<Placement>`select c.relname as name, s.shardid as shard, s.shardminvalue::bigint as lowest,
      n.nodename || ':' || n.nodeport as node
    from pg_dist_shard as s join pg_class as c on c.oid = s.logicalrelid
    join pg_dist_placement as p on p.shardid = s.shardid and p.shardstate = 1
    join pg_dist_node as n on n.groupid = p.groupid and n.isactive and n.noderole = 'primary'
    where c.relname = any(${tables}::text[])`.execute(reader)
  return rows
}

const FROM = /\b(from|join) "?([a-z_]+)"?(?![\w".])( as )?/g

/** A statement of ours on other tables; each keeps its name where it has no other in the statement. */
export const renamed = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(FROM, (whole, word: string, table: string, as: string | undefined) => {
    const name = names.get(table)
    return name === undefined ? whole : `${word} ${name} as ${as === undefined ? table : ''}`
  })

/** A connection for one statement at a time: to the worker, or where that cannot be asked, to the coordinator. */
class PartClient extends AskingClient {
  #client: PostgresPoolClient | undefined

  constructor(
    private readonly place: Place,
    private readonly coordinator: () => Promise<PostgresPoolClient>,
  ) {
    super()
  }

  override release(): void {
    this.#client?.release()
    this.#client = undefined
  }

  protected override async ask<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const { worker, renamed } = this.place
    try {
      this.#client ??= await worker.pool.connect()
      return await this.#client.query<R>(renamed(text), parameters)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!isAway(error) && !NOT_HERE.test(code)) throw error
      worker.leftOutUntilMs = performance.now() + LEFT_OUT_MS
      this.release()
      this.#client = await this.coordinator()
      return this.#client.query<R>(text, parameters)
    }
  }
}
