// A thread that recovers the keys of signatures for the one that reads and checks everything else.
import { parentPort } from 'node:worker_threads'
import { recoverKeys } from './recover-key.mjs'

if (!parentPort) throw new Error('recover-thread is a worker thread')
const port = parentPort

port.on('message', (asked) => port.postMessage(recoverKeys(asked)))
