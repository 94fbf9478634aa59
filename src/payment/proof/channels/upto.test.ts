import { PERMIT2_ADDRESS, toClientEvmSigner } from '@x402/evm'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account, type Base, startBase } from '../../../../sandbox/chain/base.ts'
import { dollarAbi } from '../../../../sandbox/chain/contracts.ts'
import { type LaterShop, openUptoShop, plantEscrows } from '../../../../test/support/escrow/batch-shop.ts'
import { createProofs } from '../create-proofs.ts'

const [BUYER, SELLER] = [1, 5]

let base: Base
const shops: LaterShop[] = []

// Real clients, sellers and facilitators of the kit; Permit2 and the kit's proxy are stand-ins, because no package carries them.
beforeAll(async () => {
  base = await startBase()
  await plantEscrows(base)
  const buyer = account(base.accounts, BUYER)
  await base.fund(buyer.address, 10_000_000n)
  await base.walletClient(buyer).writeContract({
    ...{ address: base.dollar, abi: dollarAbi, functionName: 'approve', args: [PERMIT2_ADDRESS, 10_000_000n] },
  })
})
afterAll(async () => {
  for (const shop of shops) await shop.stop()
  await base?.stop()
})

/** The transaction of a call that may cost up to 0.05 dollars, of which so many base units are taken. */
async function buy(takes: number): Promise<string> {
  const shop = await openUptoShop(base, account(base.accounts, SELLER).address, '0.05', String(takes))
  shops.push(shop)
  const scheme = new UptoEvmScheme(toClientEvmSigner(account(base.accounts, BUYER), base.publicClient))
  const answer = await wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', scheme))(shop.url)
  expect(answer.status, await answer.text()).toBe(200)
  return decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '').transaction
}

const find = (transaction: string) =>
  createProofs({ rpcUrls: new Map([[base.network, base.rpcUrl]]), nowUs: () => Date.now() * 1000 }).find({
    network: 'base-sepolia',
    transaction,
    wallet: account(base.accounts, BUYER).address,
    payees: [{ network: 'base-sepolia', payee: account(base.accounts, SELLER).address }],
    prices: [{ network: null, price: 50_000, firstUs: 0, lastUs: Date.now() * 1000 }],
    submittedUs: Date.now() * 1000,
  })

describe('a payment by the upto scheme', () => {
  it('counts where the price was taken, and not where less was', async () => {
    const paid = await buy(50_000)
    const payer = account(base.accounts, BUYER).address
    expect(await find(paid)).toMatchObject({ kind: 'found', transfers: [{ payer, amount: '50000' }] })
    expect(await find(await buy(49_999))).toMatchObject({ kind: 'none', reason: expect.stringContaining('smaller') })
  })
})
