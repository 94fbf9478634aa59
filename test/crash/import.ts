// A program that imports one file after the other and says which units are kept, until it is killed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importFile } from '../../src/store/import.ts'
import { openStore } from '../../src/store/open.ts'
import { ordersOf, persistently, say } from './orders.ts'
import { IMPORTED_RECORDS, linesOf, UNITS_A_FILE } from './units.ts'

const { dataDir, databaseUrl, folder, from, acknowledge } = ordersOf(process.argv)
const store = await openStore({ dataDir, databaseUrl })

for (let first = from; ; first += UNITS_A_FILE) {
  const units = Array.from({ length: UNITS_A_FILE }, (_, index) => first + index)
  const file = join(folder, `${first}.ndjson`)
  writeFileSync(file, `${units.flatMap(linesOf).join('\n')}\n`)
  await persistently(() =>
    importFile(store, file, [], ({ phase, records }) => {
      if (phase === 'checking') return
      if (records === 0) say('saving')
      const saved = records / IMPORTED_RECORDS
      // The control says so of the unit that is saved next.
      const kept = acknowledge === 'before' ? saved : saved - 1
      const unit = units[kept]
      if (unit !== undefined) say(`kept ${unit}`)
    }),
  )
}
