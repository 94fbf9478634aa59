import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { Problem } from '../../domain/problem.ts'
import { isNotOpened } from '../../domain/store-trouble.ts'
import { migrate, type OnSchemaStep } from '../migrate.ts'
import type { Reader, Writer } from '../schema.ts'
import type { AtOnce } from '../sql/parts.ts'
import { sqliteDialect } from '../sql/sqlite.ts'
import type { Store } from '../store.ts'
import { type Hold, holdAlone, holdShared, inUse, isLocked, makeHoldFile } from './sqlite/hold.ts'
import { connect, execute } from './sqlite-connection.mjs'
import { type Executed, type How, sqliteKysely } from './sqlite-driver.ts'
import { type FoundFile, foundFile, SQLITE_FILE, sharedFile } from './sqlite-file.ts'
import { WRITER } from './sqlite-writer-file.mjs'

export { SQLITE_FILE } from './sqlite-file.ts'

/** Other programs' writes are looked for this often; this program's own at once. */
const EPOCH_MS = 100

type Connection = ReturnType<typeof connect>

/** The store in one file. Reads happen here, at once; writes on a thread of their own, so that they never hold reads up. */
export const openSqlite = (dataDir: string, onStep?: OnSchemaStep): Promise<Store> =>
  openHolding(dataDir, holdWithOthers, onStep)

async function openHolding(dataDir: string, holding: Holding, onStep?: OnSchemaStep): Promise<Store> {
  prepareFolder(dataDir)
  const hold = holding(dataDir)
  try {
    return await openHeld(dataDir, hold, onStep)
  } catch (error) {
    hold.release()
    throw error
  }
}

type Holding = (dataDir: string) => Hold

function holdWithOthers(dataDir: string): Hold {
  try {
    makeHoldFile(dataDir)
  } catch {
    // As on a full disk, where the store is opened all the same.
  }
  return holdShared(dataDir)
}

/** Where no other program has it open. */
export const openSqliteAlone = (dataDir: string, onStep?: OnSchemaStep): Promise<Store> => {
  const alone: Holding = () => {
    // First of all: who is refused leaves the file as it is, for whoever reads it without its log.
    const hold = holdAlone(dataDir)
    try {
      refuseOpened(dataDir)
      return hold
    } catch (error) {
      hold.release()
      throw error
    }
  }
  return openHolding(dataDir, alone, onStep)
}

async function openHeld(dataDir: string, hold: Hold, onStep?: OnSchemaStep): Promise<Store> {
  const path = join(dataDir, SQLITE_FILE)
  keepPrivate(path)
  const writer = await openThread(path, { readOnly: false })
  const write = sqliteKysely(writer.execute, 'begin immediate')
  const transact = <T>(work: (writer: Writer) => Promise<T>): Promise<T> => write.transaction().execute(work)
  await migrate(sqliteDialect, transact, onStep)
  const file = sharedFile(path)
  const reading = connect(path, { readOnly: true })
  const { read, atOnce, ping, workers } = readingOf(reading, file)

  /** Transactions under way or waiting for their turn. */
  let waiting = 0
  let lookedMs = Number.NEGATIVE_INFINITY
  let seen = 0
  return {
    dialect: sqliteDialect,
    file: path,
    read,
    atOnce,
    write: async (work) => {
      waiting++
      try {
        return await transact(work)
      } finally {
        waiting--
        lookedMs = Number.NEGATIVE_INFINITY
      }
    },
    snapshot: (work) => withSnapshot(file, work),
    prepareMonths: async () => undefined,
    months: null,
    parts: null,
    switches: () => 0,
    epoch: () => {
      const now = performance.now()
      if (now - lookedMs >= EPOCH_MS) {
        lookedMs = now
        // Grows with every commit that changed something, of another connection than this one: writes have their own.
        seen = Number(execute(reading, 'pragma data_version', []).rows[0]?.data_version)
      }
      return seen
    },
    ping,
    findRoom: async () => undefined,
    workers,
    shrink: () => write.connection().execute(shrink),
    load: () => ({ waiting }),
    close: async () => {
      await writer.close()
      reading.close()
      hold.release()
    },
  }
}

/** So many pages of 4 KiB in one transaction: a step that other programs hardly notice. */
const PAGES_A_STEP = 1000

async function shrink(writer: Reader): Promise<void> {
  const freePages = async (): Promise<number> => {
    const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(writer)
    return rows[0]?.freelist_count ?? 0
  }
  for (let before = Number.POSITIVE_INFINITY, left = await freePages(); left > 0 && left < before; ) {
    await sql`pragma incremental_vacuum(${sql.lit(PAGES_A_STEP)})`.execute(writer)
    before = left
    left = await freePages()
  }
  // The file itself ends earlier once the log is written back into it; nobody is waited for.
  await sql`pragma wal_checkpoint(passive)`.execute(writer)
}

