// A program that appends one unit after the other and says which are kept, until it is killed.
import { evidenceOf } from '../../src/store/import.ts'
import { openStore } from '../../src/store/open.ts'
import { saveEvidence } from '../../src/store/save.ts'
import { recordSchema } from '../../src/wire/records.ts'
import { ordersOf, persistently, say } from './orders.ts'
import { recordsOf } from './units.ts'

const { dataDir, databaseUrl, from, acknowledge } = ordersOf(process.argv)
const store = await openStore({ dataDir, databaseUrl })
const schema = recordSchema([])

const save = (unit: number): Promise<void> =>
  saveEvidence(store, evidenceOf(recordsOf(unit).map((record) => schema.parse(record))))

const QUEUE = 8
const queued = new Set<Promise<void>>()

/** Says first and saves later, several at a time. */
async function carelessly(unit: number): Promise<void> {
  say(`kept ${unit}`)
  const saving: Promise<void> = save(unit)
    .catch((error: unknown) => {
      process.stderr.write(`${error}\n`)
    })
    .finally(() => queued.delete(saving))
  queued.add(saving)
  if (queued.size === QUEUE) await Promise.race(queued)
}

for (let unit = from; ; unit++) {
  if (acknowledge === 'before') await carelessly(unit)
  else {
    await persistently(() => save(unit))
    say(`kept ${unit}`)
  }
}
