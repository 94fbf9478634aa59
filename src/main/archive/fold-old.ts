import { archiveOld } from '../../archive/archive-old.ts'
import { folderPlace } from '../../archive/folder-place.ts'
import type { ArchivedFile } from '../../archive/manifest.ts'
import type { ArchivePlace } from '../../archive/place.ts'
import { s3Place } from '../../archive/s3-place.ts'
import { oldestKeptUs, retain } from '../../store/probes/retention.ts'
import type { Store } from '../../store/store.ts'
import { nowUs } from '../clock.ts'
import type { Config } from '../config.ts'
import type { ArchiveConfig } from '../settings/archive.ts'

export const placeOf = (archive: ArchiveConfig): ArchivePlace =>
  archive.kind === 'folder' ? folderPlace(archive.folder) : s3Place(archive)

export interface Folded {
  /** Entries that were folded into the counters and removed. */
  readonly entries: number
  readonly files: readonly ArchivedFile[]
}

/** Removes old months after folding them; where they are archived, each only when its file is kept for good. */
export async function foldOld(
  { keepDays, archive }: Pick<Config, 'keepDays' | 'archive'>,
  store: Store,
  onProgress?: (records: number, total: number) => void,
  isNewPlace = false,
): Promise<Folded> {
  const now = nowUs()
  const archiving = { beforeUs: oldestKeptUs(now, keepDays), nowUs: now, isNewPlace, ...(onProgress && { onProgress }) }
  const files = archive === undefined ? [] : await archiveOld(store, placeOf(archive), archiving)
  const { entries } = await retain(store, now, keepDays, archive === undefined ? 'all' : 'archived')
  if (entries > 0) await store.shrink()
  return { entries, files }
}
