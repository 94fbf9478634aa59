import { setTimeout as sleep } from 'node:timers/promises'
import { Receipt, Credential as Wire } from 'mppx'
import type { Account } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { sendRawTransactionSync } from 'viem/actions'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTempo, type Tempo } from '../../../sandbox/chain/tempo.ts'
import { onEachChain } from '../../../test/support/chains.ts'
import { type FaultyNode, startFaultyNode } from '../../../test/support/faulty-node.ts'
import {
  answerTo,
  ENOUGH,
  openMppRail,
  type RailSettings,
  RECIPIENT,
  rawOf,
  rejection,
  requestFor,
  stored,
} from '../../../test/support/mpp-paying.ts'
import type { Credential, PaidRequest, PaymentRail } from '../rail.ts'
import { pastOf } from '../rail.ts'
import { createMppRail } from './rail.ts'

let chain: Tempo
let node: FaultyNode
let rail: PaymentRail

const openRail = (more: Partial<RailSettings> = {}): PaymentRail =>
  openMppRail({ currency: chain.currency, rpcUrl: node.url, ...more })

/** A wallet that nobody used before. */
async function wallet(baseUnits: bigint): Promise<Account> {
  const account = privateKeyToAccount(generatePrivateKey())
  if (baseUnits > 0n) await chain.fund(account.address, baseUnits)
  return account
}

async function signed(
  account: Account,
  body?: string,
  by = rail,
): Promise<{ request: PaidRequest; credential: Credential }> {
  const request = requestFor(body, await answerTo(await by.demand(requestFor(body)), account, chain))
  const credential = await by.read(request)
  if (!credential) throw new Error('no credential was read')
  return { request, credential }
}

