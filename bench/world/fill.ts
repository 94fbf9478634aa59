import { sql } from 'kysely'
import { hostKey } from '../../src/domain/keys.ts'
import { HostCounts } from '../../src/store/hosts/host-counts.ts'
import { saveMedians, saveSummaries } from '../../src/store/hosts/summaries.ts'
import type { Writer } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { insertRows, setAside } from '../rigs/aside.ts'
import { searchedHost } from '../rigs/search-words.ts'
import { addHost } from './host-rows.ts'
import { TABLES, TableRows, WORD_TABLES } from './tables.ts'
import { type WorldShape, worldHost } from './world.ts'

const HOSTS_A_STEP = 200
/** So many are filled before the log is settled: whole, the log of a large world would not fit on the disk unpacked. */
const HOSTS_A_PAUSE = 10_000
/** Numbers of entries come in blocks on Postgres, one for each transaction. */
const LOG_STEP = { sqlite: 1, postgres: 1000 } as const

/**
 * Fills an empty store with the rows that saving a world host by host would leave: its listings, then one round after the
 * other, a transaction each. Hosts go in the order of their keys, so that nearly everything is written where the file ends.
 */
export async function fillWorld(
  store: Store,
  shape: WorldShape,
  note: (text: string) => void,
  settle?: () => Promise<unknown>,
): Promise<void> {
  const { dialect } = store
  const order = hostsInOrder(shape.hosts)
  const words = new Set<string>()
  const step = LOG_STEP[dialect.engine]
  const transactions = 1 + shape.entriesPerRoute
  const aside = await setAside(store, WORD_TABLES)
  for (let from = 0; from < order.length; from += HOSTS_A_STEP) {
    const rows = new TableRows()
    const counts = new HostCounts()
    const chosen = order.slice(from, from + HOSTS_A_STEP)
    for (const [index, n] of chosen.entries()) {
      addHost(worldHost(shape, n), { first: (from + index) * transactions * step, step }, { rows, counts, words })
    }
    await store.prepareMonths(rows.of('probes').map((row) => Number(row[2])))
    await store.write(async (writer) => {
      await writeStep(store, writer, rows, counts, transactions)
      for (const name of Object.keys(WORD_TABLES)) await aside.put(writer, name, rows.of(name))
    })
    if (from % HOSTS_A_PAUSE === 0) {
      note(`${from} hosts of ${order.length}`)
      await settle?.()
    }
  }
  const lastId = (order.length * transactions - 1) * step
  if (dialect.engine === 'postgres') await sql`select setval('log_entry_ids', ${sql.lit(lastId)})`.execute(store.read)
  note('words')
  await aside.end()
}

function hostsInOrder(hosts: number): number[] {
  const keyed = Array.from({ length: hosts }, (_, n) => ({ n, key: hostKey(searchedHost(n)) }))
  return keyed.sort((a, b) => a.key - b.key).map(({ n }) => n)
}

async function writeStep(
  store: Store,
  writer: Writer,
  rows: TableRows,
  counts: HostCounts,
  transactions: number,
): Promise<void> {
  const { dialect } = store
  for (const [name, columns] of Object.entries(TABLES)) await insertRows(store, writer, name, columns, rows.of(name))
  await counts.save(writer, dialect)
  const hostIds = rows.of('hosts').map(([hostId]) => Number(hostId))
  const within = sql`host_id between ${hostIds[0] ?? 0} and ${hostIds.at(-1) ?? 0}`
  await sql`update host_counters set version = ${transactions} where ${within}`.execute(writer)
  await saveSummaries(writer, dialect, hostIds)
  await saveMedians(writer, dialect, hostIds)
}
