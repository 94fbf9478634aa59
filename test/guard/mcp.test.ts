import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { PaymentRequired } from '@x402/core/types'
import { tempo } from 'mppx/client'
import { McpClient } from 'mppx/mcp/client'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payeeOf } from '../../sandbox/accounts.ts'
import { createGuard, type Guard, PaymentStopped } from '../../src/client/guard/index.ts'
import type { Rail } from '../../src/domain/route.ts'
import { x402Buyer } from './buyers.ts'
import { MCP_PATH, MCP_SELLERS, openMcpSellers, TOOLS } from './mcp-sellers.ts'
import { type GuardWorld, guardWorld } from './world.ts'

const RAILS = ['x402', 'mpp'] as const
let world: GuardWorld
let sellers: Awaited<ReturnType<typeof openMcpSellers>>
beforeAll(async () => {
  const routes = Object.values(MCP_SELLERS).flatMap(({ host }) =>
    RAILS.map((rail) => ({ host, method: 'POST', path: MCP_PATH, rail, price: 10_000 }) as const),
  )
  world = await guardWorld(routes)
  sellers = await openMcpSellers(world)
}, 120_000)
afterAll(async () => {
  await sellers?.stop()
  await world?.stop()
})

const addressOf = (name: keyof typeof MCP_SELLERS): string => `http://${MCP_SELLERS[name].host}${MCP_PATH}`

async function connected(url: string): Promise<Client> {
  const client = new Client({ name: 'buyer', version: '1' })
  const transport: Transport = new StreamableHTTPClientTransport(new URL(url), { fetch: sellers.fetch })
  await client.connect(transport)
  return client
}

/** With the rail's own kit. */
async function callByMpp(url: string, account: PrivateKeyAccount, guard?: Guard): Promise<unknown> {
  const methods = [tempo.charge({ account, mode: 'pull', getClient: () => world.tempo.client })] as const
  const client = McpClient.wrap(await connected(url), { methods, ...guard?.mcp(url) })
  return (await client.callTool({ name: TOOLS.mpp, arguments: {} })).content
}

/**
 * The registry that this project installs from does not have `@x402/mcp`. This does what its client does, in the same
 * order and with the same objects: asks `onPaymentRequested`, lets the `x402Client` choose and sign, and calls again.
 */
async function callByX402(url: string, account: PrivateKeyAccount, guard?: Guard): Promise<unknown> {
  const client = await connected(url)
  const call = { name: TOOLS.x402, arguments: {} }
  const { structuredContent } = await client.callTool(call)
  if (!isPaymentRequired(structuredContent)) throw new Error('no demand')
  const paymentRequired: PaymentRequired = structuredContent
  await guard?.mcp(url).onPaymentRequested({ paymentRequired })
  const payment = await x402Buyer(account).createPaymentPayload(paymentRequired)
  return (await client.callTool({ ...call, _meta: { 'x402/payment': payment } })).content
}

const isPaymentRequired = (value: unknown): value is PaymentRequired =>
  typeof value === 'object' && value !== null && 'accepts' in value && 'x402Version' in value

const callBy = (rail: Rail) => (rail === 'mpp' ? callByMpp : callByX402)
const guarding = (): Guard => createGuard({ directory: world.directory, limitMs: 20_000 })
const SOLD = [{ type: 'text', text: 'sold' }]

describe.each(RAILS)('an MCP client with a guard: %s', (rail) => {
  it('pays for an honest tool', async () => {
    const { account, signed } = await world.wallet()
    expect(await callBy(rail)(addressOf('honest'), account, guarding())).toEqual(SOLD)
    expect(signed()).toBeGreaterThan(0)
  })

  it('signs nothing where the price is above the listed one; without it, pays', async () => {
    const { account, signed } = await world.wallet()
    const stopped = await callBy(rail)(addressOf('liar'), account, guarding()).catch((error: unknown) => error)
    expect(stopped).toBeInstanceOf(PaymentStopped)
    expect([signed(), String(stopped)]).toEqual([0, expect.stringContaining('price_above_listed')])
    const gained = () => world.balanceOf(rail, payeeOf(MCP_SELLERS.liar).address)
    const before = await gained()
    expect(await callBy(rail)(addressOf('liar'), account)).toEqual(SOLD)
    expect((await gained()) - before).toBe(50_000n)
  })
})

describe('what an MCP client of x402 may choose from', () => {
  it('is without the offers that are stopped', async () => {
    const guard = createGuard({ directory: 'http://127.0.0.1:1', policy: { maxPrice: '0.02' } })
    const offer = { scheme: 'exact', network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }
    const [cheap, dear] = [
      { ...offer, amount: '10000' },
      { ...offer, amount: '50000' },
    ]
    const paymentRequired = { accepts: [dear, cheap] }
    expect(await guard.mcp('http://x.example').onPaymentRequested({ paymentRequired })).toBe(true)
    expect(paymentRequired.accepts).toEqual([cheap])
    for (const accepts of [[dear], [], undefined])
      await expect(
        guard.mcp('http://x.example').onPaymentRequested({ paymentRequired: { accepts } }),
      ).rejects.toBeInstanceOf(PaymentStopped)
  })
})