/** Level by level: where a level cannot be made, as under /proc, Node's own way to make all of them never ends. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(resolve(folder))
  if (parent !== resolve(folder)) makeFolder(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another program may have made it meanwhile.
    if (!existsSync(folder)) throw error
  }
}

function prepareFolder(dataDir: string): void {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new Problem(
      'data-dir',
      500,
      'Data folder not writable',
      `the data folder ${dataDir} cannot be written (${code})`,
      'set DATA_DIR to a folder this user can write',
    )
  }
}

/**
 * Payments that are not settled yet are in there with what pays them: nobody but the program's own user reads it. SQLite
 * gives the files beside it the permissions of the first. A file that is there is not opened: closed again, it would take the locks of
 * whatever else of this program has it open, and another program that closes it would take the log away from under that.
 */
function keepPrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      chmodSync(file, 0o600)
    } catch {
      // Not there yet, or of another user who has decided who reads it.
    }
  }
}

/** The committed state of one moment as a file of its own, while others read and write. It must not be there yet. */
export async function copySqlite(path: string, target: string): Promise<void> {
  const copyTo = async (found: FoundFile): Promise<void> => {
    const thread = await openThread(found.place, { readOnly: true })
    try {
      await thread.execute(`vacuum into '${target.replaceAll("'", "''")}'`, [], 'awaited')
    } finally {
      await thread.close()
      found.refuseChanged()
    }
  }
  try {
    await copyTo(sharedFile(path))
  } catch (error) {
    if (!isNotOpened(error)) throw error
    await copyTo(foundFile(path))
  }
}

/** Rejects while another program has the store open, one that holds nothing but the file itself, too: of an earlier version. */
function refuseOpened(dataDir: string): void {
  const path = join(dataDir, SQLITE_FILE)
  if (!existsSync(path)) return
  const connection = connect(path, { readOnly: false })
  try {
    // Only who is alone with a file can change how it is written.
    connection.database.exec('pragma busy_timeout = 0; pragma journal_mode = delete')
  } catch (error) {
    throw isLocked(error) ? inUse(dataDir) : error
  } finally {
    connection.close()
  }
}

/** What is read on a connection, at once. */
export function readingOf(
  connection: Connection,
  found: FoundFile,
): Pick<Store, 'read' | 'ping' | 'workers'> & { readonly atOnce: AtOnce } {
  const execution = executionOn(connection, found)
  return {
    read: sqliteKysely(execution, 'begin'),
    atOnce: (sql, parameters) => execution(sql, parameters).rows,
    workers: async () => [],
    ping: async () => {
      execute(connection, 'select 1 from schema_version', [])
    },
  }
}

const executionOn =
  (connection: Connection, found: FoundFile) =>
  (sql: string, parameters: readonly unknown[]): Executed => {
    try {
      return execute(connection, sql, parameters)
    } finally {
      found.refuseChanged()
    }
  }

/** A connection of its own, so that a long read holds up nobody else's. */
export async function withSnapshot<T>(found: FoundFile, work: (reader: Reader) => Promise<T>): Promise<T> {
  const connection = connect(found.place, { readOnly: true })
  try {
    return await sqliteKysely(executionOn(connection, found), 'begin').transaction().execute(work)
  } finally {
    connection.close()
  }
}

interface SqliteThread {
  execute(sql: string, parameters: readonly unknown[], how: How): Promise<Executed>
  close(): Promise<void>
}

/** Of a statement that nobody waits for. */
const UNKNOWN: Executed = { rows: [], changes: 0 }

interface Answer {
  readonly id: number
  readonly result?: Executed
  readonly error?: Error
}

/** A thread whose file was closed, for the next one: to start it took longer than most of what is written in a test. */
let resting: Worker | undefined

/** A connection on a thread of its own, so that what takes long there holds up nobody here. */
async function openThread(path: string, { readOnly }: { readonly readOnly: boolean }): Promise<SqliteThread> {
  const worker = resting ?? new Worker(WRITER)
  resting = undefined
  const waiting = new Map<number, { resolve(result: Executed): void; reject(error: unknown): void }>()
  let next = 0
  let failed: unknown
  const fail = (error: unknown): void => {
    failed ??= error
    for (const waiter of waiting.values()) waiter.reject(failed)
    waiting.clear()
  }
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the writing thread has ended')))
  worker.ref()
  worker.postMessage({ path, readOnly })
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
  })
  const closed = new Promise<void>((resolve) => {
    worker.on('message', (answer: Answer | 'closed') => {
      if (answer === 'closed') return resolve()
      const waiter = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (waiting.size === 0) worker.unref()
      if (answer.result) waiter?.resolve(answer.result)
      else waiter?.reject(answer.error)
    })
  })
  // An idle writer keeps no program alive; a statement under way does.
  worker.unref()
  return {
    execute: (sql, parameters, how) =>
      new Promise((resolve, reject) => {
        if (failed) return reject(failed)
        if (how === 'later' || how === 'later, for each') {
          worker.postMessage({ sql, parameters, isForEach: how === 'later, for each' })
          return resolve(UNKNOWN)
        }
        if (waiting.size === 0) worker.ref()
        const id = next++
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, sql, parameters, isAhead: how === 'ahead' })
      }),
    close: async () => {
      if (failed) return
      worker.ref()
      worker.postMessage('close')
      await Promise.race([closed, ended])
      const hasEnded = failed !== undefined
      fail(new Error('the store is closed'))
      if (hasEnded) return
      // All at once would take away Node's own as well.
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
      worker.unref()
      if (resting === undefined) resting = worker
      else worker.postMessage('end')
    },
  }
}
