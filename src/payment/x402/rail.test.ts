import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { broadcast, type SignedAuthorization, signAuthorization } from '../../../sandbox/chain/authorization.ts'
import { account, type Base, startBase } from '../../../sandbox/chain/base.ts'
import { type Facilitator, startFacilitator } from '../../../sandbox/chain/facilitator.ts'
import { openSmartWallets, type SmartWallets } from '../../../sandbox/chain/smart-wallets.ts'
import { startChain } from '../../../sandbox/chain/start-chain.ts'
import { payWithV1 } from '../../../sandbox/chain/v1-client.ts'
import { onEachChain } from '../../../test/support/chains.ts'
import { type PaidDoor, paidRequest, startPaidDoor } from '../../../test/support/paid-door.ts'
import { Problem } from '../../domain/problem.ts'
import { isSet, type PaymentRail } from '../rail.ts'
import { createX402Rail, type X402RailOptions } from './rail.ts'

const PRICE = 50_000n
let base: Base
let facilitator: Facilitator
let wallets: SmartWallets
let rail: PaymentRail
let door: PaidDoor
let payee: LocalAccount

const optionsTo = (url: string, rpcUrls = new Map([[base.network, base.rpcUrl]])): X402RailOptions => ({
  config: {
    payTo: [payee.address],
    networks: [{ network: base.network, dollar: null }],
    facilitatorUrl: url,
    facilitatorHeaders: { authorization: 'Bearer secret' },
  },
  rpcUrls,
  nowUs: () => Date.now() * 1000,
  deadlines: { verifyMs: 2_000, settleMs: 2_000 },
})

const railTo = (...options: Parameters<typeof optionsTo>): PaymentRail => {
  const opened = createX402Rail(optionsTo(...options))
  if (!isSet(opened)) throw new Error(`unset: ${opened.missing.join()}`)
  return opened
}

/** A new wallet with that much of the dollar. */
async function payerWith(units: bigint): Promise<LocalAccount> {
  const payer = privateKeyToAccount(generatePrivateKey())
  if (units > 0n) await base.fund(payer.address, units)
  return payer
}

const v2Client = (payer: LocalAccount) =>
  wrapFetchWithPayment(fetch, new x402Client().register(base.network, new ExactEvmScheme(payer)))

const decoded = (header: string | null): unknown => JSON.parse(Buffer.from(header ?? '', 'base64').toString())

interface Moved {
  readonly paid: bigint
  readonly received: bigint
}
async function moved(payer: LocalAccount | `0x${string}`, act: () => Promise<void>): Promise<Moved> {
  const address = typeof payer === 'string' ? payer : payer.address
  const before = [await base.balanceOf(address), await base.balanceOf(payee.address)] as const
  await act()
  return {
    paid: before[0] - (await base.balanceOf(address)),
    received: (await base.balanceOf(payee.address)) - before[1],
  }
}
const ONCE = { paid: PRICE, received: PRICE }
const NOTHING = { paid: 0n, received: 0n }

