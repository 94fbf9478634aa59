import { type RawBuilder, sql } from 'kysely'
import type { JsonText, Reader, Writer } from '../schema.ts'
import type { Beside, JsonColumns, JsonRows } from './json-rows.ts'

/** Everything in which the two engines speak differently. All other SQL is one for both. */
export interface Dialect {
  /** Decided by in the steps of the schema alone; every other difference has a name of its own here. */
  readonly engine: 'sqlite' | 'postgres'
  /** As it is printed. */
  readonly name: string
  /** A table expression of many rows in few parameters, to be aliased by the caller. */
  rows(columns: Columns, rows: Rows): RawBuilder<unknown>
  /**
   * The same of rows with a `host_id` of hosts that are there, for statements that have no other table beside it that
   * belongs to hosts: it tells where each row's host lies.
   */
  hostRows(columns: Columns, rows: Rows): RawBuilder<unknown>
  /**
   * What an insert by `runLater` takes its rows from, where they hold long texts and are all that it is told: SQLite is
   * sooner given such rows one by one, as they are, than as one JSON text.
   */
  longRows(columns: Columns, rows: LaterRows): RawBuilder<unknown>
  /**
   * Says once more which hosts a table is asked about, where that tells which machines to ask. Of rows that come later it is the
   * first column.
   */
  among(column: string, hostIds: Iterable<number> | LaterRows): RawBuilder<unknown>
  /**
   * A subquery's rows as one text for `rowReader`, in the subquery's order. Columns that are not its own are said of each of
   * its rows by `beside`: lists within them are written once then, and not read again to be written into the row.
   */
  jsonRows<T>(columns: JsonColumns, subquery: RawBuilder<T>, beside?: Beside): RawBuilder<JsonRows<T>>
  /** The same of the one column `value`: a JSON array of what it holds. */
  jsonValues<T>(subquery: RawBuilder<{ value: T }>): RawBuilder<JsonText<T[]>>
  /**
   * In a list of what is joined: the one row of a table that has a key, looked up for each row before it. For one plan that
   * serves hosts of every size: of a small one it would take less to read all its rows at once.
   */
  rowAt(table: string, as: string, key: RawBuilder<unknown>): RawBuilder<unknown>
  /** The greater and the lesser of two values, where null counts as absent. */
  greatest(a: RawBuilder<unknown>, b: RawBuilder<unknown>): RawBuilder<unknown>
  least(a: RawBuilder<unknown>, b: RawBuilder<unknown>): RawBuilder<unknown>
  /** After a table's name: by which index it is read, where the engine would not find that out. */
  indexHint(index: string): RawBuilder<unknown>
  /** The store's own clock in microseconds: one for all programs that share it. */
  readonly nowUs: RawBuilder<number>
  /** The same clock, later than `newest` where that can be seen: each thing written comes after all before. */
  nowAfter(newest: RawBuilder<number>): RawBuilder<number>
  /**
   * No transaction under way can still write with an earlier `nowAfter` these than this; `null` where what is written becomes
   * visible in the order of its times anyway.
   */
  completeUntilUs(reader: Reader, newest: RawBuilder<number>): Promise<number | null>
  /**
   * At the end of a `select`: its rows are this transaction's, and those that another one holds are left out. Where rows
   * cannot be locked it does nothing: what takes them asks once more whether they are free.
   */
  readonly skipLocked: RawBuilder<unknown>
  /** First in every transaction that writes. */
  begin(writer: Writer): Promise<void>
  /** In how many parts the hosts lie, and in which one a host does: a transaction on one part waits for one machine. */
  readonly shards: number
  shardOf(hostId: number): number
  /**
   * Updates hosts that a query picks, of one part alone where there are many, and answers them. The update asks once more what the query did:
   * of two programs that picked the same host, one gets it.
   */
  claimHosts(writer: Writer, claim: HostClaim): Promise<readonly number[]>
  /** Runs what does nothing but keep other writers from rows until the transaction ends. */
  lock(hold: () => Promise<unknown>): Promise<void>
  /** Keeps other writers from these rows, one after the other in this order. */
  lockRows(writer: Writer, { table, which, order }: LockedRows): Promise<void>
  /** Only one transaction at a time gives out turns of probers that have a name, until it ends. */
  lockClaims(writer: Writer): Promise<void>
  /** Keeps other programs from changing the schema until the transaction ends. */
  lockSchema(writer: Writer): Promise<void>
  /** Numbers for at least so many entries of the log, greater than all that were given to transactions which have ended. */
  entryIds(writer: Writer, entries: number): Promise<EntryIds>
  /** The number of the oldest transaction that may still bring entries of the log; `null`: they come in their order. */
  oldestWriter(reader: Reader): Promise<number | null>
  /** The number of this transaction: smaller ones have those that took numbers for entries before it saw greater ones. */
  writerNumber(writer: Writer): Promise<number>
  /** Runs an insert of rows whose keys this transaction saw to be free; answers those that nobody else took meanwhile. */
  insertFree<K extends Key>(writer: Writer, insert: RawBuilder<unknown>, keys: readonly K[]): Promise<readonly K[]>
}

/** `Dialect.among` of the hosts that are meant. */
export type Among = (column: string) => RawBuilder<unknown>
export const ANY: Among = () => sql``

export interface HostClaim {
  readonly most: number
  pick(most: number): RawBuilder<{ readonly host_id: number }>
  /** Among the `host_id` that a query answers; returns those it got. */
  update(hosts: RawBuilder<unknown>): RawBuilder<{ readonly host_id: number }>
}

export interface LockedRows {
  readonly table: 'host_counters' | 'host_turns'
  readonly which: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
}

export interface EntryIds {
  /** The store's own clock. */
  readonly nowUs: number
  readonly blocks: readonly { readonly first: number; readonly n: number }[]
}

export type Columns = Readonly<Record<string, 'int' | 'text'>>
export type Row = readonly (string | number | null)[]
/** Stands for rows that are known when a statement is run (`RowsStatement`). */
export type LaterRows = 'later'
export type Rows = readonly Row[] | LaterRows
/** A row's key by column. */
export type Key = Readonly<Record<string, string | number>>
