import type { TimestampUs } from '../domain/time/timestamp.ts'
import { archivingAlone, NotHeld } from '../store/probes/archive-lease.ts'
import { forgetArchived, hasEntriesBefore, sayArchived, unarchivedMonths } from '../store/probes/archived.ts'
import type { Store } from '../store/store.ts'
import { temporaryAside } from '../store/transfer/aside.ts'
import { exportProbesBefore } from '../store/transfer/export.ts'
import { archiveProblem } from './archive-problem.ts'
import { type ArchivedFile, addToManifest, readManifest } from './manifest.ts'
import { type LocalFile, MonthFiles } from './month-files.ts'
import type { ArchivePlace } from './place.ts'
import { missingMonths, notWhole } from './whole.ts'

export interface Archiving {
  readonly beforeUs: TimestampUs
  readonly nowUs: TimestampUs
  /** What was archived before is elsewhere, and stays there. */
  readonly isNewPlace?: boolean
  /** Ends it; what is kept for good by then is there when it is run again. */
  readonly signal?: AbortSignal | undefined
  onProgress?(records: number, total: number): void
}

/**
 * As `archiveMonths`, by one program at a time: two would write one manifest, each without what the other adds. Rejects while
 * the place lacks months that went there before: whatever took them would take the next ones too.
 */
export async function archiveOld(store: Store, place: ArchivePlace, archiving: Archiving): Promise<ArchivedFile[]> {
  const isNewPlace = archiving.isNewPlace === true
  // Most days there is nothing to write or to remove.
  if (!isNewPlace && !(await hasEntriesBefore(store.read, archiving.beforeUs))) return []
  const missing = await missingMonths(store.read, place)
  if (missing.length > 0 && !isNewPlace) throw notWhole(place, missing)
  if (missing.length > 0) await store.write((writer) => forgetArchived(writer, missing))
  if ((await unarchivedMonths(store.read, archiving.beforeUs)).size === 0) return []
  try {
    return await archivingAlone(store, (stillHeld) => archiveMonths(store, place, archiving, stillHeld))
  } catch (error) {
    if (!(error instanceof NotHeld)) throw error
    throw archiveProblem(
      'another program archives this store at the moment',
      'run it again when that one has ended; of one that was killed elsewhere, after a minute',
      409,
    )
  }
}

/**
 * Writes every month of entries that end before a time and are not archived yet, whole, as the records of an export. The
 * store is told that a month is archived when its files and the manifest that names them are kept for good, and not before;
 * nothing is removed here. Cut short, it is simply run again: equal months give equal files.
 */
async function archiveMonths(
  store: Store,
  place: ArchivePlace,
  archiving: Archiving,
  stillHeld: () => Promise<void>,
): Promise<ArchivedFile[]> {
  const { beforeUs, nowUs, signal, onProgress = () => undefined } = archiving
  const months = await unarchivedMonths(store.read, beforeUs)
  const total = [...months.values()].reduce((sum, n) => sum + n, 0)
  if (total === 0) return []
  const { path: folder, remove } = temporaryAside('tollbook-archive-')
  const files = new MonthFiles(folder)
  try {
    const written = new Map<string, number>()
    let done = 0
    await exportProbesBefore(store, beforeUs, async (records) => {
      signal?.throwIfAborted()
      for (const [month, of] of byMonth(records)) {
        if (!months.has(month)) continue
        await files.add(month, of)
        written.set(month, (written.get(month) ?? 0) + of.length)
        done += of.length
      }
      onProgress(done, total)
    })
    await stillHeld()
    const known = await readManifest(place)
    const kept: ArchivedFile[] = []
    for (const file of await files.end()) kept.push(await keep(place, file, [...known, ...kept]))
    await stillHeld()
    await addToManifest(place, kept, folder)
    await stillHeld()
    await store.write((writer) => sayArchived(writer, written, nowUs))
    return kept
  } finally {
    files.close()
    remove()
  }
}

function byMonth<T extends { readonly date: string }>(records: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const months = new Map<string, T[]>()
  for (const record of records) {
    const month = record.date.slice(0, 7)
    const of = months.get(month) ?? []
    of.push(record)
    months.set(month, of)
  }
  return months
}

/** Under a name of its own where others of the month have the plain one. */
async function keep(place: ArchivePlace, found: LocalFile, known: readonly ArchivedFile[]): Promise<ArchivedFile> {
  const { local, ...digest } = found
  const plain = `probes-${found.month}.ndjson.gz`
  const isTaken = known.some(({ file, sha256 }) => file === plain && sha256 !== found.sha256)
  const file = isTaken ? `probes-${found.month}-${found.sha256.slice(0, 12)}.ndjson.gz` : plain
  await place.keep(file, local, digest)
  return { ...digest, file }
}
