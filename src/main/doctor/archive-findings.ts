import { readManifest } from '../../archive/manifest.ts'
import type { Finding } from '../../cli/doctor.ts'
import { Problem } from '../../domain/problem.ts'
import { reasonOf } from '../../domain/store-trouble.ts'
import { placeOf } from '../archive/fold-old.ts'
import type { ArchiveConfig } from '../settings/archive.ts'
import { fail, ok } from './finding.ts'

/** Whether the place can be read; that it can be written shows with the first month, which stays in the store until then. */
export async function archiveFinding(archive: ArchiveConfig): Promise<Finding> {
  const place = placeOf(archive)
  try {
    return ok(`${place.name}, ${(await readManifest(place)).length} files`)
  } catch (error) {
    if (error instanceof Problem) return fail(error.detail, error.hint)
    return fail(
      `${place.name} cannot be read: ${reasonOf(error)}`,
      'set ARCHIVE_TO to a place that this user may write',
    )
  }
}
