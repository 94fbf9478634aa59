import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { BATCH_SETTLEMENT_ADDRESS, toClientEvmSigner } from '@x402/evm'
import { BatchSettlementEvmScheme, computeChannelId } from '@x402/evm/batch-settlement/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import fc from 'fast-check'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account, type Base, startBase } from '../../../../sandbox/chain/base.ts'
import { portOf } from '../../../../sandbox/local/local-server.ts'
import { type BatchShop, openBatchShop, plantEscrows } from '../../../../test/support/escrow/batch-shop.ts'
import { createProofs } from '../create-proofs.ts'
import type { Proof, ProofRequest } from '../proof.ts'
import { dealsIn } from './batch-settlement.ts'
import { BATCH_CALLS, BATCH_SETTLEMENT } from './escrows.ts'

const DAY_US = 24 * 3600 * 1_000_000
const SELLER = 5
const PRICE = 50_000

let base: Base
let shop: BatchShop
let rpcUrl: string

// Real clients, sellers and facilitators of the kit; the contract itself is a stand-in, because no package carries its code.
beforeAll(async () => {
  base = await startBase()
  await plantEscrows(base)
  shop = await openBatchShop(base, account(base.accounts, SELLER), '0.05')
  rpcUrl = base.rpcUrl
})
afterAll(async () => {
  await shop?.stop()
  await base?.stop()
})

interface Session {
  readonly wallet: string
  readonly channel: string
  /** The transaction that the first answer named: the deposit. */
  readonly opened: string
}

/** Buys so many times by the stock client. */
async function buy(times: number, buyer: LocalAccount = privateKeyToAccount(generatePrivateKey())): Promise<Session> {
  await base.fund(buyer.address, 1_000_000n)
  const scheme = new BatchSettlementEvmScheme(toClientEvmSigner(buyer, base.publicClient))
  const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', scheme))
  let opened = ''
  let channel = ''
  for (let at = 0; at < times; at++) {
    const answer = await pay(shop.url)
    expect(answer.status).toBe(200)
    const { transaction, extra } = decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '')
    if (at > 0) expect(transaction).toBe('')
    opened ||= transaction
    channel = JSON.parse(JSON.stringify(extra)).channelState.channelId
  }
  return { wallet: buyer.address, channel, opened }
}

function find(transaction: string, wallet: string, over: Partial<ProofRequest> = {}, nowUs = Date.now() * 1000) {
  const rpcUrls = new Map([[base.network, rpcUrl]])
  return createProofs({ rpcUrls, nowUs: () => nowUs }).find({
    network: 'base-sepolia',
    transaction,
    wallet,
    payees: [{ network: 'base-sepolia', payee: account(base.accounts, SELLER).address }],
    prices: [{ network: 'base-sepolia', price: PRICE, firstUs: 0, lastUs: Date.now() * 1000 }],
    submittedUs: Date.now() * 1000,
    ...over,
  })
}

const reasonOf = (proof: Proof): string => `${proof.kind}: ${proof.kind === 'found' ? '' : proof.reason}`

