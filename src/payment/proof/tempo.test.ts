import { Receipt } from 'mppx'
import { Mppx as Buyer, tempo as buyerTempo } from 'mppx/client'
import { Mppx, tempo as serverTempo } from 'mppx/server'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getBlock, getTransactionReceipt } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTempo, type Tempo } from '../../../sandbox/chain/tempo.ts'
import { onEachChain } from '../../../test/support/chains.ts'
import { createProofs } from './create-proofs.ts'
import type { ProofRequest } from './proof.ts'

const SELLER = '0x1111111111111111111111111111111111111111'
const BANK = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const PRICE = 50_000

let tempo: Tempo
let paid: Hex

const request = (over: Partial<ProofRequest> = {}): ProofRequest => ({
  network: 'tempo:1337',
  transaction: paid,
  wallet: BANK,
  payees: [{ network: 'tempo:1337', payee: SELLER }],
  prices: [{ network: null, price: PRICE, firstUs: 0, lastUs: Date.now() * 1000 }],
  submittedUs: Date.now() * 1000,
  ...over,
})
const find = (over: Partial<ProofRequest> = {}) =>
  createProofs({ rpcUrls: new Map([['tempo:1337', tempo.url]]), nowUs: () => Date.now() * 1000 }).find(request(over))

onEachChain((name) => {
  beforeAll(async () => {
    tempo = await startTempo({ node: name })
    paid = await tempo.fund(SELLER, BigInt(PRICE))
  })
  afterAll(() => tempo?.stop())

  describe('a payment on Tempo', () => {
    it('counts whole where the seller has it shared among several', async () => {
      const [MAIN, SHARER] = [`0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`] as const
      const server = Mppx.create({
        realm: 'shares.seller.test',
        secretKey: 'k'.repeat(32),
        methods: [serverTempo.charge({ currency: tempo.currency, recipient: MAIN, getClient: () => tempo.client })],
      })
      const ask = (request: Request) =>
        server.tempo.charge({ amount: '0.05', splits: [{ amount: '0.02', recipient: SHARER }] })(request)
      const buyer = privateKeyToAccount(generatePrivateKey())
      await tempo.fund(buyer.address, 1_000_000n)
      const client = Buyer.create({
        polyfill: false,
        methods: [
          buyerTempo.charge({
            ...{ account: buyer, mode: 'pull', getClient: () => tempo.client, expectedRecipients: [MAIN, SHARER] },
          }),
        ],
        fetch: async (input, init) => {
          const answer = await ask(new Request(input, init))
          return answer.status === 402 ? answer.challenge : answer.withReceipt(new Response('sold'))
        },
      })
      const answer = await client.fetch('http://shares.seller.test/quote')
      const transaction = Receipt.fromResponse(answer).reference
      const payees = [
        { network: 'tempo:1337', payee: MAIN },
        { network: 'tempo:1337', payee: SHARER, isSharer: true },
      ]
      const asked = { transaction, wallet: buyer.address, payees, submittedUs: Date.now() * 1000 }
      expect(await find(asked)).toMatchObject({
        kind: 'found',
        transfers: [{ payee: MAIN, amount: String(PRICE), parts: [expect.any(Number)] }],
      })
      const alone = { ...asked, payees: payees.slice(0, 1) }
      expect(await find(alone)).toMatchObject({ kind: 'none', reason: expect.stringContaining('smaller') })
    })

    it('counts by its first confirmation, in the dollar that every Tempo network carries', async () => {
      const { blockNumber } = await getTransactionReceipt(tempo.client, { hash: paid })
      const { timestamp } = await getBlock(tempo.client, { blockNumber })
      expect(await find()).toMatchObject({
        kind: 'found',
        network: 'tempo:1337',
        transaction: paid,
        transfers: [
          {
            asset: '0x20C0000000000000000000000000000000000000',
            amount: String(PRICE),
            payer: BANK,
            payee: SELLER,
            atUs: Number(timestamp) * 1_000_000,
          },
        ],
      })
    })

    it('does not count for others, below the price or under the name of another chain', async () => {
      expect(await find({ wallet: SELLER })).toMatchObject({ kind: 'none' })
      const prices = [{ network: null, price: PRICE + 1, firstUs: 0, lastUs: Date.now() * 1000 }]
      expect(await find({ prices })).toMatchObject({ kind: 'none', reason: expect.stringContaining('smaller') })
      expect(await find({ network: 'tempo' })).toMatchObject({
        kind: 'unknown',
        reason: expect.stringContaining('node'),
      })
    })
  })
})
