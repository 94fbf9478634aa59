import { archiveOld } from '../../archive/archive-old.ts'
import { folderPlace } from '../../archive/folder-place.ts'
import type { ArchivedFile } from '../../archive/manifest.ts'
import type { ArchivePlace } from '../../archive/place.ts'
import { s3Place } from '../../archive/s3-place.ts'
import { refuseWrongClock } from '../../probe/clock-watch.ts'
import { oldestKeptUs, retain } from '../../store/probes/retention.ts'
import type { Store } from '../../store/store.ts'
import { baseUrlOf } from '../base-url.ts'
import { nowUs } from '../clock.ts'
import type { Config } from '../config.ts'
import { egressOf } from '../egress.ts'
import type { ArchiveConfig } from '../settings/archive.ts'

export const placeOf = (archive: ArchiveConfig, signal?: AbortSignal): ArchivePlace =>
  archive.kind === 'folder' ? folderPlace(archive.folder) : s3Place(archive, signal)

export interface Folded {
  /** Entries that were folded into the counters and removed. */
  readonly entries: number
  readonly files: readonly ArchivedFile[]
}

export interface Folding {
  readonly onProgress?: (records: number, total: number) => void
  readonly isNewPlace?: boolean
  /** Ends it, with a rejection; nothing is lost by it. */
  readonly signal?: AbortSignal
}

/** Removes old months after folding them; where they are archived, each only when its file is kept for good. */
export async function foldOld(config: Config, store: Store, folding: Folding = {}): Promise<Folded> {
  const { keepDays, archive, probing } = config
  const now = nowUs()
  // What is folded a year too early is gone.
  const egress = egressOf(config, baseUrlOf(config))
  await refuseWrongClock(egress, probing.checkAddresses, now / 1000, 'nothing was folded')
  const archiving = { beforeUs: oldestKeptUs(now, keepDays), nowUs: now, ...folding }
  const files = archive === undefined ? [] : await archiveOld(store, placeOf(archive, folding.signal), archiving)
  folding.signal?.throwIfAborted()
  const { entries } = await retain(store, now, keepDays, archive === undefined ? 'all' : 'archived')
  if (entries > 0) await store.shrink()
  return { entries, files }
}