describe('a payment by batch settlement', () => {
  it('is one for each buyer where one claim is for many', async () => {
    const [one, other] = [await buy(1), await buy(2)]
    const claimed = await shop.claim()
    for (const [{ wallet, channel }, amount] of [
      [one, PRICE],
      [other, 2 * PRICE],
    ] as const) {
      const found = { kind: 'found', transfers: [{ payer: wallet, amount: String(amount), channel: { id: channel } }] }
      expect(await find(channel, wallet)).toMatchObject(found)
      expect(await find(claimed, wallet)).toMatchObject(found)
    }
    const [first, second] = [await find(claimed, one.wallet), await find(claimed, other.wallet)]
    const placeOf = (proof: Proof) => (proof.kind === 'found' ? proof.transfers[0].logIndex : -1)
    expect(placeOf(first)).not.toBe(placeOf(second))
  })

  it('has a transfer for each claim', async () => {
    const buyer = privateKeyToAccount(generatePrivateKey())
    const { channel, wallet } = await buy(1, buyer)
    const claims = [await shop.claim()]
    await buy(1, buyer)
    claims.push(await shop.claim())
    const proof = await find(channel, wallet)
    expect(proof.kind === 'found' && proof.transfers.map((transfer) => transfer.channel?.transaction)).toEqual(claims)
  })

  it('supports nobody but who opened the channel, before the review, for this seller', async () => {
    const { wallet, channel, opened } = await buy(1)
    await shop.claim()
    const stranger = account(base.accounts, 2).address
    for (const named of [channel, opened]) {
      expect(reasonOf(await find(named, stranger))).toMatch(/^none: .*another wallet/)
      const payees = [{ network: 'base-sepolia', payee: stranger }]
      expect(reasonOf(await find(named, wallet, { payees }))).toMatch(/^none: .*pays nobody who was seen/)
      const submittedUs = Date.now() * 1000 - DAY_US
      expect(reasonOf(await find(named, wallet, { submittedUs }))).toMatch(/^none: the channel was opened at .*after/)
    }
  })

  it('waits a month for a claim of at least the price', async () => {
    const { wallet, channel } = await buy(1)
    const prices = [{ network: null, price: 2 * PRICE, firstUs: 0, lastUs: Date.now() * 1000 }]
    const [soonUs, lateUs] = [Date.now() * 1000 + 30 * DAY_US, Date.now() * 1000 + 32 * DAY_US]
    expect(reasonOf(await find(channel, wallet, {}, soonUs))).toBe('unknown: the channel has paid nobody yet')
    expect(reasonOf(await find(channel, wallet, {}, lateUs))).toBe('none: the channel has paid nobody yet')
    await shop.claim()
    expect(reasonOf(await find(channel, wallet, { prices }, soonUs))).toMatch(/^unknown: .*smaller .*0\.100000/)
    expect(reasonOf(await find(channel, wallet, { prices }, lateUs))).toMatch(/^none: .*smaller .*0\.100000/)
    const found = { kind: 'found', transfers: [{ channel: { isOpen: false } }] }
    expect(await find(channel, wallet, {}, lateUs)).toMatchObject(found)
  })

  it('is found by a node that searches no more than a part of the chain', async () => {
    const { wallet, channel } = await buy(1)
    await shop.claim()
    let refused = 0
    const server = createServer(async (request, response) => {
      const body = await text(request)
      response.writeHead(200, { 'content-type': 'application/json' })
      const { id, method, params } = JSON.parse(body)
      if (method === 'eth_getLogs' && params[0].toBlock === 'latest') {
        refused += 1
        const error = { code: -32005, message: 'query exceeds max block range' }
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
      }
      const answer = await fetch(base.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return response.end(await answer.text())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    rpcUrl = `http://127.0.0.1:${portOf(server.address())}`
    expect(await find(channel, wallet)).toMatchObject({ kind: 'found', transfers: [{ channel: { id: channel } }] })
    expect(refused).toBe(1)
    rpcUrl = base.rpcUrl
    server.close()
  })

  // The last, because it moves the chain's clock.
  it('is nothing before the seller claims, a payment from the claim on, and shows what comes back', async () => {
    const { wallet, channel, opened } = await buy(3)
    const submittedUs = Date.now() * 1000
    for (const named of [channel, opened]) {
      const waiting = { kind: 'unknown', isMissing: true, reason: 'the channel has paid nobody yet' }
      expect(await find(named, wallet, { submittedUs })).toEqual(waiting)
    }
    // However long after the review.
    await base.advance(3600)
    const claimed = await shop.claim()
    const transfer = {
      asset: base.dollar,
      amount: String(3 * PRICE),
      payer: wallet,
      payee: account(base.accounts, SELLER).address,
      channel: { id: channel, transaction: claimed, refunded: null, isOpen: true },
    }
    for (const named of [channel, opened]) {
      expect(await find(named, wallet, { submittedUs })).toMatchObject({ kind: 'found', transfers: [transfer] })
    }
    // Named by itself it must be older than the review, like any transaction.
    expect(reasonOf(await find(claimed, wallet, { submittedUs }))).toMatch(/^none: .*after the review/)
    const laterUs = submittedUs + 2 * 3600 * 1_000_000
    expect(await find(claimed, wallet, { submittedUs: laterUs })).toMatchObject({
      kind: 'found',
      transaction: claimed,
      transfers: [transfer],
    })
    // The payout of everything claimed names nobody who paid.
    const paidOut = await shop.settle()
    expect(reasonOf(await find(paidOut, wallet, { submittedUs: laterUs }))).toMatch(/^none: .*another wallet/)

    await shop.refund()
    const after = { ...transfer, channel: { ...transfer.channel, refunded: String(7 * PRICE) } }
    expect(await find(channel, wallet, { submittedUs })).toMatchObject({ kind: 'found', transfers: [after] })
    expect(await find(claimed, wallet, { submittedUs: laterUs })).toMatchObject({ kind: 'found', transfers: [after] })
  })
})

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((one): Hex => `0x${Buffer.from(one).toString('hex')}`)
const config = fc.record({
  ...{ payer: hex(20), payerAuthorizer: hex(20), receiver: hex(20), receiverAuthorizer: hex(20), token: hex(20) },
  ...{ withdrawDelay: fc.nat(2 ** 31), salt: hex(32) },
})

describe('the terms of a channel', () => {
  it('are read from every call that names them, under the id that the kit gives them', () => {
    expect(BATCH_SETTLEMENT).toBe(BATCH_SETTLEMENT_ADDRESS)
    const many = fc.array(config, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(many, config, hex(12), (claimed, filled, suffix) => {
        const claims = claimed.map((channel) => ({
          voucher: { channel, maxClaimableAmount: 5n },
          signature: '0x1234' as const,
          totalClaimed: 3n,
        }))
        const claim = encodeFunctionData({
          abi: BATCH_CALLS,
          functionName: 'claimWithSignature',
          args: [claims, '0x'],
        })
        const deposit = encodeFunctionData({
          abi: BATCH_CALLS,
          functionName: 'deposit',
          args: [filled, 7n, filled.token, '0x'],
        })
        const both = encodeFunctionData({ abi: BATCH_CALLS, functionName: 'multicall', args: [[claim, deposit]] })
        const input: Hex = `${both}${suffix.slice(2)}`
        const deals = [...claimed, filled].map(({ payer, receiver, token, ...rest }): [string, object] => [
          computeChannelId({ payer, receiver, token, ...rest }, 84532),
          { payer, payee: receiver, asset: token },
        ])
        const lower = (value: unknown) => JSON.parse(JSON.stringify(value).toLowerCase())
        expect(lower([...dealsIn(input, 84532)])).toEqual(lower([...new Map(deals)]))
      }),
      { numRuns: 50 },
    )
  })

  it('are not read from anything else', () => {
    fc.assert(fc.property(hex(300), (input) => dealsIn(input, 1).size === 0))
    expect(dealsIn('0x', 1).size).toBe(0)
  })
})
