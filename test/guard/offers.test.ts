import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { Challenge } from 'mppx'
import { evm, Mppx, tempo } from 'mppx/client'
import { createClient, custom } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/tempo/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGuard, type GuardPolicy } from '../../src/client/guard/index.ts'
import { mppPayer } from '../../src/client/mpp.ts'

const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const PATH_USD = '0x20c0000000000000000000000000000000000000'
const SELLER = `0x${'a1'.repeat(20)}`
const account = privateKeyToAccount(generatePrivateKey())

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A seller that asks as a test says, and takes whatever it is paid. */
let asks: Answer
let paid: string[] = []
let base = ''
const seller = createServer((request, response) => {
  const { authorization, 'payment-signature': signature, 'x-payment': first } = request.headers
  const payment = signature ?? first ?? authorization
  if (payment === undefined) return asks(request, response)
  paid.push(String(payment))
  response.end('{}')
})
beforeAll(async () => {
  await new Promise<void>((resolve) => seller.listen(0, '127.0.0.1', resolve))
  const { port }: Pick<AddressInfo, 'port'> = Object.assign({ port: 0 }, seller.address())
  base = `http://127.0.0.1:${port}`
})
afterAll(() => {
  seller.closeAllConnections()
  seller.close()
})
beforeEach(() => {
  paid = []
})

const offer = (more: object = {}) => ({
  ...{ scheme: 'exact', network: 'eip155:84532', asset: USDC, amount: '10000', payTo: SELLER, maxTimeoutSeconds: 60 },
  ...{ extra: { name: 'USDC', version: '2' }, ...more },
})
const x402 =
  (accepts: object[], x402Version = 2): Answer =>
  (_, response) => {
    const required = { x402Version, error: 'pay', resource: { url: base, description: '', mimeType: '' }, accepts }
    const document = JSON.stringify(required)
    response.writeHead(402, x402Version === 2 ? { 'PAYMENT-REQUIRED': Buffer.from(document).toString('base64') } : {})
    response.end(document)
  }
const mpp =
  (request: Record<string, unknown>, intent = 'charge'): Answer =>
  (_, response) => {
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
    const expires = new Date(Date.now() + 300_000).toISOString()
    const asked = { amount: '1000', currency: PATH_USD, recipient: SELLER, ...request }
    const challenge = Challenge.from({ id, realm: 'shop', method: 'tempo', intent, request: asked, expires })
    response.writeHead(402, { 'WWW-Authenticate': Challenge.serialize(challenge) }).end('{}')
  }
/** Leads buyers elsewhere, who are asked there. */
const leading =
  (ways: Readonly<Record<string, string>>, then: Answer): Answer =>
  (request, response) => {
    const to = ways[request.url ?? '']
    if (to === undefined) return then(request, response)
    response.writeHead(302, { location: to }).end()
  }

/** Knows `/v1/x` at 0.01 dollars on both rails, and no other route. */
function guarding(policy: GuardPolicy = {}) {
  const asked: { url: string; rail: string; price: string }[] = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { url, rail, offer } = JSON.parse(String(init?.body))
    asked.push({ url, rail, price: offer.price })
    const isKnown = new URL(url).pathname === '/v1/x'
    const stop = { code: 'price_above_listed', severity: 'stop', said: 'Dear.', href: '' }
    const warn = { code: 'never_probed', severity: 'warn', said: 'Not known.', href: '' }
    const findings = !isKnown ? [warn] : Number(offer.price) > 0.01 ? [stop] : []
    return Response.json({ asked: { url, rail }, allow: !findings.includes(stop), findings })
  }
  return { asked, guard: createGuard({ directory: 'https://tollbook.example', fetch, policy, limitMs: 20_000 }) }
}

const x402Fetch = (guard: ReturnType<typeof createGuard>) => {
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    .registerV1('base-sepolia', new ExactEvmSchemeV1(account))
  return wrapFetchWithPayment(guard.fetch(fetch), guard.x402(new x402HTTPClient(client)))
}
/** A chain that says nothing of use: whatever is refused is refused before. */
const getClient = () => createClient({ chain: tempoChain, transport: custom({ request: async () => '0x0' }) })
const METHODS = [
  evm.charge({ account }),
  tempo.charge({ account, getClient, mode: 'pull' }),
  tempo.session({ account, getClient }),
  tempo.subscription({ account, getClient }),
] as const
const mppxFetch = (guard: ReturnType<typeof createGuard>): typeof fetch =>
  guard.mppx(Mppx.create)({ polyfill: false, methods: METHODS }).fetch

