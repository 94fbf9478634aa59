import type { Store } from '../../src/store/store.ts'
import { evidenceOf } from '../../src/store/transfer/import.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { recordSchema } from '../../src/wire/records.ts'
import { type Orders, sayKept } from './orders.ts'
import { persistently } from './persistently.ts'
import { recordsOf } from './units.ts'

const schema = recordSchema([])
const QUEUE = 8

/** Appends one unit after the other and says which are kept, until the program is killed. */
export async function appending(store: Store, { appendFrom, acknowledge }: Orders): Promise<void> {
  const save = (unit: number): Promise<void> =>
    persistently(() => saveEvidence(store, evidenceOf(recordsOf(unit).map((record) => schema.parse(record)))))
  const queued = new Set<Promise<void>>()
  for (let unit = appendFrom; ; unit++) {
    if (acknowledge === 'after') {
      await save(unit)
      sayKept(unit)
    } else {
      sayKept(unit)
      const saving: Promise<void> = save(unit).finally(() => queued.delete(saving))
      queued.add(saving)
      if (queued.size === QUEUE) await Promise.race(queued)
    }
  }
}
