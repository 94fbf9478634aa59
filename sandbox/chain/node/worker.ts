import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../../../src/domain/problem.ts'
import type { ChainOptions } from '../running-chain.ts'
import { serveChain } from './rpc/rpc-server.ts'

/** What the thread says when it is ready, or cannot be. */
export type Said = { readonly url: string } | { readonly detail: string; readonly hint: string }

if (!parentPort) throw new Error('a chain runs in a worker thread')
const port = parentPort
const options: ChainOptions = workerData
const say = (said: Said): void => port.postMessage(said)

try {
  const chain = await serveChain(options)
  port.once('message', async () => {
    await chain.stop()
    port.close()
  })
  say({ url: chain.url })
} catch (error) {
  if (!(error instanceof Problem)) throw error
  say({ detail: error.detail, hint: error.hint })
  port.close()
}
