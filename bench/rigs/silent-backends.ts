import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from './loopback.ts'

/** A facilitator and a node in one that accept a payment and then never answer again. */
export interface SilentBackend {
  readonly url: string
  /** Settlements that were asked for and wait for ever. */
  settling(): number
  /** From now on nothing is answered. */
  fallSilent(): void
  stop(): Promise<void>
}

/** Base Sepolia's. */
const CHAIN_ID = '0x14a34'
const FIRST_WORDS: Readonly<Record<string, string>> = { eth_chainId: CHAIN_ID, eth_blockNumber: '0x1' }

export async function silentBackend(): Promise<SilentBackend> {
  let isSilent = false
  let settling = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url === '/settle') settling += 1
    if (isSilent) return
    if (request.url === '/verify') return send(response, { isValid: true })
    const method = /"method":"(\w+)"/.exec(body)?.[1] ?? ''
    const id = Number(/"id":(\d+)/.exec(body)?.[1])
    const result = FIRST_WORDS[method]
    if (result !== undefined) send(response, { jsonrpc: '2.0', id, result })
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    settling: () => settling,
    fallSilent: () => {
      isSilent = true
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const send = (response: ServerResponse, document: object): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
}
