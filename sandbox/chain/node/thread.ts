import { Worker } from 'node:worker_threads'
import { Problem } from '../../../src/domain/problem.ts'
import type { ChainOptions, RunningChain } from '../running-chain.ts'
import type { Said } from './worker.ts'

const HERE = import.meta.url
/** Tests may run the sources; everything else runs what was built and joined, which is loaded in a third of the time. */
const ENTRY = HERE.endsWith('.ts')
  ? '../testing/test-worker.mjs'
  : HERE.includes('/joined/')
    ? './worker.js'
    : '../../../joined/worker.js'

/**
 * A chain in a thread of its own, whose work holds up nobody else's. It ends with the program, however that ends, and
 * keeps no program running.
 */
export async function startInThread(options: ChainOptions): Promise<RunningChain> {
  // The program's own flags are not the thread's.
  const worker = new Worker(new URL(ENTRY, HERE), { workerData: options, execArgv: [] })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const said = await new Promise<Said>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    void ended.then(() => reject(new Error('the chain has ended')))
  })
  if (!('url' in said)) throw new Problem('chain', 500, 'No chain', said.detail, said.hint)
  // From here on a chain that breaks breaks the program: nobody could trust what it goes on to do.
  worker.removeAllListeners('error')
  worker.unref()
  return {
    url: said.url,
    stop: async () => {
      worker.ref()
      worker.postMessage('stop')
      await ended
    },
  }
}
