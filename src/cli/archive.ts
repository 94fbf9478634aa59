import { parseArgs } from 'node:util'
import type { ArchivedFile } from '../archive/manifest.ts'
import { counted, entriesCounted, thousands } from '../domain/count.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import { unarchivedMonths } from '../store/probes/archived.ts'
import type { Store } from '../store/store.ts'
import { ARCHIVE } from './catalogue/evidence.ts'
import type { Command } from './command.ts'
import { progressOn } from './terminal/progress.ts'

export interface ArchiveDeps {
  /** Where months go, for people. */
  readonly to: string
  /** The beginning of what stays. */
  readonly keptSinceUs: TimestampUs
  /** Writes old months there, then removes them. */
  fold(
    store: Store,
    onProgress: (records: number, total: number) => void,
    isNewPlace: boolean,
  ): Promise<{ readonly entries: number; readonly files: readonly ArchivedFile[] }>
}

const NOTHING_OLD = 'Nothing to archive: no month that has entries lies wholly before what KEEP_ENTRIES keeps.\n'

/** `tollbook archive [--dry-run] [--new-place]`. */
export const archiveCommand = ({ to, keptSinceUs, fold }: ArchiveDeps): Command => ({
  run: async (argv, { openStore, out, err }) => {
    const { values } = parseArgs({ args: argv, options: ARCHIVE.options })
    const store = await openStore(values['dry-run'] ? 'look' : undefined)
    const progress = progressOn(err)
    try {
      if (values['dry-run']) {
        const months = [...(await unarchivedMonths(store.read, keptSinceUs))].toSorted(([a], [b]) => (a < b ? -1 : 1))
        for (const [month, entries] of months) out.write(`${month}  ${entriesCounted(entries)}\n`)
        out.write(months.length === 0 ? NOTHING_OLD : `${counted(months.length, 'month')} would be written to ${to}.\n`)
        return 0
      }
      const tell = (records: number, total: number): void => progress.update('archiving', records, total)
      const { entries, files } = await fold(store, tell, values['new-place'] === true)
      progress.end()
      if (files.length === 0 && entries === 0) {
        out.write(NOTHING_OLD)
        return 0
      }
      for (const { file, records, bytes } of files)
        out.write(`${file}  ${entriesCounted(records)}, ${thousands(bytes)} bytes\n`)
      out.write(
        `Wrote ${counted(files.length, 'file')} to ${to}; ${entriesCounted(entries)} ${entries === 1 ? 'was' : 'were'} folded and removed.\n`,
      )
      return 0
    } finally {
      progress.end()
      await store.close()
    }
  },
})
