import { sql } from 'kysely'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { canonical } from '../../wire/log/canonical.ts'
import { entryText, LARGEST_ENTRY } from '../../wire/log/entry.ts'
import { type LoggedRecord, loggedOf } from '../../wire/log/logged-record.ts'
import type { WrittenRecord } from '../../wire/records.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, EntryIds, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'

/**
 * How a transaction is logged: as it happens; as something that happened elsewhere or before; or not at all, where nobody
 * will ever see the store.
 */
export type Logging = 'live' | 'imported' | 'off'

/** Of everything but the records: more than the longest host name and the punctuation need. */
const HEAD = 500

/** Where in the log a record is to stand, and as what. */
export interface Placement {
  /** The entry's number in the outbox; `null` where nothing is logged. */
  readonly id: number | null
  readonly hostId: number | null
  readonly text: string
}

interface OpenEntry {
  readonly id: number | null
  bytes: number
}

const tooLarge = (bytes: number): Problem =>
  problem(
    'body-too-large',
    `What the evidence log would say of this has ${bytes} bytes, and an entry holds ${LARGEST_ENTRY - HEAD}.`,
    { hint: 'Nothing of it was stored. Send less at once.' },
  )

const COLUMNS = { entry_id: 'int', host_id: 'int', body: 'text' } as const

const ADD = new RowsStatement(
  (dialect, rows) => sql`insert into log_entries (entry_id, host_id, body) ${dialect.longRows(COLUMNS, rows)}`,
)

/** What one transaction says to the log: an entry for each host, more where one would grow too large. Written once, at its end. */
export class Outbox {
  readonly #ids: { next: number; end: number }[] = []
  readonly #open = new Map<number | null, OpenEntry>()
  readonly #kept = new Map<number, { readonly hostId: number | null; readonly texts: string[] }>()
  #nowUs = 0

  constructor(
    readonly writer: Writer,
    readonly dialect: Dialect,
    readonly logging: Logging,
  ) {}

  /** Before records are placed: there may be as many entries more. Hosts are held by now. */
  async reserve(entries: number): Promise<void> {
    if (this.logging === 'off') return
    const left = this.#ids.reduce((sum, { next, end }) => sum + end - next, 0)
    if (left >= entries) return
    const { nowUs, blocks }: EntryIds = await this.dialect.entryIds(this.writer, entries - left)
    this.#nowUs = nowUs
    for (const { first, n } of blocks) this.#ids.push({ next: first, end: first + n })
  }

  /**
   * Finds the entry for a record in its canonical form. It is part of it only once it is kept. What no entry has room for is
   * refused with all that its transaction writes: in the log it could be read by nobody, nor what stands beside it.
   */
  place(hostId: number | null, text: string): Placement {
    const bytes = Buffer.byteLength(text) + 1
    if (HEAD + bytes > LARGEST_ENTRY && this.logging !== 'off') throw tooLarge(bytes)
    let entry = this.#open.get(hostId)
    if (entry === undefined || entry.bytes + bytes > LARGEST_ENTRY) {
      entry = { id: this.#nextId(), bytes: HEAD }
      this.#open.set(hostId, entry)
    }
    entry.bytes += bytes
    return { id: entry.id, hostId, text }
  }

  keep({ id, hostId, text }: Placement): void {
    if (id === null) return
    const entry = this.#kept.get(id)
    if (entry === undefined) this.#kept.set(id, { hostId, texts: [text] })
    else entry.texts.push(text)
  }

  /** Records that are in any case part of it; answers the numbers of their entries. */
  async add(hostId: number | null, records: readonly LoggedRecord[]): Promise<(number | null)[]> {
    await this.reserve(records.length)
    return records.map((record) => {
      const placement = this.place(hostId, canonical(record))
      this.keep(placement)
      return placement.id
    })
  }

  /** What the log says of a record of an export; answers the number of its entry. */
  async addWritten(hostId: number, record: WrittenRecord): Promise<number | null> {
    const logged = loggedOf(record)
    const [id = null] = logged === null ? [] : await this.add(hostId, [logged])
    return id
  }

  /** The newest entry of each host that has any. */
  get newest(): ReadonlyMap<number, number> {
    const newest = new Map<number, number>()
    for (const [id, { hostId }] of this.#kept) if (hostId !== null) newest.set(hostId, id)
    return newest
  }

  /** Last. Hosts that the transaction has not named are looked up. */
  async save(names: ReadonlyMap<number, string> = new Map()): Promise<void> {
    if (this.#kept.size === 0) return
    const all = await this.#named(names)
    const at = formatTimestamp(this.#nowUs)
    const isImported = this.logging === 'imported'
    const rows = [...this.#kept]
      .sort(([a], [b]) => a - b)
      .map(([id, { hostId, texts }]): Row => {
        const host = hostId === null ? null : (all.get(hostId) ?? null)
        return [id, hostId, entryText({ at, host, isImported }, texts)]
      })
    this.#kept.clear()
    this.#open.clear()
    await ADD.runLater(this.writer, this.dialect, rows)
  }

  async #named(names: ReadonlyMap<number, string>): Promise<ReadonlyMap<number, string>> {
    const unnamed = new Set<number>()
    for (const { hostId } of this.#kept.values()) if (hostId !== null && !names.has(hostId)) unnamed.add(hostId)
    if (unnamed.size === 0) return names
    const rows = [...unnamed].map((hostId): Row => [hostId])
    const found = await sql<{ host_id: number; name: string }>`select h.host_id, h.name
      from ${this.dialect.rows({ host_id: 'int' }, rows)} as v cross join hosts as h
      where h.host_id = v.host_id`.execute(this.writer)
    return new Map([...names, ...found.rows.map(({ host_id, name }): [number, string] => [host_id, name])])
  }

  #nextId(): number | null {
    if (this.logging === 'off') return null
    const [block] = this.#ids
    if (block === undefined) throw new Error('more entries for the log than were reserved')
    const id = block.next++
    if (block.next === block.end) this.#ids.shift()
    return id
  }
}
