import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Finding } from '../../cli/doctor.ts'
import { Problem } from '../../domain/problem.ts'
import { damaged, RESTORE_HINT, reasonOf, storeProblem } from '../../domain/store-trouble.ts'
import { CLOCKS_DIFFER_US, formatTimestamp } from '../../domain/time/timestamp.ts'
import { PLACES } from '../../store/engines/citus-tables.ts'
import { SQLITE_FILE } from '../../store/engines/sqlite-file.ts'
import { ROOM_BYTES } from '../../store/full.ts'
import { openStoreAsItIs } from '../../store/open.ts'
import { keptSinceUs } from '../../store/probes/retention.ts'
import { SCHEMA_VERSION, schemaVersion, versionProblem } from '../../store/schema-version.ts'
import type { Store } from '../../store/store.ts'
import { damageIn } from '../../store/transfer/damage.ts'
import { nowUs } from '../clock.ts'
import type { Config } from '../config.ts'
import { fail, ok, warn } from './finding.ts'

const LEAST_FREE_BYTES = 1024 ** 3
const GIB = 1024 ** 3
const OF_URL = 'Postgres of DATABASE_URL'
const MAKE_ROOM = 'make room: the store stops when the disk is full'
const SET_DATA_DIR = 'set DATA_DIR to a folder this user can write'

/** Looks at the store as it stands: nothing is made, migrated or written, so that a new version can look at production. */
export async function databaseFinding(config: Config): Promise<Finding> {
  try {
    if (config.databaseUrl === undefined) return await sqliteFinding(config)
    const { databaseUrl } = config
    return await withStore(config, (store) => postgresFinding(store, databaseUrl))
  } catch (thrown) {
    const error = config.databaseUrl === undefined ? thrown : storeProblem(thrown)
    if (error instanceof Problem) return fail(error.detail, error.hint)
    const hint = config.databaseUrl === undefined ? RESTORE_HINT : 'look at the log of the database server'
    return fail(`the database cannot be read: ${reasonOf(error)}`, hint)
  }
}

/** What is found in the store as it is, which is closed again. */
export async function withStore<T>(config: Config, look: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStoreAsItIs(config)
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

async function sqliteFinding(config: Config): Promise<Finding> {
  const { dataDir } = config
  const found = await stat(dataDir).catch(() => undefined)
  if (found === undefined) return newFolderFinding(dataDir)
  if (!found.isDirectory()) return fail(`${dataDir} is not a folder`, SET_DATA_DIR)
  if (!(await isWritable(dataDir))) return fail(`the data folder ${dataDir} cannot be written`, SET_DATA_DIR)
  const file = resolve(dataDir, SQLITE_FILE)
  if ((await stat(file).catch(() => undefined)) === undefined) {
    return ok(`no store in ${dataDir} yet: the first start makes it`)
  }
  if (!(await isWritable(file))) return fail(`${file} cannot be written`, 'give it to the user that runs tollbook')
  return withStore(config, async (store) => {
    const damage = await damageIn(store)
    if (damage !== undefined) throw damaged(damage)
    return versionFinding(store, `SQLite in ${dataDir}`)
  })
}

/** The first start makes the folder, where it can. */
async function newFolderFinding(dataDir: string): Promise<Finding> {
  const place = await nearestFound(dirname(resolve(dataDir)))
  const found = await stat(place).catch(() => undefined)
  const isFit = found?.isDirectory() && (await isWritable(place))
  if (isFit) return ok(`no folder ${dataDir} yet: the first start makes it`)
  return fail(`the folder ${dataDir} cannot be made: ${place} takes no folder`, SET_DATA_DIR)
}

/** The path itself, or the first of its parents that is there. */
export async function nearestFound(path: string): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    const found = await stat(place).catch(() => undefined)
    if (found !== undefined || place === dirname(place)) return place
  }
}

/** /proc says of itself that root may write there. */
export async function isWritable(path: string): Promise<boolean> {
  if (/^\/(?:proc|sys)(?:\/|$)/.test(path)) return false
  return access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  )
}

