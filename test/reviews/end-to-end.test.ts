import { rmSync } from 'node:fs'
import { toClientEvmSigner } from '@x402/evm'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { createReceiptEIP712 } from '@x402/extensions/offer-receipt'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { encodeFunctionData, type Hex, http, keccak256, type LocalAccount, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { broadcast, signAuthorization } from '../../sandbox/chain/authorization.ts'
import { dollarAbi, dollarCode } from '../../sandbox/chain/contracts.ts'
import { createGuard } from '../../src/client/guard/index.ts'
import { temporaryFolder } from '../support/engines.ts'
import { openBatchShop, plantEscrows } from '../support/escrow/batch-shop.ts'
import { FAILING, FORECAST, HISTORY, type Market, openMarket, PRICE, SELLER, TRANSLATE } from './market.ts'

const NETWORK = 'eip155:84532'
const LOOK_ALIKE: Hex = '0x036cbd53842c5426634e7929541ec2318f3dcf70'
/** Re-checks come with a growing pause. */
const PATIENCE = { timeout: 50_000, interval: 250 }

const folder = temporaryFolder()
let market: Market
beforeAll(async () => {
  market = await openMarket(folder)
  await market.base.testClient.setCode({ address: LOOK_ALIKE, bytecode: dollarCode.runtime })
})
afterAll(async () => {
  await market?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const on = (transaction: string) => ({ network: NETWORK, transaction })
const reviewed = (by: LocalAccount, transaction: string) =>
  market.review(by, { route: FORECAST, payment: on(transaction) })

async function moved(by: LocalAccount, { asset = market.base.dollar, value = PRICE } = {}): Promise<Hex> {
  const data = encodeFunctionData({ abi: dollarAbi, functionName: 'transfer', args: [SELLER.address, value] })
  const hash = await market.base.walletClient(by).sendTransaction({ to: asset, data, gas: 200_000n })
  await market.base.publicClient.waitForTransactionReceipt({ hash })
  await market.confirm()
  return hash
}

/** Has the chain grow anew from before a transaction, without it. */
async function reorganise(transaction: string): Promise<void> {
  const { publicClient, rpcUrl } = market.base
  const { blockNumber } = await publicClient.getTransactionReceipt({
    hash: toHex(Buffer.from(transaction.slice(2), 'hex')),
  })
  const depth = Number((await publicClient.getBlockNumber()) - blockNumber) + 1
  await http(rpcUrl)({}).request({ method: 'anvil_reorg', params: [depth, []] })
}

describe('a buyer who really paid', () => {
  it('through x402 is a verified buyer, and a receipt of the seller is shown as the stronger binding', async () => {
    const buyer = await market.buyer('x402 buyer')
    const payment = await market.buyForecast(buyer)
    await market.confirm()
    const receipt = await createReceiptEIP712(
      { resourceUrl: FORECAST.url, payer: buyer.address, network: NETWORK, transaction: payment.transaction },
      (data) => SELLER.signTypedData(data),
    )
    const review = await market.review(buyer, { route: FORECAST, payment, receipt })
    expect(review).toMatchObject({ level: 'Verified buyer', counts_as_agent_review: true })
    expect(JSON.stringify(await market.read(review.id))).toContain('"has_receipt":true')
  })

  it('through mpp on Tempo is a verified buyer', async () => {
    const buyer = await market.buyer('mpp buyer')
    const payment = await market.buyTranslation(buyer)
    const review = await market.review(buyer, { route: TRANSLATE, payment })
    expect(review).toMatchObject({ level: 'Verified buyer', counts_as_agent_review: true })
  })
})

describe('a seller that settles and then answers 500', () => {
  it('appears as not served, with the transaction that shows the payment, once its buyer reports it', async () => {
    const buyer = await market.buyer('not served')
    const guard = createGuard({ directory: market.address, signer: buyer, limitMs: 20_000 })
    const transport = new x402HTTPClient(new x402Client().register('eip155:*', new ExactEvmScheme(buyer)))
    const answer = await wrapFetchWithPayment(guard.fetch(market.fetch), guard.x402(transport))(FAILING.url)
    expect(answer.status).toBe(500)
    await market.confirm()
    const reported = await guard.report(answer)
    expect(reported).toMatchObject({ sent: true, level: 'Verified buyer' })
    expect(await answer.json()).toEqual({ error: 'always 500 after payment' })

    const { transaction } = decodePaymentResponseHeader(answer.headers.get('PAYMENT-RESPONSE') ?? '')
    const line = 'Paid calls reported by verified buyers: 1 · 0 served · 1 not served'
    const { host, pathname } = new URL(FAILING.url)
    const route = `/hosts/${host}/route?method=GET&path=${encodeURIComponent(pathname)}&rail=x402`
    for (const place of [route, `/hosts/${host}?format=html`, `/hosts/${host}?format=md`, `/hosts/${host}?format=json`])
      for (const words of [line, transaction, 'Not served: HTTP 500'])
        expect(await market.page(place), place).toContain(words)
    const decided = await market.page(`/v1/decide?method=GET&url=${encodeURIComponent(FAILING.url)}&rail=x402`)
    expect(decided).toContain(line)
    expect(
      (await guard.ask({ url: FAILING.url, rail: 'x402', offer: { price: '0.010000', network: NETWORK } })).findings,
    ).toContainEqual(expect.objectContaining({ code: 'buyers_not_served' }))
    // The same payment again is the same report.
    expect(await guard.report(answer, { rating: 2 })).toMatchObject({ sent: true })
    expect(await market.page(route)).toContain(line)
    const silent = createGuard({ directory: market.address })
    expect(await silent.report(answer)).toBeUndefined()
  })
})

describe('a buyer who pays by the session', () => {
  it('is Signed by a voucher alone, a verified buyer once it is claimed, and a refund is shown', async () => {
    // The escrow contract is a stand-in, because no package carries its code; buyer, seller and facilitator are the kit's.
    await plantEscrows(market.base)
    const shop = await openBatchShop(market.base, SELLER, '0.02')
    const buyer = await market.buyer('by the session')
    const scheme = new BatchSettlementEvmScheme(toClientEvmSigner(buyer, market.base.publicClient))
    const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', scheme))
    await pay(shop.url)
    const answer = await pay(shop.url)
    expect(decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '').transaction).toBe('')
    const guard = createGuard({ directory: market.address, signer: buyer, limitMs: 20_000 })
    const told = { url: HISTORY.url, method: 'GET', latencyMs: 12 }
    const reported = await guard.report(answer, told)
    expect(reported).toMatchObject({ sent: true, level: 'Signed' })
    const path = reported?.sent ? new URL(reported.href).pathname : ''
    expect(await market.page(path)).toContain('the channel has paid nobody yet')

    const claimed = await shop.claim()
    const places = [path, `${path}?format=html`, `/hosts/weather.seller.test?format=md`]
    await expect.poll(() => market.page(path), PATIENCE).toContain('"level":"Verified buyer"')
    for (const place of places) expect(await market.page(place), place).toContain(claimed)
    await shop.refund()
    await expect.poll(() => market.page(path), PATIENCE).toContain('"refunded":"160000"')
    for (const place of places.slice(1)) {
      expect(await market.page(place), place).toContain('160000 base units of the deposit went back to the buyer')
    }
    await shop.stop()
  })
})

describe('a buyer who corrects a review', () => {
  it('keeps the payment: the newer review is supported by it, and the older one says so', async () => {
    const buyer = await market.buyer('second thoughts')
    const { transaction } = await market.buyForecast(buyer)
    await market.confirm()
    const first = await reviewed(buyer, transaction)
    expect(first.level).toBe('Verified buyer')
    const corrected = await reviewed(buyer, transaction)
    expect(corrected).toMatchObject({ level: 'Verified buyer', counts_as_agent_review: true })
    expect(await market.read(first.id)).toMatchObject({
      level: 'Signed',
      level_reason: expect.stringContaining('newer review of the same wallet'),
      counts_as_agent_review: false,
    })
  })
})

describe('not a verified buyer, and told why', () => {
  it('is whoever names a transaction that supports another review already', async () => {
    const buyer = await market.buyer('twice')
    const { transaction } = await market.buyForecast(buyer)
    await market.confirm()
    expect((await reviewed(buyer, transaction)).level).toBe('Verified buyer')
    const elsewhere = (named: string) => market.review(buyer, { route: HISTORY, payment: on(named) })
    const again = await elsewhere(transaction)
    const refused = { level: 'Signed', level_reason: expect.stringContaining('already supports another review') }
    expect(again).toMatchObject(refused)
    const loud = await elsewhere(`0x${transaction.slice(2).toUpperCase()}`)
    expect(loud).toMatchObject(refused)
  })

  it('is whoever names the payment of somebody else, its facilitator included', async () => {
    const { transaction } = await market.buyForecast(await market.buyer('honest'))
    await market.confirm()
    for (const thief of [await market.buyer('thief'), market.facilitatorAccount]) {
      expect(await reviewed(thief, transaction)).toMatchObject({
        level: 'Signed',
        level_reason: expect.stringContaining('another wallet'),
      })
    }
  })

  it('is whoever paid too little', async () => {
    const buyer = await market.buyer('stingy')
    expect(await reviewed(buyer, await moved(buyer, { value: PRICE - 1n }))).toMatchObject({
      level: 'Signed',
      level_reason: expect.stringContaining('smaller than the price at that time, 0.020000'),
    })
  })

  it('is whoever paid somebody else', async () => {
    const buyer = await market.buyer('astray')
    const signed = await signAuthorization(market.base, buyer, { to: market.facilitatorAccount.address, value: PRICE })
    const transaction = await broadcast(market.base, signed)
    await market.confirm()
    expect(await reviewed(buyer, transaction)).toMatchObject({
      level: 'Signed',
      level_reason: expect.stringContaining('pays nobody who was seen'),
    })
  })

  it('is whoever paid in a look-alike of the dollar', async () => {
    const buyer = await market.buyer('forger')
    const mint = encodeFunctionData({ abi: dollarAbi, functionName: 'mint', args: [buyer.address, PRICE] })
    await market.base.walletClient(buyer).sendTransaction({ to: LOOK_ALIKE, data: mint })
    expect(await reviewed(buyer, await moved(buyer, { asset: LOOK_ALIKE }))).toMatchObject({
      level: 'Signed',
      level_reason: expect.stringContaining('not known as a dollar'),
    })
  })

  it('is whoever names a transaction that failed', async () => {
    const buyer = await market.buyer('broke')
    expect(await reviewed(buyer, await moved(buyer, { value: 10n ** 15n }))).toMatchObject({
      level: 'Signed',
      level_reason: expect.stringContaining('the transaction failed'),
    })
  })

  it('is whoever names a transaction that nobody knows', async () => {
    const buyer = await market.buyer('dreamer')
    expect(await reviewed(buyer, keccak256(toHex('never sent')))).toMatchObject({
      level: 'Signed',
      level_reason: expect.stringContaining(`not on ${NETWORK} yet`),
    })
  })
})

describe('a level', () => {
  it('is raised when the node was down and is back, and the change can be read', async () => {
    const buyer = await market.buyer('patient')
    const { transaction } = await market.buyForecast(buyer)
    await market.confirm()
    market.node.fault = 'down'
    const review = await reviewed(buyer, transaction)
    expect(review).toMatchObject({ level: 'Signed', level_reason: expect.stringContaining('does not answer') })
    market.node.fault = 'none'
    await expect.poll(async () => (await market.read(review.id)).level, PATIENCE).toBe('Verified buyer')
    expect(JSON.stringify((await market.read(review.id)).events)).toMatch(/Signed.*Verified buyer/)
  })

  it('counts from the first block of its payment on', async () => {
    const buyer = await market.buyer('hasty')
    const { transaction } = await market.buyForecast(buyer)
    expect((await reviewed(buyer, transaction)).level).toBe('Verified buyer')
  })

  it('is lowered when the chain is reorganised without the payment, and the change can be read', async () => {
    const buyer = await market.buyer('unlucky')
    const { transaction } = await market.buyForecast(buyer)
    await market.confirm()
    const review = await reviewed(buyer, transaction)
    expect(review.level).toBe('Verified buyer')
    await reorganise(transaction)
    await expect.poll(async () => (await market.read(review.id)).level, PATIENCE).toBe('Signed')
    expect(JSON.stringify((await market.read(review.id)).events)).toMatch(/Verified buyer.*Signed/)
  })
})
