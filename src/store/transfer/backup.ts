import { createWriteStream } from 'node:fs'
import { chmod, copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { EVERY_HOST } from '../../domain/host.ts'
import { Problem } from '../../domain/problem.ts'
import { isFull, reasonOf } from '../../domain/store-trouble.ts'
import type { Writer } from '../schema.ts'
import type { Store } from '../store.ts'
import { folderAside, temporaryAside } from './aside.ts'
import { exportRecords } from './export.ts'
import { importFile } from './import.ts'
import { Seal, type SealedKey, unsealed } from './seal.ts'
import { verifyStore } from './verify.ts'

/** What stands in a backup: the file of SQLite as it is, or the records of an export. */
export type BackupForm = 'SQLite file' | 'records'

export interface BackedUp {
  readonly form: BackupForm
  readonly hosts: number
}

export interface Restored extends BackedUp {
  /** Keys that have signed the log, which the backup does not hold, and must not sign the one that begins now. */
  readonly usedKeys: number
}

/** Begins every file of SQLite. */
const SQLITE_MAGIC = 'SQLite format 3\0'
const OWNER_ONLY = 0o600

/**
 * Writes the store of one moment to a file while others go on writing. It is opened again and every counter recomputed
 * from its rows before it appears under its name.
 */
export async function backUp(store: Store, file: string): Promise<BackedUp> {
  // Beside the file, so that the last step is a rename.
  const { path: folder, remove } = folderAside(join(dirname(file), '.tollbook-backup-'))
  try {
    const form = store.file === null ? 'records' : 'SQLite file'
    const { SQLITE_FILE, copySqlite, openSqlite } = await import('../engines/sqlite.ts')
    const written = join(folder, form === 'records' ? 'records.ndjson' : SQLITE_FILE)
    if (store.file === null) await writeRecords(store, written)
    else await copySqlite(store.file, written)
    const copy = await openSqlite(folder)
    const hosts = await (async () => {
      if (form === 'records') await importSealed(copy, written, folder)
      const hosts = await verified(copy, 'the backup')
      await forgetTotals(copy)
      return hosts
    })().finally(() => copy.close())
    await chmod(written, OWNER_ONLY)
    await synced(written)
    await rename(written, file)
    return { form, hosts }
  } finally {
    remove()
  }
}

/** Puts a backup into an empty store, which it closes, and verifies it. Nobody else may have the store open. */
export async function restore(store: Store, file: string): Promise<Restored> {
  const form = await formOf(file)
  if (await isUsed(store)) {
    await store.close()
    throw refused('the store is not empty', 'name an empty one with DATA_DIR or DATABASE_URL')
  }
  if (form === 'records') {
    const { path: folder, remove } = temporaryAside('tollbook-restore-')
    try {
      await forgetTotals(store)
      const usedKeys = await importSealed(store, file, folder)
      return { form, hosts: await verified(store, 'the store'), usedKeys }
    } finally {
      await store.close()
      remove()
    }
  }
  const path = store.file
  await store.close()
  if (path === null) {
    throw refused(`${file} is a file of SQLite`, 'restore it without DATABASE_URL, then export and import it')
  }
  const { holdAlone } = await import('../engines/sqlite/hold.ts')
  // Until the file is in its place nobody else opens what it takes the place of.
  const hold = holdAlone(dirname(path))
  try {
    return { form, hosts: await putInPlace(path, file), usedKeys: 0 }
  } finally {
    hold.release()
  }
}

/** They are shown after a start, and are of the store that they were counted in. */
const forgetTotals = (store: Store): Promise<unknown> =>
  store.write((writer) => writer.deleteFrom('kept_totals').execute())

/** Answers how many hosts are in it. */
async function putInPlace(path: string, file: string): Promise<number> {
  const { stillFile } = await import('../engines/sqlite-file.ts')
  const isUnchanged = stillFile(path)
  // Looked at beside its place first: a damaged copy never gets there.
  const { path: folder, remove } = folderAside(join(dirname(path), '.tollbook-restore-'))
  try {
    const { openSqlite } = await import('../engines/sqlite.ts')
    const copied = join(folder, basename(path))
    await copyFile(file, copied)
    const refuse = (error: unknown): never => {
      if (error instanceof Problem || isFull(error)) throw error
      throw refused(`${file} is damaged: ${reasonOf(error)}`, 'take another backup')
    }
    await refuseOther(folder, file).catch(refuse)
    const copy = await openSqlite(folder).catch(refuse)
    const look = async (): Promise<number> => {
      const found = await verified(copy, file)
      await forgetTotals(copy)
      return found
    }
    const hosts = await look()
      .finally(() => copy.close())
      .catch(refuse)
    await chmod(copied, OWNER_ONLY)
    await synced(copied)
    await refuseUsed(path, isUnchanged)
    for (const beside of ['-wal', '-shm']) await rm(`${path}${beside}`, { force: true })
    await rename(copied, path)
    return hosts
  } finally {
    remove()
  }
}

/** Rejects a file of SQLite that is no store: opened as one it would become an empty one. */
async function refuseOther(folder: string, file: string): Promise<void> {
  const copy = await lookAlone(folder)
  const found = sql`select 1 from sqlite_master where name = 'schema_version'`
  const { rows } = await found.execute(copy.read).finally(() => copy.close())
  if (rows.length > 0) return
  throw refused(`${file} is a file of SQLite, but no store`, 'name a file that tollbook backup has written')
}

/** Under the hold that this program has. */
async function lookAlone(folder: string): Promise<Store> {
  const [{ lookAtSqlite }, { NO_HOLD }] = await Promise.all([
    import('../engines/sqlite-look.ts'),
    import('../engines/sqlite/hold.ts'),
  ])
  return lookAtSqlite(folder, () => NO_HOLD)
}

/** Rejects where somebody has begun to use the store while the copy was looked at: what it wrote would be lost. */
async function refuseUsed(path: string, isUnchanged: () => boolean): Promise<void> {
  const store = await lookAlone(dirname(path))
  const isEmpty = !(await isUsed(store).finally(() => store.close()))
  if (isEmpty && isUnchanged()) return
  throw refused(`another program has begun to write to ${path} meanwhile`, 'stop it, and restore into an empty store')
}

async function writeRecords(store: Store, file: string): Promise<void> {
  const lines = new Readable({ read: () => undefined })
  const written = pipeline(lines, createWriteStream(file, { mode: OWNER_ONLY }))
  const seal = new Seal()
  await exportRecords(store, async (records) => {
    const hasRoom = lines.push(seal.add(records.map((record) => JSON.stringify(record))))
    if (!hasRoom) await new Promise((resolve) => setImmediate(resolve))
  })
  lines.push(seal.end(await keysOf(store)))
  lines.push(null)
  await written
}

/** Who may have signed the log up to its head of now. */
async function keysOf({ read }: Store): Promise<SealedKey[]> {
  const head = await read.selectFrom('log_state').select(['size', 'root']).executeTakeFirstOrThrow()
  const keys = await read.selectFrom('log_keys').selectAll().orderBy('vkey').execute()
  return keys.map(({ vkey, size, root }) => ({ vkey, size: size ?? head.size, root: root ?? head.root }))
}

async function saveKeys(writer: Writer, keys: readonly SealedKey[]): Promise<void> {
  const rows = writer.insertInto('log_keys').values([...keys])
  await rows.onConflict((conflict) => conflict.doNothing()).execute()
}

/** Nothing is imported unless the file is whole to its last byte. Answers how many keys have signed its log. */
async function importSealed(store: Store, file: string, folder: string): Promise<number> {
  const plain = join(folder, 'unsealed.ndjson')
  let keys: readonly SealedKey[] = []
  const onKeys = (found: readonly SealedKey[]): void => {
    keys = found
  }
  try {
    await pipeline(unsealed(file, onKeys), createWriteStream(plain, { mode: OWNER_ONLY }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw refused(`${file} is damaged: ${reason}`, 'take another backup; an export is taken in by tollbook import')
  }
  // First: whatever comes of the rest, none of them signs what begins here.
  if (keys.length > 0) await store.write((writer) => saveKeys(writer, keys))
  // As it was: what its clock said wrongly is put right when old entries are folded.
  await importFile(store, plain, EVERY_HOST, undefined, Number.MAX_SAFE_INTEGER)
  return keys.length
}

async function verified(store: Store, what: string): Promise<number> {
  if (store.file !== null) {
    // By the writing thread: it may take minutes, and a signal is heard meanwhile.
    const check = sql<{ integrity_check: string }>`pragma integrity_check(1)`
    const { rows } = await store.write((writer) => check.execute(writer))
    const said = rows[0]?.integrity_check ?? 'no answer'
    if (said !== 'ok') throw refused(`${what} is damaged: ${said}`, 'take another backup')
  }
  const { hosts, differences } = await verifyStore(store, () => undefined)
  if (differences > 0)
    throw refused(`${what} has ${differences} counters that its rows do not give`, 'run tollbook verify')
  return hosts
}

const isUsed = async ({ read }: Store): Promise<boolean> =>
  (await read.selectFrom('hosts').select('host_id').limit(1).executeTakeFirst()) !== undefined

/** Rejects what is no file. One that is read once alone, as a pipe, would be looked at here and be gone. */
export async function formOf(file: string): Promise<BackupForm> {
  const found = await stat(file).catch(() => {
    throw refused(`there is no file ${file}`, 'name a file that tollbook backup has written')
  })
  if (found.isDirectory()) throw refused(`${file} is a folder`, 'name a file that tollbook backup has written')
  if (!found.isFile()) throw refused(`${file} is no file but a pipe or a device`, 'write it to a file, and name that')
  const handle = await open(file)
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(SQLITE_MAGIC.length) })
    return buffer.toString('latin1') === SQLITE_MAGIC ? 'SQLite file' : 'records'
  } finally {
    await handle.close()
  }
}

async function synced(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync().finally(() => handle.close())
}

const refused = (detail: string, hint: string): Problem => new Problem('backup', 400, 'Backup', detail, hint)
