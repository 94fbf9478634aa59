import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client, x402HTTPClient } from '@x402/fetch'
import { Mppx, tempo } from 'mppx/client'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, nextQuery, post, signPost, signReview, submitReview } from '../../src/client/index.ts'
import { mppPayer } from '../../src/client/mpp.ts'
import { x402Payer } from '../../src/client/x402.ts'
import { HOST, OTHER_HOST, type PaidWorld, PRICE, paidWorld } from '../payments/world.ts'

let world: PaidWorld
beforeAll(async () => {
  world = await paidWorld()
}, 120_000)
afterAll(() => world.stop())

const clientOf = () => createClient({ baseUrl: world.server.address })
const x402 = (account: PrivateKeyAccount, maxPrice?: string) => {
  const client = new x402HTTPClient(new x402Client().register('eip155:*', new ExactEvmScheme(account)))
  return x402Payer({ client, ...(maxPrice === undefined ? {} : { maxPrice }) })
}
const mpp = (account: PrivateKeyAccount, maxPrice?: string) => {
  const method = tempo.charge({ account, mode: 'pull', getClient: () => world.tempo.client })
  const client = Mppx.create({ polyfill: false, methods: [method] })
  return mppPayer({ client, ...(maxPrice === undefined ? {} : { maxPrice }) })
}

describe('the client on the whole program with a local chain', () => {
  it('finds a host, weighs its route, pays for a post through x402 and reads it back', async () => {
    const client = clientOf()
    const found = await client.hosts({ q: 'paid', rail: 'x402', max_price: '0.02', sort: 'host', limit: 1 })
    expect(found.hosts.map(({ host }) => host)).toEqual([HOST])
    const more = await client.hosts({ q: 'paid', sort: 'host', limit: 1, ...nextQuery(found) })
    expect(more.hosts.map(({ host }) => host)).toEqual([OTHER_HOST])

    const known = await client.decide({ method: 'GET', url: `https://${HOST}/v1/x`, rail: 'x402' })
    const history = await client.listingHistory(HOST, { limit: 1 })
    expect(history.sources.map(({ line }) => line)).toEqual([expect.stringContaining('first named ')])
    expect(history.routes).toHaveLength(1)
    await expect(client.source('nobody')).rejects.toMatchObject({ status: 404 })
    expect(known.price).toMatchObject({ listed: '0.010000', observed: null, differs: null })

    const wallet = await world.wallet()
    const before = await world.income()
    const body = await signPost(wallet, { host: HOST, text: 'Is the price per call?' })
    const posted = await post(client, HOST, body, x402(wallet))
    expect(posted).toMatchObject({ host: HOST, rail: 'x402', wallet: wallet.address, text: body.text })
    expect(await world.income()).toBe(before + PRICE)
    expect((await client.thread(HOST)).posts.map(({ id }) => id)).toContain(posted.id)
    expect(await client.post(posted.id)).toMatchObject({ id: posted.id, signature: body.signature })
  })

  it('pays for a post through mpp', async () => {
    const client = clientOf()
    const wallet = await world.wallet()
    const body = await signPost(wallet, { host: OTHER_HOST, text: 'And by mpp?' })
    const posted = await post(client, OTHER_HOST, body, mpp(wallet))
    expect(posted).toMatchObject({ rail: 'mpp', wallet: wallet.address })
    expect((await client.thread(OTHER_HOST)).posts.map(({ id }) => id)).toEqual([posted.id])
  })

  it('signs nothing above its limit, and pays nothing for a post that is refused', async () => {
    const client = clientOf()
    const wallet = await world.wallet()
    const before = await world.income()
    const body = await signPost(wallet, { host: HOST, text: 'Too dear?' })
    await expect(post(client, HOST, body, x402(wallet, '0.049999'))).rejects.toThrow('more than 0.049999')
    await expect(post(client, HOST, body, mpp(wallet, '0.01'))).rejects.toThrow('more than 0.010000')
    const other = await world.wallet()
    await expect(post(client, HOST, body, x402(other))).rejects.toMatchObject({ status: 403, charged: false })
    await expect(post(client, 'unknown.paid.example', body, x402(wallet))).rejects.toMatchObject({ status: 404 })
    expect(await world.income()).toBe(before)
  })

  it('submits a signed review and finds it', async () => {
    const client = clientOf()
    const wallet = await world.wallet(0n)
    const review = { url: `https://${HOST}/v1/x`, method: 'GET', rail: 'x402', rating: 4, text: 'As listed.' } as const
    const stored = await submitReview(client, await signReview(wallet, review))
    expect(stored).toMatchObject({ level: 'Signed', wallet: wallet.address, host: HOST })
    expect(await client.review(stored.id)).toMatchObject({ id: stored.id, message: expect.stringMatching(/^review\n/) })
    expect((await client.reviews(HOST, { level: 'Signed' })).reviews.map(({ id }) => id)).toEqual([stored.id])
  })
})