describe('a stock client of x402 with a guard', () => {
  it('signs nothing above the limit where the first version names two amounts', async () => {
    asks = x402([offer({ network: 'base-sepolia', amount: '10000', maxAmountRequired: '900000' })], 1)
    await expect(x402Fetch(guarding({ maxPrice: '0.05' }).guard)(`${base}/v1/x`)).rejects.toThrow('price_above_limit')
    expect(paid).toEqual([])
  })

  it.each<[string, Record<string, string>]>([
    ['elsewhere on its host', { '/v1/x': '/pay/now' }],
    ['on by two steps', { '/v1/x': '/other', '/other': '/pay/now' }],
    ['to what is listed, from what is not', { '/v1/old': '/v1/x' }],
  ])('signs nothing where a seller leads it %s and asks for more than is listed', async (_, ways) => {
    asks = leading(ways, x402([offer({ amount: '900000' })]))
    const { guard, asked } = guarding()
    const [path] = Object.keys(ways)
    await expect(x402Fetch(guard)(`${base}${path}`)).rejects.toThrow('price_above_listed')
    expect([paid, asked.length]).toEqual([[], 2])
  })

  it('pays what is listed where a seller leads it on, and asks once where none does', async () => {
    asks = leading({ '/v1/x': '/v2/x' }, x402([offer()]))
    const { guard, asked } = guarding()
    const pay = x402Fetch(guard)
    expect((await pay(`${base}/v1/x`)).status).toBe(200)
    expect(asked.map(({ url }) => url)).toEqual([`${base}/v1/x`, `${base}/v2/x`])
    asks = x402([offer({ amount: '9000' })])
    expect((await pay(`${base}/v1/x`)).status).toBe(200)
    expect([paid.length, asked.length]).toEqual([2, 3])
  })
})

describe('a stock client of mpp with a guard', () => {
  it('holds what it pays through x402 to what is known of that', async () => {
    asks = x402([offer({ amount: '5000000' })])
    const { guard, asked } = guarding()
    await expect(mppxFetch(guard)(`${base}/v1/x`)).rejects.toThrow('price_above_listed')
    expect([paid, asked]).toEqual([[], [{ url: `${base}/v1/x`, rail: 'x402', price: '5.000000' }]])
    asks = x402([offer()])
    expect((await mppxFetch(guard)(`${base}/v1/x`)).status).toBe(200)
    expect(paid.length).toBe(1)
  })

  it.each([{}, { maxPrice: '0.05' }])('opens no session with a deposit that nobody allowed: %o', async (policy) => {
    asks = mpp({ suggestedDeposit: '1000000000', methodDetails: { chainId: 4217, sessionProtocol: 'v2' } }, 'session')
    await expect(mppxFetch(guarding(policy).guard)(`${base}/v1/x`)).rejects.toThrow('price_above_limit')
    expect(paid).toEqual([])
  })

  it.each([{}, { maxPrice: '0.05' }])('takes no subscription: %o', async (policy) => {
    const accessKey = { accessKeyAddress: SELLER, keyType: 'secp256k1' }
    const subscriptionExpires = new Date(Math.ceil(Date.now() / 1000) * 1000 + 86_400_000).toISOString()
    const terms = { periodCount: '1', periodUnit: 'day', subscriptionExpires }
    asks = mpp({ ...terms, methodDetails: { chainId: 4217, accessKey } }, 'subscription')
    await expect(mppxFetch(guarding(policy).guard)(`${base}/v1/x`)).rejects.toThrow('asset_unknown')
    expect(paid).toEqual([])
  })

  it('signs nothing where a seller leads it elsewhere on its host and asks for more', async () => {
    asks = leading({ '/v1/x': '/pay/now' }, mpp({ amount: '5000000', methodDetails: { chainId: 4217 } }))
    const { guard } = guarding()
    const client = guard.mppx(Mppx.create)({ polyfill: false, methods: METHODS })
    await expect(client.fetch(`${base}/v1/x`)).rejects.toThrow('price_above_listed')
    const plain = Mppx.create({ polyfill: false, methods: METHODS })
    await expect(guard.prepare(plain, `${base}/v1/x`)).rejects.toThrow('price_above_listed')
    expect(paid).toEqual([])
  })
})

describe('a payer of posts', () => {
  it('opens no session', async () => {
    const session = { suggestedDeposit: '1000000000', methodDetails: { chainId: 4217, sessionProtocol: 'v2' } }
    asks = mpp(session, 'session')
    const { headers } = await fetch(base)
    const client = Mppx.create({ polyfill: false, methods: METHODS })
    await expect(mppPayer({ client }).quote(headers)).rejects.toThrow('asks for no payment that can be made here')
    asks = mpp({ methodDetails: { chainId: 4217 } })
    expect(await mppPayer({ client }).quote((await fetch(base)).headers)).toMatchObject({ price: '0.001000' })
  })
})
