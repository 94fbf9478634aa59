import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { onEachChain } from '../../test/support/chains.ts'
import { broadcast, type SignedAuthorization, signAuthorization } from './authorization.ts'
import { account, type Base, startBase } from './base.ts'
import { dollarAbi } from './contracts.ts'
import { type Facilitator, startFacilitator } from './facilitator.ts'
import { openSmartWallets, type SmartWallets } from './smart-wallets.ts'

let base: Base
let wallets: SmartWallets
let facilitator: Facilitator

const person = (index: number) => account(base.accounts, index)

const PRICE = 50_000n

const terms = () => ({
  scheme: 'exact',
  asset: base.dollar,
  payTo: person(5).address,
  maxTimeoutSeconds: 120,
  extra: { name: base.name, version: base.version },
})

/** Version 1 and version 2 of the same question to a facilitator. */
const asked = {
  1: (payload: SignedAuthorization) => ({
    x402Version: 1,
    paymentPayload: { x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload },
    paymentRequirements: {
      ...terms(),
      network: 'base-sepolia',
      maxAmountRequired: String(PRICE),
      resource: 'https://tollbook.example/',
      description: '',
      mimeType: '',
    },
  }),
  2: (payload: SignedAuthorization) => {
    const accepted = { ...terms(), network: base.network, amount: String(PRICE) }
    return { x402Version: 2, paymentPayload: { x402Version: 2, accepted, payload }, paymentRequirements: accepted }
  },
}

const answer = z.looseObject({ transaction: z.string().optional() })

async function ask(path: string, body: unknown) {
  const response = await fetch(`${facilitator.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return answer.parse(await response.json())
}

onEachChain((name) => {
  beforeAll(async () => {
    base = await startBase({ node: name })
    wallets = await openSmartWallets(base)
    facilitator = await startFacilitator(base, { factories: [wallets.factory] })
  })

  afterAll(async () => {
    await facilitator?.stop()
    await base?.stop()
  })

  describe('the local chain', () => {
    test('The dollar is found where Base Sepolia has it, with the domain that clients sign.', async () => {
      const read = (functionName: 'name' | 'version' | 'decimals') =>
        base.publicClient.readContract({ address: base.dollar, abi: dollarAbi, functionName })
      expect(await base.publicClient.getChainId()).toBe(84532)
      expect([await read('name'), await read('version'), await read('decimals')]).toEqual(['USDC', '2', 6])
    })

    test.each([1, 2] as const)('The facilitator verifies and settles a payment of version %i.', async (version) => {
      const payer = person(version)
      await base.fund(payer.address, PRICE)
      const before = await base.balanceOf(person(5).address)
      const question = asked[version](await signAuthorization(base, payer, { to: person(5).address, value: PRICE }))
      expect(await ask('/verify', question)).toMatchObject({ isValid: true, payer: payer.address })
      expect(await base.balanceOf(payer.address)).toBe(PRICE)
      expect(await ask('/settle', question)).toMatchObject({
        success: true,
        payer: payer.address,
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      })
      expect(await base.balanceOf(payer.address)).toBe(0n)
      expect(await base.balanceOf(person(5).address)).toBe(before + PRICE)
      expect(await ask('/verify', question)).toMatchObject({
        isValid: false,
        invalidReason: 'invalid_exact_evm_nonce_already_used',
      })
    })

    test('The facilitator settles again after a reorganisation, at once or when it had nothing to do for a while.', async () => {
      const payer = person(6)
      await base.fund(payer.address, 8n * PRICE)
      const settle = async () =>
        ask('/settle', asked[2](await signAuthorization(base, payer, { to: person(5).address, value: PRICE })))
      const paid = { success: true, payer: payer.address }
      const before = await base.testClient.snapshot()
      for (let n = 0; n < 2; n += 1) expect(await settle()).toMatchObject(paid)
      await base.testClient.revert({ id: before })
      expect(await settle()).toMatchObject(paid)

      const last = await base.testClient.snapshot()
      expect(await settle()).toMatchObject(paid)
      await base.testClient.revert({ id: last })
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
      try {
        expect(await settle()).toMatchObject(paid)
      } finally {
        vi.useRealTimers()
      }
    })

    test('A smart wallet that is not deployed yet pays with an ERC-6492 signature, and then with a plain one.', async () => {
      const owner = person(3)
      const from = await wallets.addressOf(owner.address)
      await base.fund(from, 2n * PRICE)
      const sign = () => signAuthorization(base, owner, { from, to: person(5).address, value: PRICE })
      const first = await sign()
      const wrapped = { ...first, signature: wallets.wrap(first.signature, owner.address) }
      expect(await ask('/settle', asked[2](wrapped))).toMatchObject({ success: true, payer: from })
      expect(await ask('/settle', asked[2](await sign()))).toMatchObject({ success: true, payer: from })
      expect(await base.balanceOf(from)).toBe(0n)
    })

    test('Anybody who has seen an authorisation can broadcast it, once.', async () => {
      const payer = person(4)
      await base.fund(payer.address, 2n * PRICE)
      const signed = await signAuthorization(base, payer, { to: person(5).address, value: PRICE })
      expect(await broadcast(base, signed)).toMatch(/^0x/)
      await expect(broadcast(base, signed)).rejects.toThrow('authorization is used or canceled')
      expect(await base.balanceOf(payer.address)).toBe(PRICE)
    })
  })
})
