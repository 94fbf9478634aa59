import { sql } from 'kysely'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { exportRecords } from '../../src/store/transfer/export.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { linesOf, sizeOf, unitOf } from './units.ts'

/** What a store holds after a crash, against what was said to be kept. */
export interface Findings {
  /** Said to be kept, and not there. */
  readonly lost: readonly number[]
  /** There, and not said to be kept: saved in the moment of the crash. */
  readonly unsaid: readonly number[]
  /** There with fewer or more rows than it has. */
  readonly uneven: readonly number[]
  /** Counters that their rows do not give. */
  readonly differences: readonly string[]
}

export async function examine(options: StoreOptions, said: ReadonlySet<number>): Promise<Findings> {
  const kept = [...said]
  return withStore(options, async (store) => {
    const rows = await countRows(store)
    const differences: string[] = []
    await verifyStore(store, (difference) => differences.push(JSON.stringify(difference)))
    return {
      lost: kept.filter((unit) => !rows.has(unit)),
      unsaid: [...rows.keys()].filter((unit) => !said.has(unit)),
      uneven: [...rows].filter(([unit, n]) => n !== sizeOf(unit)).map(([unit]) => unit),
      differences,
    }
  })
}

/** Rows of every unit, each table asked by itself. */
async function countRows(store: Store): Promise<Map<number, number>> {
  const named = {
    listings: 'source',
    payees: 'payee',
    probes: 'error',
    reviews: 'review_id',
    posts: 'post_id',
    events: 'data',
    claims: 'wallet',
    statements: 'text',
  }
  const units = new Map<number, number>()
  for (const [table, column] of Object.entries(named)) {
    const found = await sql<{ name: string; n: number }>`select ${sql.ref(column)} as name, count(*) as n
      from ${sql.table(table)} group by ${sql.ref(column)}`.execute(store.read)
    for (const { name, n } of found.rows) units.set(unitOf(name), (units.get(unitOf(name)) ?? 0) + n)
  }
  return units
}

/** Lines of an export that no unit wrote, and of units that it lacks: none, when all is as it was saved. */
export const strayLines = (options: StoreOptions): Promise<string[]> =>
  withStore(options, async (store) => {
    const expected = new Set([...(await countRows(store)).keys()].flatMap(linesOf))
    const stray: string[] = []
    await exportRecords(store, async (records) => {
      for (const record of records) {
        const line = JSON.stringify(record)
        if (!expected.delete(line)) stray.push(line)
      }
    })
    return [...stray, ...expected]
  })

async function withStore<T>(options: StoreOptions, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(options)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