async function postgresFinding(store: Store, url: string): Promise<Finding> {
  const { rows } = await sql<{
    standby: boolean
    encoding: string
    schema: string | null
    may_create: boolean
  }>`select pg_is_in_recovery() as standby, current_setting('server_encoding') as encoding, current_schema() as schema,
    has_schema_privilege(current_user, current_schema(), 'create') as may_create`.execute(store.read)
  if (rows[0]?.standby)
    return fail('the database is a standby, which takes no writes', 'name the primary in DATABASE_URL')
  const { refuseEncoding, takesWrites } = await import('../../store/engines/postgres.ts')
  if (!(await takesWrites(url))) {
    const fix = 'name the primary in DATABASE_URL, or set default_transaction_read_only to off there'
    return fail('the database takes no writes', fix)
  }
  refuseEncoding(rows[0]?.encoding ?? '')
  if (!rows[0]?.schema) {
    return fail('the search_path of the user of DATABASE_URL names no schema', 'name one that is there')
  }
  if (!rows[0].may_create) {
    return fail('the user of DATABASE_URL may make no tables', 'make it the owner of the database')
  }
  const foreign = await foreignTables(store)
  if (foreign.length > 0) {
    return fail(`${OF_URL} holds ${foreign.join(', ')} of something else`, 'name an empty database in DATABASE_URL')
  }
  const workers = await store.workers()
  const away = workers.flatMap(({ name, isThere }) => (isThere ? [] : [name]))
  if (away.length > 0)
    return fail(`no answer from ${away.join(', ')}`, 'start it again: what lies there cannot be read')
  return versionFinding(store, workers.length === 0 ? OF_URL : `${OF_URL}, ${workers.length} workers`)
}

/** Tables that have our names where we have made none. */
async function foreignTables(store: Store): Promise<readonly string[]> {
  if ((await schemaVersion(store.read)) !== null) return []
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace order by relname`.execute(store.read)
  return rows.map(({ name }) => name).filter((name) => Object.hasOwn(PLACES, name))
}

async function versionFinding(store: Store, what: string): Promise<Finding> {
  const version = await schemaVersion(store.read)
  if (version === null) return ok(`${what}, empty: the first start makes its tables`)
  const fault = versionProblem(version)
  if (fault === undefined) return keptFinding(store, `${what}, schema version ${version}`)
  if (version > SCHEMA_VERSION) return fail(fault.detail, fault.hint)
  const steps = `${what} has schema version ${version}; this program needs ${SCHEMA_VERSION}`
  return warn(steps, 'back it up with the version that wrote it; the next start of this one brings it up to date')
}

/** Entries from before are refused, so of a time to come all are. */
async function keptFinding(store: Store, what: string): Promise<Finding> {
  const sinceUs = (await keptSinceUs(store.read)) ?? 0
  if (sinceUs <= nowUs()) return aheadFinding(store, what)
  const ahead = `${what}, takes no entries from before ${formatTimestamp(sinceUs)}, which lies ahead`
  return warn(ahead, 'set the clock; tollbook serve puts it right when it starts, and tollbook archive does')
}

/** What was dated by a clock that was ahead is the newest until then, whatever was seen since. */
async function aheadFinding(store: Store, what: string): Promise<Finding> {
  const found = await sql<{ us: number }>`select coalesce(max(coalesce(newest_probe_us, -1)), -1) as us
    from host_counters`.execute(store.read)
  const newestUs = found.rows[0]?.us ?? -1
  if (newestUs <= nowUs() + CLOCKS_DIFFER_US) return ok(what)
  const ahead = `${what}, has entries of ${formatTimestamp(newestUs)}, which lies ahead: what is said of their routes stands until then`
  return warn(ahead, 'set the clock where it is behind; else restore the backup from before it was ahead, or wait')
}

/** What is told of a disk, in blocks; what is no disk has none. */
type Looked = (path: string) => Promise<{ readonly blocks: number; readonly bavail: number; readonly bsize: number }>

export async function diskFinding(dataDir: string, look: Looked = statfs): Promise<Finding> {
  for (let place = resolve(dataDir); ; place = dirname(place)) {
    const found = await look(place).catch(() => undefined)
    if (found === undefined && place !== dirname(place)) continue
    if (found === undefined) return fail(`the disk of ${dataDir} cannot be looked at`, SET_DATA_DIR)
    const free = found.bavail * found.bsize
    const room = `${(free / GIB).toFixed(1)} GiB free`
    if (free >= LEAST_FREE_BYTES) return ok(room)
    const isFull = found.blocks > 0 && free < ROOM_BYTES
    return (isFull ? fail : warn)(isFull ? 'no room is left' : room, MAKE_ROOM)
  }
}
