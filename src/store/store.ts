import type { TimestampUs } from '../domain/timestamp.ts'
import type { Dialect } from './dialect.ts'
import type { Reader, Writer } from './schema.ts'

/** The one place where evidence is kept. Functions on it live in one file per aggregate and take a reader or a writer. */
export interface Store {
  readonly dialect: Dialect
  /** Committed state; one statement sees one moment. */
  readonly read: Reader
  /** One named transaction. Resolves only when it is durable on disk. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>
  /** One moment for many statements, for exports and checks. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** Makes room for probe entries of these times where the engine keeps them by month; before the transaction that adds them. */
  prepareMonths(timesUs: Iterable<TimestampUs>): Promise<void>
  /**
   * A number that changes when anything may have been committed, by this program or another, at most a second ago.
   * Cached pages are looked at again when it changes.
   */
  epoch(): number
  /** Resolves when the store answers, rejects with the reason when it does not. */
  ping(): Promise<void>
  /** How busy the engine is, by name, for those who watch it. */
  load(): Readonly<Record<string, number>>
  close(): Promise<void>
}
