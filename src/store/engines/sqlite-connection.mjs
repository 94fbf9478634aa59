// How this program opens a SQLite file and runs a statement on it; shared by the readers and the writing thread.
import { statSync } from 'node:fs'
import { DatabaseSync } from './sqlite-module.mjs'

/** A write waits this long for another program's transaction. */
const BUSY_MS = 60_000
const MOST_STATEMENTS = 200
/**
 * Pages of the file that a connection keeps, in KiB. Readers keep few, and the file is not mapped into memory: the system
 * keeps what is read often for all programs alike, and a page from there is as fast.
 */
const CACHE_KIB = { reading: 16_384, writing: 65_536 }

/** @typedef {import('@photostructure/sqlite').DatabaseSyncInstance} Database */
/** @typedef {{ statement: import('@photostructure/sqlite').StatementSyncInstance, returnsRows: boolean }} Prepared */
/** @typedef {{ database: Database, prepared: Map<string, Prepared>, close(): void }} Connection */
/** @typedef {{ rows: Record<string, unknown>[], changes: number }} Result */

/**
 * @param {string} path
 * @param {{ readOnly: boolean }} options
 * @returns {Connection}
 */
export function connect(path, { readOnly }) {
  const isNew = !readOnly && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0
  const database = new DatabaseSync(path, { readOnly, timeout: BUSY_MS })
  // Room of removed rows can be given back only by a file that was begun so.
  if (isNew) database.exec('pragma auto_vacuum = incremental')
  if (!readOnly) database.exec('pragma journal_mode = wal')
  database.exec(`pragma synchronous = full; pragma foreign_keys = off; pragma temp_store = memory;
    pragma cache_size = -${readOnly ? CACHE_KIB.reading : CACHE_KIB.writing}`)
  return { database, prepared: new Map(), close: () => (readOnly ? database.close() : closeWhole(database)) }
}

/**
 * Whoever takes the file without the log beside it then has everything: statements that are still prepared keep SQLite
 * from writing the log back by itself.
 *
 * @param {Database} database
 */
function closeWhole(database) {
  writeBack(database)
  database.close()
}

/**
 * Writes what stands in the log beside the file back into it, as far as nobody still reads what is there.
 *
 * @param {Database} database
 */
export function writeBack(database) {
  try {
    database.exec('pragma wal_checkpoint(passive)')
  } catch {
    // As on a full disk. What stands in the log is durable, and there at the next start.
  }
}

/**
 * @param {Connection} connection
 * @param {string} sql
 * @param {readonly unknown[]} parameters
 * @returns {Result}
 */
export function execute(connection, sql, parameters) {
  const { statement, returnsRows } = connection.prepared.get(sql) ?? prepare(connection, sql)
  const bound = /** @type {(string | number | null)[]} */ (parameters)
  if (returnsRows) return { rows: /** @type {Record<string, unknown>[]} */ (statement.all(...bound)), changes: 0 }
  return { rows: [], changes: Number(statement.run(...bound).changes) }
}

/**
 * SQLite plans by the value of a limit that is a parameter alone, and so prepares the statement anew for every value that
 * is bound to it, the same one too. What is computed it takes as it comes.
 */
const BARE_LIMIT = /\blimit \?\d*/g

/**
 * @param {Connection} connection
 * @param {string} sql
 * @returns {Prepared}
 */
function prepare(connection, sql) {
  const statement = connection.database.prepare(sql.replaceAll(BARE_LIMIT, '$&+0'))
  const prepared = { statement, returnsRows: statement.columns().length > 0 }
  if (connection.prepared.size >= MOST_STATEMENTS) connection.prepared.clear()
  connection.prepared.set(sql, prepared)
  return prepared
}
