import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../src/store/store.ts'
import { importFile } from '../../src/store/transfer/import.ts'
import { type Orders, sayKept, saySaving } from './orders.ts'
import { persistently } from './persistently.ts'
import { IMPORTED_RECORDS, linesOf, UNITS_A_FILE } from './units.ts'

/** Imports one file after the other and says which units are kept, until the program is killed. */
export async function importing(store: Store, { importFrom, folder, acknowledge }: Orders): Promise<void> {
  for (let first = importFrom; ; first += UNITS_A_FILE) {
    const units = Array.from({ length: UNITS_A_FILE }, (_, index) => first + index)
    const file = join(folder, `${first}.ndjson`)
    writeFileSync(file, `${units.flatMap(linesOf).join('\n')}\n`)
    await persistently(() =>
      importFile(store, file, [], ({ phase, records }) => {
        if (phase === 'checking') return
        if (records === 0) saySaving()
        const saved = records / IMPORTED_RECORDS
        // The control says so of the unit that is only about to be saved.
        const unit = units[acknowledge === 'before' ? saved : saved - 1]
        if (unit !== undefined) sayKept(unit)
      }),
    )
  }
}
