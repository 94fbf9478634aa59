// The one thread of a program that writes to its SQLite file. Statements arrive one at a time and in order; a commit
// is answered only after SQLite has synced it (WAL with synchronous=FULL: one fsync per commit).
import { parentPort, workerData } from 'node:worker_threads'
import { connect, execute } from './sqlite-connection.mjs'

if (!parentPort) throw new Error('sqlite-writer is a worker thread')
const port = parentPort
const database = connect(workerData.path, { readOnly: false })

/** @param {{ id: number, sql: string, parameters: readonly unknown[] } | 'close'} message */
function answer(message) {
  if (message === 'close') {
    database.close()
    port.postMessage('closed')
    port.close()
    return
  }
  try {
    port.postMessage({ id: message.id, result: execute(database, message.sql, message.parameters) })
  } catch (error) {
    port.postMessage({ id: message.id, error })
  }
}

port.on('message', answer)
port.postMessage('open')