const v1Header = (payload: unknown, network = 'base-sepolia'): Record<string, string> => ({
  'x-payment': Buffer.from(JSON.stringify({ x402Version: 1, scheme: 'exact', network, payload })).toString('base64'),
})
function v2Header(payload: SignedAuthorization, changes: Record<string, unknown> = {}): Record<string, string> {
  const { network, asset, amount, payee: payTo } = rail.terms[0] ?? { network: '', asset: '', amount: '', payee: '' }
  const accepted = { scheme: 'exact', network, asset, amount, payTo, maxTimeoutSeconds: 120, extra: {}, ...changes }
  const payment = { x402Version: 2, accepted, payload }
  return { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') }
}

const post = async (headers: Record<string, string>) => fetch(door.url, { method: 'POST', headers, body: '{}' })

/** Refused before anything moved, with a fresh demand. */
async function expectRefusal(headers: Record<string, string>, code: string): Promise<void> {
  const answer = await post(headers)
  expect(answer.status).toBe(402)
  expect(await answer.json()).toMatchObject({ slug: 'payment-refused', error: code, charged: false, x402Version: 1 })
  expect(decoded(answer.headers.get('payment-required'))).toMatchObject({ x402Version: 2, error: code })
}

onEachChain((name) => {
  beforeAll(async () => {
    base = await startBase({ node: name })
    wallets = await openSmartWallets(base)
    facilitator = await startFacilitator(base, { factories: [wallets.factory] })
    payee = account(base.accounts, 5)
    rail = railTo(facilitator.url)
    door = await startPaidDoor(rail)
  })
  afterAll(async () => {
    await door?.stop()
    await facilitator?.stop()
    await base?.stop()
  })

  describe('paying', () => {
    test('The unmodified version 2 client pays once and reads its receipt.', async () => {
      const payer = await payerWith(PRICE)
      let answer: Response | undefined
      expect(
        await moved(payer, async () => {
          answer = await v2Client(payer)(door.url, { method: 'POST', body: '{}' })
        }),
      ).toEqual(ONCE)
      expect(answer?.status).toBe(201)
      expect(decoded(answer?.headers.get('payment-response') ?? null)).toEqual({
        success: true,
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        network: 'eip155:84532',
        payer: payer.address,
      })
      expect(door.outcomes.at(-1)).toMatchObject({ kind: 'paid', logIndex: 1 })
    })

    test('A version 1 client pays once from the same 402.', async () => {
      const payer = await payerWith(PRICE)
      let answer: Response | undefined
      expect(
        await moved(payer, async () => {
          answer = await payWithV1(base, payer)(door.url, { method: 'POST', body: '{}' })
        }),
      ).toEqual(ONCE)
      expect(answer?.status).toBe(201)
      expect(decoded(answer?.headers.get('x-payment-response') ?? null)).toMatchObject({
        success: true,
        network: 'base-sepolia',
        payer: payer.address,
      })
    })

    test.each([1, 2] as const)('A smart wallet that is not deployed yet pays, version %i.', async (version) => {
      const owner = await payerWith(0n)
      const from = await wallets.addressOf(owner.address)
      await base.fund(from, PRICE)
      const signed = await signAuthorization(base, owner, { from, to: payee.address, value: PRICE })
      const wrapped = { ...signed, signature: wallets.wrap(signed.signature, owner.address) }
      expect(
        await moved(from, async () => {
          expect((await post(version === 1 ? v1Header(wrapped) : v2Header(wrapped))).status).toBe(201)
        }),
      ).toEqual(ONCE)
    })

    test('The same credential again finds the same transaction and charges nothing.', async () => {
      const payer = await payerWith(3n * PRICE)
      const headers = v2Header(await signAuthorization(base, payer, { to: payee.address, value: PRICE }))
      expect(
        await moved(payer, async () => {
          const first = await post(headers)
          const again = await post(headers)
          expect([first.status, again.status]).toEqual([201, 201])
          expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
        }),
      ).toEqual(ONCE)
    })

    test('A payment that a third party broadcast first counts.', async () => {
      const payer = await payerWith(2n * PRICE)
      const signed = await signAuthorization(base, payer, { to: payee.address, value: PRICE })
      const transaction = await broadcast(base, signed)
      await base.testClient.mine({ blocks: 60 })
      expect(
        await moved(payer, async () => {
          const answer = await post(v1Header(signed))
          expect(answer.status).toBe(201)
          expect(decoded(answer.headers.get('x-payment-response'))).toMatchObject({ transaction })
        }),
      ).toEqual(NOTHING)
    })

    test('Eight copies at once move the money once.', async () => {
      const payer = await payerWith(9n * PRICE)
      const headers = v2Header(await signAuthorization(base, payer, { to: payee.address, value: PRICE }))
      expect(
        await moved(payer, async () => {
          const answers = await Promise.all(Array.from({ length: 8 }, () => post(headers)))
          expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([201]))
        }),
      ).toEqual(ONCE)
    })
  })

  describe('what somebody else has spent', () => {
    const nowS = (): number => Math.floor(Date.now() / 1000)
    const checked = async (headers: Record<string, string>, laterS = 0) => {
      const later = createX402Rail({ ...optionsTo(facilitator.url), nowUs: () => (Date.now() + laterS * 1000) * 1000 })
      const request = paidRequest(headers)
      const credential = isSet(later) ? await later.read(request) : undefined
      if (!isSet(later) || credential === undefined) throw new Error('no credential')
      const look = await later.look({ ...credential, fromBlock: 0, resource: request.resource })
      return { look: look.kind, found: await later.check(credential, request) }
    }
    /** Broadcast by a third party, and over by now for whoever comes ten minutes later. */
    const spent = async (): Promise<SignedAuthorization> => {
      const payer = await payerWith(PRICE)
      const signed = await signAuthorization(base, payer, {
        to: payee.address,
        value: PRICE,
        validBeforeS: nowS() + 60,
      })
      await broadcast(base, signed)
      return signed
    }

    test('It counts for whoever comes late with the payer’s own words, for a day.', async () => {
      const headers = v2Header(await spent())
      const late = await checked(headers, 600)
      expect(late).toMatchObject({ look: 'paid', found: { ok: false, code: 'authorization_expired' } })
      expect(late.found).not.toHaveProperty('isFinal')
      expect((await checked(headers, 90_000)).found).toMatchObject({ code: 'authorization_expired', isFinal: true })
    })

    test.each([0, 600])(
      'It does not count with a signature or words that are not the payer’s, %i s later.',
      async (s) => {
        const { signature, authorization } = await spent()
        const longer = { ...authorization, validBefore: String(nowS() + 80_000) }
        const forged: SignedAuthorization[] = [
          { authorization, signature: `0x${'11'.repeat(65)}` },
          { authorization, signature: `0x${'11'.repeat(100)}` },
          { authorization: longer, signature },
        ]
        for (const payload of forged) {
          const { look, found } = await checked(v1Header(payload), s)
          expect([look, found]).toMatchObject(['paid', { ok: false, isFinal: true }])
        }
      },
    )

    test('It does not count where it was made out for another address.', async () => {
      const payment = { x402Version: 2, resource: { url: 'https://images.example/draw' }, payload: await spent() }
      const { network, asset } = rail.terms[0] ?? { network: '', asset: '' }
      const envelope = { ...payment, accepted: { scheme: 'exact', network, asset } }
      const header = Buffer.from(JSON.stringify(envelope)).toString('base64')
      for (const laterS of [0, 600]) {
        const { look, found } = await checked({ 'payment-signature': header }, laterS)
        expect([look, found]).toMatchObject(['paid', { code: 'resource_mismatch', isFinal: true }])
      }
    })

    test('It counts of a smart wallet, as the wallet itself says.', async () => {
      const owner = await payerWith(0n)
      const from = await wallets.addressOf(owner.address)
      await base.fund(from, PRICE)
      const signed = await signAuthorization(base, owner, { from, to: payee.address, value: PRICE })
      const wrapped = { ...signed, signature: wallets.wrap(signed.signature, owner.address) }
      expect((await post(v2Header(wrapped))).status).toBe(201)
      expect((await checked(v2Header(wrapped), 600)).found).not.toHaveProperty('isFinal')
      const stranger = await payerWith(0n)
      const foreign = await signAuthorization(base, stranger, { from, to: payee.address, value: PRICE })
      const forged = { ...signed, signature: wallets.wrap(foreign.signature, owner.address) }
      expect((await checked(v2Header(forged), 600)).found).toMatchObject({ ok: false, isFinal: true })
    })
  })

  describe('refusing', () => {
    const now = (): number => Math.floor(Date.now() / 1000)

    test.each([
      ['Too little', { value: PRICE - 1n }, 'amount_mismatch'],
      ['Too much', { value: PRICE + 1n }, 'amount_mismatch'],
      ['An authorisation that has ended', { validBeforeS: now() - 1 }, 'authorization_expired'],
      ['One that is about to end', { validBeforeS: now() + 5 }, 'authorization_expired'],
      ['One that begins later', { validAfterS: now() + 200 }, 'authorization_not_yet_valid'],
      ['One that is good for years', { validBeforeS: now() + 100_000_000 }, 'authorization_too_long'],
      ['A payment to another', { to: '0x00000000000000000000000000000000000000bb' as const }, 'recipient_mismatch'],
    ])('%s is refused before anybody is asked.', async (_, terms, code) => {
      const payer = await payerWith(2n * PRICE)
      const signed = await signAuthorization(base, payer, { to: payee.address, value: PRICE, ...terms })
      const verified = facilitator.calls.verify
      expect(await moved(payer, () => expectRefusal(v1Header(signed), code))).toEqual(NOTHING)
      expect(await moved(payer, () => expectRefusal(v2Header(signed), code))).toEqual(NOTHING)
      expect(facilitator.calls.verify).toBe(verified)
    })

    test('An amount that was changed after signing is refused by its signature.', async () => {
      const payer = await payerWith(2n * PRICE)
      const signed = await signAuthorization(base, payer, { to: payee.address, value: 1n })
      const tampered = { ...signed, authorization: { ...signed.authorization, value: String(PRICE) } }
      expect(await moved(payer, () => expectRefusal(v2Header(tampered), 'invalid_exact_evm_signature'))).toEqual(
        NOTHING,
      )
    })

    test('An empty wallet is refused.', async () => {
      const payer = await payerWith(0n)
      const signed = await signAuthorization(base, payer, { to: payee.address, value: PRICE })
      await expectRefusal(v1Header(signed), 'invalid_exact_evm_insufficient_balance')
      await expectRefusal(v2Header(signed), 'invalid_exact_evm_insufficient_balance')
    })

    test('A nonce that was spent on somebody else is refused.', async () => {
      const payer = await payerWith(3n * PRICE)
      const elsewhere = await signAuthorization(base, payer, { to: account(base.accounts, 6).address, value: PRICE })
      await broadcast(base, elsewhere)
      const { nonce } = elsewhere.authorization
      const signed = await signAuthorization(base, payer, { to: payee.address, value: PRICE, nonce })
      const refused = () => expectRefusal(v2Header(signed), 'invalid_exact_evm_nonce_already_used')
      expect(await moved(payer, refused)).toEqual(NOTHING)
    })

    test('Other networks, assets and schemes are refused.', async () => {
      const payer = await payerWith(PRICE)
      const signed = await signAuthorization(base, payer, { to: payee.address, value: PRICE })
      expect(
        await moved(payer, async () => {
          await expectRefusal(v1Header(signed, 'base'), 'invalid_network')
          await expectRefusal(v1Header(signed, 'aptos'), 'invalid_network')
          await expectRefusal(v2Header(signed, { network: 'eip155:1' }), 'invalid_network')
          await expectRefusal(v2Header(signed, { asset: payee.address }), 'invalid_asset')
          await expectRefusal(v2Header(signed, { scheme: 'upto' }), 'unsupported_scheme')
        }),
      ).toEqual(NOTHING)
    })

    test('With the facilitator or the node down, or on another chain, a credential is not taken, and nothing is charged.', async () => {
      const payer = await payerWith(PRICE)
      const request = paidRequest(v2Header(await signAuthorization(base, payer, { to: payee.address, value: PRICE })))
      const dead = 'http://127.0.0.1:9/key-in-the-path'
      const other = await startChain({ chainId: 1, kind: 'evm' }, name)
      for (const down of [
        railTo(dead),
        railTo(facilitator.url, new Map([[base.network, dead]])),
        railTo(facilitator.url, new Map([[base.network, other.url]])),
      ]) {
        const credential = await down.read(request)
        if (credential === undefined) throw new Error('no credential')
        const problem = await down.check(credential, request).catch((error: unknown) => error)
        if (!(problem instanceof Problem)) throw new Error('no problem')
        expect(problem).toMatchObject({ slug: 'payment-backend', status: 503, more: { charged: false } })
        expect(problem.headers['Retry-After']).toMatch(/^\d+$/)
        expect(JSON.stringify(problem)).not.toMatch(/key-in-the-path|secret/)
      }
      await other.stop()
      expect(await base.balanceOf(payer.address)).toBe(PRICE)
    })
  })
})
