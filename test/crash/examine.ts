import { exportRecords } from '../../src/store/export.ts'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import { verifyStore } from '../../src/store/verify.ts'
import { linesOf, unitOf } from './units.ts'

/** What a store holds after a crash, against what was said to be kept. */
export interface Findings {
  /** Units of which anything is there. */
  readonly stored: ReadonlySet<number>
  /** Said to be kept, and not there. */
  readonly lost: readonly number[]
  /** Not said to be kept, and there: saved in the moment of the crash. */
  readonly unsaid: readonly number[]
  /** There in part, or otherwise than it was saved. */
  readonly torn: readonly number[]
  readonly twice: readonly string[]
  /** Counters that their rows do not give. */
  readonly differences: readonly string[]
}

export async function examine(options: StoreOptions, said: ReadonlySet<number>): Promise<Findings> {
  const kept = [...said]
  const store = await openStore(options)
  try {
    const units = new Map<number, Set<string>>()
    const twice: string[] = []
    await exportRecords(store, async (records) => {
      for (const record of records) {
        const line = JSON.stringify(record)
        const unit = unitOf(line)
        const lines = units.get(unit) ?? new Set()
        if (lines.has(line)) twice.push(line)
        units.set(unit, lines.add(line))
      }
    })
    const differences: string[] = []
    await verifyStore(store, (difference) => differences.push(JSON.stringify(difference)))
    return {
      stored: new Set(units.keys()),
      lost: kept.filter((unit) => !units.has(unit)),
      unsaid: [...units.keys()].filter((unit) => !said.has(unit)),
      torn: [...units].filter(([unit, lines]) => !isWhole(unit, lines)).map(([unit]) => unit),
      twice,
      differences,
    }
  } finally {
    await store.close()
  }
}

function isWhole(unit: number, lines: ReadonlySet<string>): boolean {
  const expected = linesOf(unit)
  return expected.length === lines.size && expected.every((line) => lines.has(line))
}
