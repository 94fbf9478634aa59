import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Reader, Writer } from './schema.ts'
import type { Dialect } from './sql/dialect.ts'
import type { AtOnce, StorePart } from './sql/parts.ts'

/** Probe entries in tables of their own, one for each calendar month, and one for what lies in no month. */
export interface EntryMonths {
  list(reader: Reader): Promise<readonly EntryMonth[]>
  /** Nothing is added to it until the transaction ends, while reading goes on. `false`: another program has dropped it. */
  hold(writer: Writer, month: EntryMonth): Promise<boolean>
  drop(writer: Writer, month: EntryMonth): Promise<void>
}

export interface EntryMonth {
  readonly table: string
  /** All its entries are earlier; `null`: of the one for any other time. */
  readonly endUs: TimestampUs | null
}

/** Hosts that lie on a machine that is away cannot be read. */
export interface StoreWorker {
  /** As `host:port`. */
  readonly name: string
  readonly isThere: boolean
}

/** The one place where evidence is kept. Functions on it live in one file per aggregate and take a reader or a writer. */
export interface Store {
  readonly dialect: Dialect
  /** Where the engine keeps everything in one file; `null` where it does not. */
  readonly file: string | null
  /** Committed state; one statement sees one moment. */
  readonly read: Reader
  readonly atOnce?: AtOnce
  /** One named transaction. Resolves only when it is durable on disk. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>
  /** One moment for many statements, for exports and checks. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** Makes room for probe entries of these times where the engine keeps them by month; before the transaction that adds them. */
  prepareMonths(timesUs: Iterable<TimestampUs>): Promise<void>
  /** The tables of those months; `null` where all entries are in one. */
  readonly months: EntryMonths | null
  /**
   * A number that changes when anything may have been committed, by this program or another, at most a second ago.
   * Cached pages are looked at again when it changes.
   */
  epoch(): number
  /**
   * Counts how often another copy of the store was gone over to, for reading: what was read before and after may be of
   * two moments, the later one the earlier.
   */
  switches(): number
  /** Where hosts are read that lie on several machines, by `Dialect.shardOf`; `null` where the store is one. */
  readonly parts: readonly StorePart[] | null
  /** The machines that hold its parts, asked now; none where one machine holds all. */
  workers(): Promise<readonly StoreWorker[]>
  /** Resolves when the store answers, every machine of it, rejects with the reason when it does not. */
  ping(): Promise<void>
  /** Rejects with the reason from the first write that found no room until there is some again. */
  findRoom(): Promise<void>
  /** Gives room that removed entries have left back to the disk, where the engine keeps it otherwise. */
  shrink(): Promise<void>
  /** How busy the engine is, by name, for those who watch it. */
  load(): Readonly<Record<string, number>>
  close(): Promise<void>
}

const BY_TIME_MS = 500

/** An epoch where nobody tells whether anything was committed: it moves twice a second. */
export const byTime = (): number => Math.floor(performance.now() / BY_TIME_MS)

/** Copies of the store that are read from, and how they are. */
export interface ReadReplicas {
  /** Committed state, at most as late as a replica may be, and never older than what this program said to have written. */
  readonly read: Reader
  /** After a commit: until a replica has it, the writer is read. */
  wrote(): Promise<void>
  /** The same for a commit of another process that reads here too. */
  wroteElsewhere(place: number): void
  /** Hears up to where this program has written, for those others. */
  onWrote: (place: number) => void
  /** As of a `Store` that is read from them. */
  switches(): number
  standing(): ReplicaStanding
  /** Resolves when anybody can be read. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface ReplicaStanding {
  readonly writer: 'answers' | 'away'
  readonly replicas: readonly {
    /** Host and port. */
    readonly name: string
    readonly state: string
    readonly lagMs: number
    readonly lagBytes: number | null
  }[]
}
