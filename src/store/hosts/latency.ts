import { sql } from 'kysely'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'

/**
 * The histogram keeps exact counts per millisecond (step 1) and sums over 128 ms (step 128), so that a median is found
 * by reading some hundred rows, however many entries there are.
 */
export const LATENCY_STEPS = [1, 128] as const

/** How many entries took so many milliseconds. */
export type LatencyCounts = Map<number, number>

/** Within the transaction that appends the entries. */
export async function saveLatency(
  writer: Writer,
  dialect: Dialect,
  hosts: readonly (readonly [hostId: number, { readonly latency: LatencyCounts }])[],
): Promise<void> {
  const rows: Row[] = []
  for (const [hostId, { latency }] of hosts) {
    for (const step of LATENCY_STEPS) addRows(rows, hostId, step, latency)
  }
  if (rows.length === 0) return
  await ADD.runLater(writer, dialect, rows)
}

const ADD = new RowsStatement((dialect, rows) => {
  const columns = { host_id: 'int', step: 'int', latency_ms: 'int', n: 'int' } as const
  return sql`insert into host_latency (host_id, step, latency_ms, n)
    select host_id, step, latency_ms, n from ${dialect.hostRows(columns, rows)} as v where true
    on conflict (host_id, step, latency_ms) do update set n = host_latency.n + excluded.n`
})

/** In the order of their keys. */
function addRows(rows: Row[], hostId: number, step: number, latency: LatencyCounts): void {
  const sums = step === 1 ? latency : sumsOf(latency, step)
  for (const from of [...sums.keys()].sort((a, b) => a - b)) rows.push([hostId, step, from, sums.get(from) ?? 0])
}

function sumsOf(latency: LatencyCounts, step: number): LatencyCounts {
  const sums: LatencyCounts = new Map()
  for (const [latencyMs, n] of latency) {
    const from = latencyMs - (latencyMs % step)
    sums.set(from, (sums.get(from) ?? 0) + n)
  }
  return sums
}
