import { type RawBuilder, sql } from 'kysely'
import { Problem } from '../../domain/problem.ts'
import type { Reader, Writer } from '../schema.ts'
import type { Store, StoreWorker } from '../store.ts'
import { type Place, tablesAt } from './citus-tables.ts'

/** Enough to move some when a worker is added, and few: what touches many hosts asks every shard. */
const SHARDS_A_WORKER = 4

/**
 * Of every connection to the database. Batches of different hosts wait for each other only where they touch the same
 * rows, connections to workers are kept, one for each worker: what is asked here is answered sooner than more of them are
 * opened. What changes tables does so on one shard after another, as Citus demands of a transaction that also writes.
 */
const SETTINGS = {
  'citus.all_modifications_commutative': 'on',
  'citus.max_cached_conns_per_worker': '32',
  'citus.max_adaptive_executor_pool_size': '1',
  'citus.multi_shard_modify_mode': 'sequential',
}

/** Of connections from the coordinator to workers: as readers of one Postgres have them (`READER_OPTIONS`). */
const WORKER_SETTINGS = { enable_sort: 'off', enable_bitmapscan: 'off', jit: 'off' }

export interface PlacedTable {
  readonly table: string
  readonly place: Place
}

export interface Distributed {
  /** Tables that had no place before. */
  readonly placed: readonly PlacedTable[]
  readonly shards: number
  readonly workers: number
}

/** Spreads the tables over the workers of a Citus cluster; what is placed already stays where it is. */
export async function distribute(store: Store, shards?: number): Promise<Distributed> {
  if (store.dialect.engine !== 'postgres' || !(await isCitus(store.read))) throw noCitus(store.dialect.name)
  const workers = await activeWorkers(store.read)
  if (workers.length === 0) throw noWorkers()
  const placed = await store.write((writer) => placeTables(writer, shards ?? workers.length * SHARDS_A_WORKER))
  await applySettings(store.read)
  const lower = await lowerEnds(store.read)
  return { placed, shards: lower?.length ?? 0, workers: workers.length }
}

/** Also of the tables that a migration has added to a cluster. */
export async function placeTables(writer: Writer, shards: number): Promise<PlacedTable[]> {
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(writer)
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_dist_partition as p
    join pg_class as c on c.oid = p.logicalrelid`.execute(writer)
  const known = new Set(rows.map(({ name }) => name))
  const missing = (place: Place): PlacedTable[] =>
    tablesAt(place).flatMap((table) => (known.has(table) ? [] : [{ table, place }]))
  const placed = [...missing('everywhere'), ...missing('with its host'), ...missing('coordinator')]
  for (const { table, place } of placed) {
    if (place === 'coordinator') {
      await sql`select citus_add_local_table_to_metadata(${table}::regclass)`.execute(writer)
      continue
    }
    if (place === 'everywhere') await sql`select create_reference_table(${table})`.execute(writer)
    else await sql`select create_distributed_table(${table}, 'host_id', ${besideHosts(table, shards)})`.execute(writer)
    // What it held was copied; the coordinator's own rows are only in the way.
    await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(writer)
  }
  return placed
}

const besideHosts = (table: string, shards: number): RawBuilder<unknown> =>
  table === 'hosts' ? sql`shard_count => ${sql.lit(shards)}, colocate_with => 'none'` : sql`colocate_with => 'hosts'`

const assignments = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`)

async function applySettings(reader: Reader): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(reader)
  const alter = (assignment: string): string => `alter database ${rows[0]?.name} ${assignment}`
  for (const assignment of assignments(SETTINGS)) await sql.raw(alter(assignment)).execute(reader)
  for (const assignment of assignments(WORKER_SETTINGS)) {
    // Citus has the coordinator alone alter databases, on all machines alike, unless this one keeps it to itself.
    const command = `set citus.enable_ddl_propagation = off; ${alter(assignment)}`
    const answers = await sql<{ name: string; isDone: boolean; result: string }>`select result, success as "isDone",
        nodename || ':' || nodeport as name from run_command_on_workers(${command})`.execute(reader)
    const refused = answers.rows.find(({ isDone }) => !isDone)
    if (refused !== undefined) throw settingRefused(refused.name, refused.result)
  }
}

async function isCitus(reader: Reader): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(reader)
  return rows.length > 0
}

/** The lowest hash of each shard of hosts, in order; `null` where tables are not distributed. */
export async function lowerEnds(reader: Reader): Promise<readonly number[] | null> {
  if (!(await isCitus(reader))) return null
  const { rows } = await sql<{ lowest: number }>`select shardminvalue::bigint as lowest from pg_dist_shard
    where logicalrelid = to_regclass('hosts') order by 1`.execute(reader)
  return rows.length === 0 ? null : rows.map(({ lowest }) => lowest)
}

/** As `host:port`. */
async function activeWorkers(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select nodename || ':' || nodeport as name from pg_dist_node
    where isactive and shouldhaveshards and groupid > 0 order by 1`.execute(reader)
  return rows.map(({ name }) => name)
}

export async function askWorkers(reader: Reader): Promise<readonly StoreWorker[]> {
  const { rows } = await sql<{ name: string; isThere: boolean }>`select nodename || ':' || nodeport as name,
      success as "isThere" from run_command_on_workers('select 1') order by 1`.execute(reader)
  return rows
}

const noCitus = (name: string): Problem =>
  new Problem(
    'no-citus',
    500,
    'No Citus',
    `the store is ${name} without Citus`,
    'name the coordinator in DATABASE_URL, create the extension on every machine, add the workers: docs/scale.md',
  )

const settingRefused = (worker: string, reason: string): Problem =>
  new Problem(
    'worker-settings',
    500,
    'Worker not set up',
    `the worker ${worker} does not take its settings: ${reason}`,
    'see that it answers, and that the user of DATABASE_URL owns the database there; then call tollbook distribute again',
  )

const noWorkers = (): Problem =>
  new Problem(
    'no-workers',
    500,
    'No workers',
    'the Citus cluster of DATABASE_URL has no workers',
    "add each of them with select citus_add_node('<host>', 5432): docs/scale.md",
  )
