import { createServer, type Server } from 'node:http'
import { createClient, http } from 'viem'
import { tempo } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { throughDoor } from '../payment/door.ts'
import { createTempoNode } from '../payment/mpp/node.ts'
import { createNodes } from '../payment/nodes.ts'
import { createFacilitator } from '../payment/x402/facilitator.ts'
import { loadConfig } from './config.ts'
import { checksOf } from './doctor/checks.ts'

/** What the private machine was asked, and by whom. */
const reached: string[] = []
const inside = createServer((request, response) => {
  reached.push(`${request.method} ${request.url}`)
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1', kinds: [] }))
})
let status = 302
/** How often the redirecting address itself was asked. */
let asked = 0
const pointing = createServer((request, response) => {
  asked += 1
  request.resume()
  response.writeHead(status, { Location: `${addressOf(inside)}/stolen` }).end()
})

const addressOf = (server: Server): string => {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
beforeAll(() => Promise.all([listen(inside), listen(pointing)]))
afterAll(() => {
  inside.close()
  pointing.close()
})
beforeEach(() => {
  reached.length = 0
  asked = 0
})

const headers = { Authorization: 'Bearer the-operators-key' }
const payment = { x402Version: 2, paymentPayload: {}, paymentRequirements: {} } as const
const facilitator = () =>
  createFacilitator({
    url: addressOf(pointing),
    headers,
    fetch: throughDoor,
    deadlines: { verifyMs: 2000, settleMs: 2000, supportedMs: 2000 },
  })
const nodeAt = (network: string) => createNodes(new Map([[network, addressOf(pointing)]]))
/** The network is known already, so that the first thing to leave is the transaction. */
const broadcast = () => {
  const client = createClient({ chain: tempo, transport: http('http://127.0.0.1:9') })
  const known = { chainId: 1, name: 'tempo:1', client }
  const node = createTempoNode(addressOf(pointing), 2000)
  const sender = node.sender(known, AbortSignal.timeout(2000), () => undefined)
  return sender.request({ method: 'eth_sendRawTransaction', params: ['0x00'] })
}
const doctor = async (env: Record<string, string>, name: string) => {
  const config = loadConfig({ SOURCES: 'none', ...env })
  return checksOf(config)
    .find((check) => check.name === name)
    ?.run()
}

const CALLS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['what a facilitator supports', () => facilitator().supported()],
  ['verifying', () => facilitator().verify(payment)],
  ['settling', () => facilitator().settle(payment)],
  ['an EVM node', () => nodeAt('eip155:8453').evm('eip155:8453')?.client.getChainId() ?? Promise.resolve()],
  ['a Solana node', () => nodeAt('solana').solana('solana')?.call('getHealth', []) ?? Promise.resolve()],
  ['a Tempo node', () => createTempoNode(addressOf(pointing), 2000).network()],
  ['a broadcast on Tempo', broadcast],
  [
    'doctor at a facilitator',
    () =>
      doctor(
        {
          X402_PAY_TO: `0x${'1'.repeat(40)}`,
          X402_FACILITATOR_URL: addressOf(pointing),
          X402_FACILITATOR_HEADERS: JSON.stringify(headers),
        },
        'x402',
      ),
  ],
  ['doctor at a node', () => doctor({ RPC_URLS: `eip155:8453=${addressOf(pointing)}` }, 'node eip155:8453')],
]

describe.each([301, 302, 303, 307, 308])('an answer of %i to a private address', (code) => {
  it.each(CALLS)('is not followed by %s', async (_name, call) => {
    status = code
    await call().catch(() => undefined)
    expect(asked).toBeGreaterThan(0)
    expect(reached).toEqual([])
  })
})
