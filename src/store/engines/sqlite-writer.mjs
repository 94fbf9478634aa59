// The one thread of a program that writes to its SQLite file. Statements arrive one at a time and in order; a commit
// is answered only after SQLite has synced it (WAL with synchronous=FULL: one fsync per commit).
import { parentPort } from 'node:worker_threads'
import { connect, execute } from './sqlite-connection.mjs'

if (!parentPort) throw new Error('sqlite-writer is a worker thread')
const port = parentPort

/**
 * Of the file that is open. One after the other: a thread is told of the next when the last is closed.
 *
 * @type {ReturnType<typeof connect>}
 */
let database

/**
 * Why a statement failed that nobody waited for. Nothing of its transaction is run after it: the next one that is waited
 * for is answered with this instead.
 *
 * @type {unknown}
 */
let failure

/**
 * @param {{ id?: number, sql: string, parameters: readonly unknown[] } | { path: string } | 'close' | 'end'} message
 *   a statement without `id` is one that nobody waits for
 */
function answer(message) {
  if (message === 'end') return port.close()
  if (message === 'close') {
    database.close()
    return port.postMessage('closed')
  }
  if ('path' in message) {
    failure = undefined
    database = connect(message.path, { readOnly: false })
    return port.postMessage('open')
  }
  const { id, sql, parameters } = message
  try {
    if (id === undefined) {
      if (failure === undefined) execute(database, sql, parameters)
    } else {
      port.postMessage({ id, result: answerOf(sql, parameters) })
    }
  } catch (error) {
    if (id === undefined) failure = error
    else port.postMessage({ id, error })
  }
}

/**
 * @param {string} sql
 * @param {readonly unknown[]} parameters
 */
function answerOf(sql, parameters) {
  const before = failure
  failure = undefined
  if (before !== undefined && sql !== 'rollback') throw before
  return execute(database, sql, parameters)
}

port.on('message', answer)