onEachChain((name) => {
  beforeAll(async () => {
    chain = await startTempo({ node: name })
    node = await startFaultyNode(chain.url)
    rail = openRail()
  })

  afterEach(() => {
    node.fault = 'none'
  })

  afterAll(async () => {
    await node.stop()
    await chain.stop()
  })

  describe('a post paid through mpp', () => {
    it('moves five cents from the signing wallet once, however often it is settled, and gives a receipt', async () => {
      const account = await wallet(ENOUGH)
      const before = await chain.balanceOf(RECIPIENT)
      const { request, credential } = await signed(account)
      expect(credential).toMatchObject({
        network: 'tempo:1337',
        asset: chain.currency,
        payer: account.address,
        payee: RECIPIENT,
        amount: '50000',
        identifier: null,
      })
      expect(credential.key).toMatch(/^0x[0-9a-f]{64}$/)
      const checked = await rail.check(credential, request)
      expect(checked).toMatchObject({ ok: true, payer: account.address })
      expect(await chain.balanceOf(RECIPIENT), 'checking moves nothing').toBe(before)

      const outcome = await rail.settle(stored(credential, request))
      expect(outcome).toEqual({ kind: 'paid', transaction: credential.key, logIndex: expect.any(Number) })
      expect(await chain.balanceOf(RECIPIENT)).toBe(before + 50_000n)
      const left = await chain.balanceOf(account.address)
      expect(left).toBeLessThanOrEqual(ENOUGH - 50_000n)

      expect(await rail.settle(stored(credential, request))).toEqual(outcome)
      expect(await rail.look({ ...stored(credential, request), raw: null })).toEqual(outcome)
      expect(await chain.balanceOf(RECIPIENT)).toBe(before + 50_000n)
      expect(await chain.balanceOf(account.address)).toBe(left)

      const settledUs = Date.now() * 1000
      const headers = rail.receipt({ ...credential, transaction: credential.key, settledUs }, request)
      expect(headers['Cache-Control']).toBe('private')
      expect(Receipt.deserialize(headers['Payment-Receipt'] ?? '')).toMatchObject({
        method: 'tempo',
        status: 'success',
        reference: credential.key,
      })
    })

    it('is one payment when two processes settle it at the same moment', async () => {
      const { request, credential } = await signed(await wallet(ENOUGH))
      const before = await chain.balanceOf(RECIPIENT)
      const outcomes = await Promise.all([rail, openRail()].map((one) => one.settle(stored(credential, request))))
      expect(outcomes.map(({ kind }) => kind)).toEqual(['paid', 'paid'])
      expect(await chain.balanceOf(RECIPIENT)).toBe(before + 50_000n)
    })

    it('counts when a third party has sent the transaction first', async () => {
      const { request, credential } = await signed(await wallet(60_000n))
      const before = await chain.balanceOf(RECIPIENT)
      await sendRawTransactionSync(chain.client, { serializedTransaction: rawOf(request.header('authorization')) })
      expect(await rail.look(stored(credential, request))).toMatchObject({ kind: 'paid', transaction: credential.key })
      expect(await rail.settle(stored(credential, request))).toMatchObject({
        kind: 'paid',
        transaction: credential.key,
      })
      expect(await chain.balanceOf(RECIPIENT)).toBe(before + 50_000n)
      expect((await openRail({ secretKey: 'k'.repeat(32) }).look(stored(credential, request))).kind, 'new key').toBe(
        'paid',
      )
      // On chain, and still for nothing but the request that it was made for.
      const authorization = request.header('authorization')
      for (const other of [
        requestFor(undefined, authorization, 'other.seller.example'),
        requestFor('{}', authorization),
      ]) {
        const read = await rail.read(other)
        expect(read && (await rail.look(stored(read, other))).kind).toBe('unknown')
      }
    })
  })

  it('is known, found and proved with the rail unset, wherever there is a node', async () => {
    const { request, credential } = await signed(await wallet(ENOUGH))
    const paid = await rail.settle(stored(credential, request))
    const none = { recipient: undefined, currency: undefined, rpcUrl: undefined, secretKey: undefined }
    const nowUs = () => Date.now() * 1000
    const open = (rpcUrls: ReadonlyMap<string, string>) =>
      pastOf(createMppRail({ config: none, realm: 'tollbook.example', rpcUrls, nowUs }))
    const past = await open(new Map([['tempo:1337', node.url]]))
    expect((await past.read(request))?.key).toBe(credential.key)
    expect(await past.look(stored(credential, request))).toEqual(paid)
    expect(await past.watch?.(stored(credential, request), credential.key)).toMatchObject({ kind: 'paid' })
    const settled = { ...credential, transaction: credential.key, settledUs: nowUs() }
    expect(Object.keys(past.receipt(settled, request))).toContain('Payment-Receipt')
    const alone = await open(new Map())
    expect((await alone.look(stored(credential, request))).kind).toBe('unknown')
    expect((await alone.watch?.(stored(credential, request), credential.key))?.kind).toBe('unknown')
  })

  describe('a demand', () => {
    it('names price, token, recipient and network, for this host and body alone, and is never cached', async () => {
      const demand = await rail.demand(requestFor())
      expect(demand).toMatchObject({ slug: 'payment-required', status: 402, more: { charged: false } })
      expect(demand.more.payment_problem).toBe('https://paymentauth.org/problems/payment-required')
      expect(demand.headers['Cache-Control']).toBe('no-store')
      expect(demand.headers['WWW-Authenticate']).toMatch(/^Payment .*realm="tollbook\.example".*method="tempo"/)
      expect(rail.terms).toEqual([
        {
          network: 'tempo:1337',
          asset: chain.currency,
          payee: RECIPIENT,
          amount: '50000',
          settlement: 'verified on chain',
        },
      ])
    })

    it('says 503 while the node has never answered, and asks it again', async () => {
      const late = openRail()
      node.fault = 'down'
      const problem = await late.demand(requestFor())
      expect(problem).toMatchObject({ slug: 'payment-backend', status: 503, more: { charged: false } })
      expect(problem.headers['Retry-After']).toMatch(/^\d+$/)
      expect(late.terms).toEqual([])
      node.fault = 'none'
      expect((await late.demand(requestFor())).slug).toBe('payment-required')
    })
  })

  describe('a credential is refused and nothing moves', () => {
    it('when it was made for another host or another body', async () => {
      const { request, credential } = await signed(await wallet(ENOUGH))
      const authorization = request.header('authorization')
      const others = [requestFor(undefined, authorization, 'other.seller.example'), requestFor('{}', authorization)]
      for (const other of others) {
        const again = await rail.read(other)
        expect(again?.key).toBe(credential.key)
        expect(again && (await rail.check(again, other))).toMatchObject({
          ...{ ok: false, code: 'invalid-challenge', isFinal: true },
        })
      }
      const demand = await rail.demand(request, { ok: false, code: 'invalid-challenge', reason: 'Another host.' })
      expect(demand).toMatchObject({ slug: 'payment-refused', detail: 'Another host.' })
      expect(demand.more.payment_problem).toBe('https://paymentauth.org/problems/invalid-challenge')
      expect(demand.headers['WWW-Authenticate']).toMatch(/^Payment /)
    })

    it('when the amount, the recipient or the expiry of the challenge was changed', async () => {
      const { request } = await signed(await wallet(ENOUGH))
      const wire = Wire.deserialize(request.header('authorization') ?? '')
      const { challenge } = wire
      const changes = [
        { request: { ...challenge.request, amount: '1' } },
        { request: { ...challenge.request, recipient: '0x2222222222222222222222222222222222222222' } },
        { expires: new Date(Date.now() + 3_600_000).toISOString() },
        { opaque: 'bm90IGpzb24' },
        { realm: 'other.example' },
      ]
      for (const change of changes) {
        const forged = requestFor(undefined, Wire.serialize({ ...wire, challenge: { ...challenge, ...change } }))
        const read = await rail.read(forged)
        expect(read && (await rail.check(read, forged)), JSON.stringify(change)).toMatchObject({
          ok: false,
          code: 'invalid-challenge',
          isFinal: true,
        })
      }
    })

    it('when the transaction paid for something else, under a challenge of ours with the id that it answers', async () => {
      const account = await wallet(ENOUGH)
      const elsewhere = await signed(account, '{"text":"elsewhere"}', openRail({ secretKey: 'k'.repeat(32) }))
      const paid = Wire.deserialize(elsewhere.request.header('authorization') ?? '')
      const raw = rawOf(elsewhere.request.header('authorization'))
      await sendRawTransactionSync(chain.client, { serializedTransaction: raw })
      const ours = Wire.deserialize((await signed(account)).request.header('authorization') ?? '')
      const challenge = { ...ours.challenge, id: paid.challenge.id }
      const request = requestFor(undefined, Wire.serialize({ ...paid, challenge }))
      const read = await rail.read(request)
      expect(read?.key).toBe(elsewhere.credential.key)
      expect(read && (await rail.check(read, request))).toMatchObject({ ok: false, isFinal: true })
    })

    it('when its recipient has changed since, and says so', async () => {
      const { request, credential } = await signed(await wallet(ENOUGH))
      const moved = openRail({ recipient: '0x2222222222222222222222222222222222222222' })
      const checked = await moved.check(credential, request)
      expect(checked).toMatchObject({ ok: false, code: 'invalid-challenge' })
      expect(!checked.ok && checked.reason).toMatch(/^This directory has changed whom/)
    })

    it('when it ended more than a day ago, whoever has spent it', async () => {
      const { request, credential } = await signed(await wallet(ENOUGH))
      const afterS = (seconds: number) => openRail({ nowUs: () => credential.expiresUs + seconds * 1_000_000 })
      const soon = await afterS(86_000).check(credential, request)
      expect(soon).toMatchObject({ ok: false, code: 'payment-expired' })
      expect(soon).not.toHaveProperty('isFinal')
      expect(await afterS(87_000).check(credential, request)).toMatchObject({ code: 'payment-expired', isFinal: true })
    })

    it('when the transaction answers another challenge', async () => {
      const account = await wallet(ENOUGH)
      const [one, two] = [await signed(account), await signed(account, '{"text":"other"}')]
      const mixed = Wire.serialize({
        ...Wire.deserialize(two.request.header('authorization') ?? ''),
        payload: Wire.deserialize(one.request.header('authorization') ?? '').payload,
      })
      const request = requestFor('{"text":"other"}', mixed)
      const read = await rail.read(request)
      expect(read && (await rail.check(read, request))).toMatchObject({
        ...{ ok: false, code: 'verification-failed', isFinal: true },
      })
    })

    it('when the challenge has expired', async () => {
      const account = await wallet(ENOUGH)
      const early = openRail({ nowUs: () => (Date.now() - 298_000) * 1000 })
      const { request, credential } = await signed(account, undefined, early)
      await sleep(credential.expiresUs / 1000 - Date.now() + 10)
      expect(await rail.check(credential, request)).toMatchObject({ ok: false, code: 'payment-expired' })
    })

    it('when the wallet is empty, or was emptied since the check', async () => {
      const empty = await signed(await wallet(0n))
      expect(await rail.check(empty.credential, empty.request)).toMatchObject({
        ok: false,
        code: 'payment-insufficient',
      })
      const account = await wallet(60_000n)
      const { request, credential } = await signed(account)
      const second = await signed(account, '{"text":"again"}')
      expect(await rail.check(credential, request)).toMatchObject({ ok: true })
      expect((await rail.settle(stored(credential, request))).kind).toBe('paid')
      expect(await rail.check(second.credential, second.request)).toMatchObject({
        ok: false,
        code: 'payment-insufficient',
      })
      const before = await chain.balanceOf(RECIPIENT)
      // The local node does not try the calls before it takes the transaction, so this one fails on chain.
      expect((await rail.settle(stored(second.credential, second.request))).kind).toBe('expired')
      expect(await chain.balanceOf(RECIPIENT)).toBe(before)
    })

    it('when its header is garbage, with a fresh demand', async () => {
      for (const garbage of ['Payment', 'Payment ???', 'Payment e30', `Payment ${'A'.repeat(5000)}`]) {
        const problem = await rejection(rail.read(requestFor(undefined, garbage)))
        expect(problem).toMatchObject({ slug: 'payment-refused', status: 402, more: { charged: false } })
        expect(problem.more.payment_problem).toBe('https://paymentauth.org/problems/malformed-credential')
        expect(problem.headers['WWW-Authenticate']).toMatch(/^Payment /)
      }
      expect(await rail.read(requestFor(undefined, 'Bearer abc'))).toBeUndefined()
      expect(await rail.read(requestFor())).toBeUndefined()
    })

    it('when it carries no transaction, or answers another method', async () => {
      const { request } = await signed(await wallet(ENOUGH))
      const wire = Wire.deserialize(request.header('authorization') ?? '')
      const hash = { type: 'hash', hash: `0x${'1'.repeat(64)}` }
      for (const payload of [hash, { type: 'transaction', signature: '0x76c0' }, null]) {
        const problem = await rejection(rail.read(requestFor(undefined, Wire.serialize({ ...wire, payload }))))
        expect(problem.more.payment_problem).toBe('https://paymentauth.org/problems/invalid-payload')
      }
      const card = Wire.serialize({ ...wire, challenge: { ...wire.challenge, method: 'stripe' } })
      const problem = await rejection(rail.read(requestFor(undefined, card)))
      expect(problem).toMatchObject({ status: 400, more: { charged: false } })
    })
  })

  describe('with a node that fails', () => {
    it('a check is a 503 that charged nothing and does not name the node', async () => {
      const { request, credential } = await signed(await wallet(ENOUGH))
      for (const fault of ['down', 'hang'] as const) {
        node.fault = fault
        const problem = await rejection(rail.check(credential, request))
        expect(problem).toMatchObject({ slug: 'payment-backend', status: 503, more: { charged: false } })
        expect(JSON.stringify(problem)).not.toContain('127.0.0.1')
      }
    })

    it('a payment is found although the answer to its broadcast was lost', async () => {
      const { request, credential } = await signed(await wallet(ENOUGH))
      const before = await chain.balanceOf(RECIPIENT)
      node.fault = 'reset after send'
      expect(await rail.settle(stored(credential, request))).toMatchObject({
        kind: 'paid',
        transaction: credential.key,
      })
      expect(await chain.balanceOf(RECIPIENT)).toBe(before + 50_000n)
    })

    it('a payment is found although its broadcast never answers', async () => {
      const { request, credential } = await signed(await wallet(ENOUGH))
      node.fault = 'hang after send'
      expect(await rail.settle(stored(credential, request))).toMatchObject({
        kind: 'paid',
        transaction: credential.key,
      })
    })

    it('the outcome is unknown while nobody can be asked, and settling again pays once', async () => {
      const { request, credential } = await signed(await wallet(ENOUGH))
      const before = await chain.balanceOf(RECIPIENT)
      for (const fault of ['down', 'hang'] as const) {
        node.fault = fault
        expect((await rail.settle(stored(credential, request))).kind).toBe('unknown')
        expect((await rail.look(stored(credential, request))).kind).toBe('unknown')
      }
      node.fault = 'none'
      expect((await rail.look(stored(credential, request))).kind).toBe('unknown')
      expect((await rail.settle(stored(credential, request))).kind).toBe('paid')
      expect(await chain.balanceOf(RECIPIENT)).toBe(before + 50_000n)
    })
  })
})
