import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { openLocalServer } from '../../../local/local-server.ts'
import type { ChainOptions, RunningChain } from '../../running-chain.ts'
import { type Chain, openChain } from '../chain.ts'
import { FAILED, NOT_JSON, RpcError } from '../rpc-error.ts'
import { cheats } from './cheats.ts'
import { ask, type Methods } from './method.ts'
import { questions } from './questions.ts'
import { openReader } from './reader.ts'

const question = z.object({
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
})
const asked = z.union([question, z.array(question)])

type Question = z.infer<typeof question>

/** A chain over HTTP on loopback. */
export async function serveChain({ port, blockTimeS, ...options }: ChainOptions): Promise<RunningChain> {
  const chain = await openChain(options)
  const methods = await methodsOf(chain)
  const server = await openLocalServer((request, response) => {
    void text(request)
      .then((body) => answerTo(methods, body))
      .then((answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)))
      .catch(() => response.destroy())
  }, port)
  const ticking = blockTimeS === undefined ? undefined : setInterval(() => chain.mine(1), blockTimeS * 1000)
  return {
    url: server.url,
    stop: async () => {
      clearInterval(ticking)
      await server.stop()
      await chain.close()
    },
  }
}

/** Everything that can be asked of a chain. */
export const methodsOf = async (chain: Chain): Promise<Methods> => ({
  ...questions(await openReader(chain)),
  ...cheats(chain),
})

async function answerTo(methods: Methods, body: string): Promise<unknown> {
  const read = asked.safeParse(jsonIn(body))
  if (!read.success) return { jsonrpc: '2.0', id: null, error: { code: NOT_JSON, message: 'no JSON-RPC' } }
  return Array.isArray(read.data)
    ? Promise.all(read.data.map((one) => answer(methods, one)))
    : answer(methods, read.data)
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

async function answer(methods: Methods, { id, method, params }: Question): Promise<unknown> {
  try {
    return { jsonrpc: '2.0', id, result: await ask(methods, method, params) }
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) }
    const { code, data } = error instanceof RpcError ? error : { code: FAILED, data: undefined }
    return { jsonrpc: '2.0', id, error: { code, message, data } }
  }
}
