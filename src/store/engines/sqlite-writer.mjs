// The one thread of a program that writes to its SQLite file, or that copies it. Statements arrive one at a time and in order; a commit
// is answered only after SQLite has synced it (WAL with synchronous=FULL: one fsync per commit).
import { parentPort } from 'node:worker_threads'
import { connect, execute, writeBack } from './sqlite-connection.mjs'

if (!parentPort) throw new Error('sqlite-writer is a worker thread')
const port = parentPort

/**
 * Of the file that is open. One after the other: a thread is told of the next when the last is closed.
 *
 * @type {ReturnType<typeof connect>}
 */
let database

/**
 * Why a statement failed that nobody waited for, or not yet. Nothing of its transaction is run after it: whatever is waited
 * for is answered with this instead.
 *
 * @type {unknown}
 */
let failure

/** So many rows change between two times that the log beside the file is written back: a thousand pages, more or less. */
const CHANGES_A_LOG = 1000
/** With so many pages in it the commit itself does so, as where few rows of many pages each have changed. */
const MOST_PAGES = 4000
/** Since it was written back. */
let changes = 0

/**
 * One without `id` is one that nobody waits for, and one that is asked ahead was not yet waited for when others were sent; of one
 * that is run for each row, `parameters` are rows.
 *
 * @typedef {{ id?: number, sql: string, parameters: readonly unknown[], isForEach?: boolean, isAhead?: boolean }} Statement
 */

/**
 * @param {Statement | { path: string, readOnly: boolean } | 'close' | 'end'} message
 */
function answer(message) {
  if (message === 'end') return port.close()
  if (message === 'close') {
    database.close()
    return port.postMessage('closed')
  }
  if ('path' in message) {
    failure = undefined
    changes = 0
    database = connect(message.path, { readOnly: message.readOnly })
    if (!message.readOnly) database.database.exec(`pragma wal_autocheckpoint = ${MOST_PAGES}`)
    return port.postMessage('open')
  }
  const { id, sql, parameters, isForEach, isAhead } = message
  try {
    if (id === undefined) {
      if (failure !== undefined) return
      if (isForEach) for (const row of parameters) run(sql, /** @type {readonly unknown[]} */ (row))
      else run(sql, parameters)
    } else {
      port.postMessage({ id, result: answerOf(sql, parameters) })
      if (sql === 'commit') committed()
    }
  } catch (error) {
    if (id === undefined || isAhead) failure ??= error
    if (id !== undefined) port.postMessage({ id, error })
  }
}

/**
 * @param {string} sql
 * @param {readonly unknown[]} parameters
 */
function answerOf(sql, parameters) {
  if (sql === 'rollback') failure = undefined
  if (failure !== undefined) throw failure
  return run(sql, parameters)
}

/**
 * @param {string} sql
 * @param {readonly unknown[]} parameters
 */
function run(sql, parameters) {
  const result = execute(database, sql, parameters)
  changes += result.changes
  return result
}

/** Whoever waited for the commit goes on while the log is written back. */
function committed() {
  if (changes < CHANGES_A_LOG) return
  changes = 0
  writeBack(database.database)
}

port.on('message', answer)
