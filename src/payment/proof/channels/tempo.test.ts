import { Session } from 'mppx/tempo'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTempo, type Tempo } from '../../../../sandbox/chain/tempo.ts'
import {
  openSessionShop,
  plantChannels,
  type SessionShop,
  sessionBuyer,
} from '../../../../test/support/escrow/tempo-shop.ts'
import { createProofs } from '../create-proofs.ts'
import type { Proof, ProofRequest } from '../proof.ts'
import { TEMPO_CHANNELS } from './escrows.ts'

const PRICE = 50_000
const DEPOSIT = 1_000_000

let chain: Tempo
let shop: SessionShop
const seller = privateKeyToAccount(generatePrivateKey())

// Real clients and sellers of the kit; the escrow is a stand-in, because it is part of a real Tempo chain and has no code.
beforeAll(async () => {
  chain = await startTempo()
  await plantChannels(chain)
  await chain.fund(seller.address, 1_000_000n)
  shop = await openSessionShop(chain, seller, '0.05')
})
afterAll(async () => {
  await shop?.stop()
  await chain?.stop()
})

async function session() {
  const account = privateKeyToAccount(generatePrivateKey())
  const client = await sessionBuyer(chain, account)
  const buy = async () => {
    const answer = await client.fetch(shop.url)
    expect(answer.status).toBe(200)
    return Session.Precompile.Protocol.deserializeSessionReceipt(answer.headers.get('payment-receipt') ?? '')
  }
  const close = async (): Promise<string> => (await client.close())?.txHash ?? ''
  return { wallet: account.address, buy, close }
}

const find = (transaction: string, wallet: string, over: Partial<ProofRequest> = {}) =>
  createProofs({ rpcUrls: new Map([['tempo:1337', chain.url]]), nowUs: () => Date.now() * 1000 }).find({
    network: 'tempo:1337',
    transaction,
    wallet,
    payees: [{ network: 'tempo:1337', payee: seller.address }],
    prices: [{ network: null, price: PRICE, firstUs: 0, lastUs: Date.now() * 1000 }],
    submittedUs: Date.now() * 1000,
    ...over,
  })
const reasonOf = (proof: Proof): string => `${proof.kind}: ${proof.kind === 'found' ? '' : proof.reason}`
const asHex = (text: string): Hex => `0x${text.slice(2)}`

describe('a payment by a session on Tempo', () => {
  it('is nothing while there are vouchers alone, a payment once it is settled, and shows the rest of the deposit', async () => {
    expect(TEMPO_CHANNELS).toBe(Session.Precompile.Constants.tip20ChannelEscrow)
    const { wallet, buy, close } = await session()
    const [first, second] = [await buy(), await buy()]
    // What a receipt names is the channel.
    const { reference: channel, txHash: opened = '' } = first
    expect(second).toMatchObject({ reference: channel, acceptedCumulative: String(2 * PRICE) })
    for (const named of [channel, opened]) {
      expect(reasonOf(await find(named, wallet))).toBe('unknown: the channel has paid nobody yet')
    }
    const settled = await shop.settle(asHex(channel))
    const paid = (amount: number, transaction: string, refunded: string | null, isOpen: boolean) => ({
      ...{ asset: '0x20C0000000000000000000000000000000000000', amount: String(amount), payer: wallet },
      ...{ payee: seller.address, channel: { id: channel, transaction, refunded, isOpen } },
    })
    for (const named of [channel, opened, settled]) {
      const found = { kind: 'found', transaction: named, transfers: [paid(2 * PRICE, settled, null, true)] }
      expect(await find(named, wallet)).toMatchObject(found)
    }
    await buy()
    const closed = await close()
    const rest = String(DEPOSIT - 3 * PRICE)
    const last = paid(PRICE, closed, rest, false)
    expect(await find(closed, wallet)).toMatchObject({ kind: 'found', transfers: [last] })
    const both = [paid(2 * PRICE, settled, rest, false), last]
    expect(await find(channel, wallet)).toMatchObject({ kind: 'found', transaction: channel, transfers: both })
  })

  it('supports nobody but its payer, for its payee and at least the price, and nothing once it is closed', async () => {
    const { wallet, buy, close } = await session()
    const { reference: channel, txHash: opened = '' } = await buy()
    const settled = await shop.settle(asHex(channel))
    for (const named of [channel, opened, settled]) {
      expect(reasonOf(await find(named, seller.address))).toMatch(/^none: .*(another wallet|oneself)/)
      const payees = [{ network: 'tempo:1337', payee: wallet }]
      expect(reasonOf(await find(named, wallet, { payees }))).toMatch(/^none: .*pays nobody who was seen/)
    }
    const prices = [{ network: null, price: PRICE + 1, firstUs: 0, lastUs: Date.now() * 1000 }]
    expect(reasonOf(await find(channel, wallet, { prices }))).toMatch(/^unknown: .*smaller/)
    await close()
    expect(reasonOf(await find(channel, wallet, { prices }))).toMatch(/^none: .*smaller/)
  })
})
