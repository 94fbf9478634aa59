import type { Hex } from 'viem'
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
