import type { Columns, Row } from '../../src/store/sql/dialect.ts'
import type { AsideTable } from '../rigs/aside.ts'

const key = { host_id: 'int', route_id: 'int' } as const

/** What of a world is written row by row; everything else is counted from it. In the order in which it is written. */
export const TABLES = {
  hosts: { host_id: 'int', name: 'text' },
  routes: { ...key, scheme: 'text', method: 'text', path: 'text', rail: 'text' },
  listings: {
    ...{ ...key, source: 'text', price: 'int', network: 'text', network_key: 'text' },
    ...{ first_us: 'int', last_us: 'int', log_id: 'int', logged_us: 'int' },
  },
  descriptions: { ...key, source: 'text', text: 'text' },
  challenges: { host_id: 'int', challenge_id: 'int', body: 'text' },
  probes: {
    ...{ ...key, at_us: 'int', status: 'int', latency_ms: 'int', error: 'text', challenge_id: 'int' },
    ...{ dns_ms: 'int', connect_ms: 'int', tls_ms: 'int', first_byte_ms: 'int', remote_address: 'text', log_id: 'int' },
  },
  route_state: {
    ...{ ...key, price: 'int', network: 'text', probe_status: 'text', price_low: 'int', price_high: 'int' },
    ...{ matching: 'text', listed: 'int', probes: 'int', reviews: 'int', newest_probe_us: 'int', challenge_id: 'int' },
    ...{ challenge_us: 'int', now_status: 'int', now_since_us: 'int', last_402_us: 'int', results: 'int' },
  },
  log_entries: { entry_id: 'int', host_id: 'int', body: 'text' },
} as const satisfies Readonly<Record<string, Columns>>

/** Words are shared by all hosts: these rows are put aside and written at the end. */
export const WORD_TABLES = {
  search_words: { columns: { word: 'text' }, key: 'word' },
  search_grams: { columns: { gram: 'text', length: 'int', word: 'text' }, key: 'gram, length, word' },
  search_places: { columns: { word: 'text', host_id: 'int', place: 'int' }, key: 'word, host_id' },
} as const satisfies Readonly<Record<string, AsideTable>>

type TableName = keyof typeof TABLES | keyof typeof WORD_TABLES

/** Rows by table. */
export class TableRows {
  readonly #rows = new Map<string, Row[]>()

  of(table: string): readonly Row[] {
    return this.#rows.get(table) ?? []
  }

  add(table: TableName, row: Row): void {
    const rows = this.#rows.get(table)
    if (rows === undefined) this.#rows.set(table, [row])
    else rows.push(row)
  }
}
