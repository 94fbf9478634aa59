import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readManifest } from '../../archive/manifest.ts'
import type { ArchivePlace } from '../../archive/place.ts'
import { missingMonths, notWhole } from '../../archive/whole.ts'
import type { Finding } from '../../cli/doctor.ts'
import { Problem } from '../../domain/problem.ts'
import { reasonOf } from '../../domain/store-trouble.ts'
import { lookAtStore, type StoreOptions } from '../../store/open.ts'
import { placeOf } from '../archive/fold-old.ts'
import type { ArchiveConfig } from '../settings/archive.ts'
import { fail, ok } from './finding.ts'
import { isWritable, nearestFound } from './store-findings.ts'

const SET_ARCHIVE_TO = 'set ARCHIVE_TO to a place that this user may write'

/**
 * Whether the place can be read, has what was archived before, and a folder can be written; that a bucket can shows with the first month, which stays in the
 * store until then.
 */
export async function archiveFinding(archive: ArchiveConfig, options?: StoreOptions): Promise<Finding> {
  const place = placeOf(archive)
  try {
    const closed = archive.kind === 'folder' ? await closedFolder(archive.folder) : undefined
    if (closed !== undefined) return fail(`${place.name} cannot be written: ${closed}`, SET_ARCHIVE_TO)
    const files = await readManifest(place)
    const missing = options === undefined ? [] : await missingIn(options, place)
    if (missing.length > 0) throw notWhole(place, missing)
    return ok(`${place.name}, ${files.length} files`)
  } catch (error) {
    if (error instanceof Problem) return fail(error.detail, error.hint)
    return fail(`${place.name} cannot be read: ${reasonOf(error)}`, SET_ARCHIVE_TO)
  }
}

/** Of a store that this program can read; what keeps it from that is told of the database. */
async function missingIn(options: StoreOptions, place: ArchivePlace): Promise<readonly string[]> {
  const store = await lookAtStore(options).catch(() => undefined)
  return store === undefined ? [] : missingMonths(store.read, place).finally(() => store.close())
}

/** Why nothing can be written into a folder, which is made where its nearest parent takes one. */
async function closedFolder(folder: string): Promise<string | undefined> {
  const nearest = await nearestFound(resolve(folder))
  if (!(await stat(nearest)).isDirectory()) return `${nearest} is not a folder`
  return (await isWritable(nearest)) ? undefined : `this user may not write ${nearest}`
}
