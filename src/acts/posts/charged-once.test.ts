import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { Problem } from '../../domain/problem.ts'
import { openStore } from '../../store/open.ts'
import { listPayments } from '../../store/posts/payments.ts'
import { aCredential, aRequest, newWallet, plainSignatures, signedBody } from '../testing/buyer.ts'
import { fakeChain } from '../testing/fake-chain.ts'
import type { SettleFault } from '../testing/fake-facilitator.ts'
import { answered, Clock, createPostHarness, listHosts, type PostHarnessOptions } from '../testing/post-harness.ts'
import { reconcileDue } from './reconcile.ts'
import { createThreads, type PostAnswer } from './threads.ts'

const HOST = 'api.seller.example'
const OTHER = 'b.seller.example'
const wallet = newWallet()

const told = (answer: PostAnswer | Problem): unknown =>
  answer instanceof Problem
    ? [answer.slug, answer.more.charged]
    : [answer.kind, answer.charged ?? 'charged', answer.kind === 'published' ? answer.isNew : undefined]

onEachEngine('one signed message', (engine) => {
  async function setUp(options: PostHarnessOptions = {}) {
    const store = await engine.open()
    await listHosts(store, [HOST, OTHER])
    const clock = new Clock()
    const chain = fakeChain()
    const stand = createPostHarness(store, clock, { hasMpp: true, ...options, chain })
    const body = await signedBody(wallet, HOST, 'Does it keep its limits?', clock.us)
    const fresh = () => aCredential(wallet.address, clock.us)
    const send = (...request: Parameters<typeof aRequest>) => answered(stand.threads, aRequest(...request))
    return { ...stand, store, clock, chain, body, fresh, send }
  }

  it('is charged once, whatever credential comes with it again, on either rail, and none is asked for', async () => {
    const { send, body, fresh, chain, clock } = await setUp()
    const first = await send(HOST, body, fresh())
    if (first instanceof Problem || first.kind !== 'published') throw new Error('it was not published')
    for (const rail of ['x402', 'mpp'] as const) {
      for (const credential of [null, fresh(), 'garbage']) {
        expect(await send(HOST, body, credential, rail)).toEqual({ ...first, isNew: false, charged: false })
      }
    }
    // Long after the signature would be taken anew, and however its fields are arranged.
    clock.passSeconds(100_000)
    const { text, wallet: signer, signature, signed_at } = body
    const arranged = { signed_at, signature, wallet: signer.toLowerCase(), text }
    expect(await send(HOST, arranged, fresh())).toEqual({ ...first, isNew: false, charged: false })
    expect(chain.transfers()).toHaveLength(1)
  })

  it('is answered as pending while nobody can say whether it was charged, and nothing more is demanded', async () => {
    let fault: SettleFault = 'mined later'
    const { send, body, fresh, chain, clock } = await setUp({ fault: () => fault })
    expect(told(await send(HOST, body, fresh()))).toEqual(['pending', 'charged', undefined])
    fault = 'ok'
    expect(told(await send(HOST, body, null))).toEqual(['pending', false, undefined])
    expect(told(await send(HOST, body, fresh()))).toEqual(['pending', false, undefined])
    clock.passSeconds(25)
    expect(told(await send(HOST, body, fresh()))).toEqual(['published', false, false])
    expect(chain.transfers()).toHaveLength(1)
  })

  it('is charged once when copies with credentials of their own come at the same time, to two programs', async () => {
    const where = await engine.empty()
    const stores = [await openStore(where), await openStore(where)]
    const clock = new Clock()
    const chain = fakeChain()
    for (const store of stores.slice(0, 1)) await listHosts(store, [HOST])
    const stands = stores.map((store) => createPostHarness(store, clock, { chain, hasMpp: true }))
    const body = await signedBody(wallet, HOST, 'Once.', clock.us)
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        stands
          .filter((_stand, index) => index === n % 2)
          .map(({ threads }) => {
            const rail = n % 3 === 0 ? 'mpp' : 'x402'
            return answered(threads, aRequest(HOST, body, aCredential(wallet.address, clock.us), rail))
          }),
      ).flat(),
    )
    expect(answers.filter((answer) => answer instanceof Problem)).toEqual([])
    expect(answers.filter((answer) => !(answer instanceof Problem) && answer.charged === undefined)).toHaveLength(1)
    expect(chain.transfers()).toHaveLength(1)
    for (const store of stores) await store.close()
  })

  it('may be paid with another credential after one was refused or has expired', async () => {
    let fault: SettleFault = 'invalid'
    const { send, body, fresh, chain, clock, store, ...ledger } = await setUp({ fault: () => fault })
    const refused = fresh()
    expect(told(await send(HOST, body, refused))).toEqual(['payment-refused', false])
    fault = 'ok'
    expect(told(await send(HOST, body, fresh()))).toEqual(['published', 'charged', true])
    // The refused one stays unused from now on.
    expect(told(await send(HOST, body, refused))).toEqual(['published', false, false])
    const later = await signedBody(wallet, HOST, 'Another.', clock.us)
    fault = 'unanswered'
    await send(HOST, later, fresh())
    clock.passSeconds(151)
    await reconcileDue({ ...ledger, store })
    fault = 'ok'
    expect(told(await send(HOST, later, fresh()))).toEqual(['published', 'charged', true])
    expect(chain.transfers()).toHaveLength(2)
  })

  it('has a post for each payment when somebody else uses a refused credential after all', async () => {
    let fault: SettleFault = 'invalid'
    const { send, body, fresh, chain, clock, store, ...ledger } = await setUp({ fault: () => fault })
    const refused = fresh()
    await send(HOST, body, refused)
    fault = 'ok'
    const paid = fresh()
    await send(HOST, body, paid)
    chain.broadcast(refused, 'third party', clock.us)
    clock.passSeconds(31)
    await reconcileDue({ ...ledger, store })
    const states = (await listPayments(store, { limit: 9 })).map(({ state }) => state)
    expect(states).toEqual(['settled', 'settled'])
    expect(await store.read.selectFrom('posts').select('post_id').execute()).toHaveLength(2)
    // Each credential is answered with its own post and receipt, and without any the one that was charged first.
    const own = await send(HOST, body, refused)
    const others = await send(HOST, body, paid)
    expect([told(own), told(others)]).toEqual([
      ['published', 'charged', false],
      ['published', 'charged', false],
    ])
    if (own instanceof Problem || others instanceof Problem) throw new Error('not answered')
    const receipts = chain.transfers().map(({ transaction }) => ({ 'Fake-Receipt': transaction }))
    expect([others, own].map((answer) => answer.kind === 'published' && answer.headers)).toEqual(receipts)
    expect(await send(HOST, body, null)).toEqual({ ...others, charged: false })
  })

  it('is somebody else’s when the signature is not the wallet’s', async () => {
    const { send, body, fresh, chain } = await setUp()
    await send(HOST, body, fresh())
    const forged = { ...body, signature: await newWallet().signMessage({ message: 'x' }) }
    expect(told(await send(HOST, forged, null))).toEqual(['payment-required', false])
    expect(told(await send(HOST, forged, fresh()))).toEqual(['invalid-signature', false])
    expect(chain.transfers()).toHaveLength(1)
  })

  it('has its post also after the operator has taken its rail away', async () => {
    let fault: SettleFault = 'ok'
    const { send, body, fresh, clock, store, rail, rails, nowUs, log } = await setUp({ fault: () => fault })
    const paid = fresh()
    const first = await send(HOST, body, paid)
    const open = await signedBody(wallet, HOST, 'Still open.', clock.us)
    fault = 'unanswered'
    const pending = fresh()
    await send(HOST, open, pending)
    const unset = { name: 'x402', missing: ['X402_PAY_TO'], past: async () => rail } as const
    const threads = createThreads({ store, nowUs, log, signatures: plainSignatures, rails: { ...rails, x402: unset } })
    const again = (...request: Parameters<typeof aRequest>) => answered(threads, aRequest(...request))
    // With its receipt. What this very credential paid for is not called free.
    expect(await again(HOST, body, paid)).toEqual({ ...first, isNew: false })
    expect(told(await again(HOST, open, pending))).toEqual(['pending', 'charged', undefined])
    for (const credential of [null, fresh()]) {
      expect(await again(HOST, body, credential)).toEqual({ ...first, isNew: false, charged: false })
      expect(told(await again(HOST, open, credential))).toEqual(['pending', false, undefined])
    }
    const fresher = await signedBody(wallet, HOST, 'Too late.', clock.us)
    expect(told(await again(HOST, fresher, fresh()))).toEqual(['rail-not-configured', false])
    expect(told(await again('nobody.example', body, null))).toEqual(['rail-not-configured', false])
  })

  it('is paid for again with a new signing time or on another host', async () => {
    const { send, body, fresh, chain, clock } = await setUp()
    await send(HOST, body, fresh())
    clock.passSeconds(1)
    const anew = await signedBody(wallet, HOST, body.text, clock.us)
    expect(told(await send(HOST, anew, null))).toEqual(['payment-required', false])
    expect(told(await send(HOST, anew, fresh()))).toEqual(['published', 'charged', true])
    const elsewhere = await signedBody(wallet, OTHER, body.text, clock.us)
    expect(told(await send(OTHER, elsewhere, fresh()))).toEqual(['published', 'charged', true])
    expect(chain.transfers()).toHaveLength(3)
  })
})

onEachEngine('a request with an Idempotency-Key', (engine) => {
  it('is charged once under its name, which belongs to its wallet', async () => {
    const store = await engine.open()
    await listHosts(store, [HOST, OTHER])
    const clock = new Clock()
    const chain = fakeChain()
    const { threads } = createPostHarness(store, clock, { chain, hasMpp: true })
    const fresh = (of = wallet) => aCredential(of.address, clock.us)
    const named = { 'idempotency-key': 'order 1' }
    const body = await signedBody(wallet, HOST, 'Once.', clock.us)
    const first = await answered(threads, aRequest(HOST, body, fresh(), 'x402', named))
    expect(told(first)).toEqual(['published', 'charged', true])
    clock.passSeconds(5)
    const again = await signedBody(wallet, HOST, 'Once.', clock.us)
    for (const credential of [null, fresh()]) {
      const answer = await answered(threads, aRequest(HOST, again, credential, 'mpp', named))
      expect(answer).toEqual({ ...first, isNew: false, charged: false })
    }
    const other = await signedBody(wallet, HOST, 'Something else.', clock.us)
    for (const credential of [null, fresh()]) {
      const answer = await answered(threads, aRequest(HOST, other, credential, 'x402', named))
      expect(told(answer)).toEqual(['payment-conflict', false])
      expect(answer).toMatchObject({
        detail: 'This Idempotency-Key came with another request before; nothing was charged for this one.',
        hint: expect.stringMatching(/^Send it with an Idempotency-Key of its own, /),
      })
    }
    // What is paid for is answered under whatever name.
    for (const name of ['x'.repeat(256), 'order\n1']) {
      const answer = await answered(threads, aRequest(HOST, body, null, 'x402', { 'idempotency-key': name }))
      expect(answer).toEqual({ ...first, isNew: false, charged: false })
    }
    const stranger = newWallet()
    const strangers = await signedBody(stranger, HOST, 'Mine.', clock.us)
    expect(told(await answered(threads, aRequest(HOST, strangers, fresh(stranger), 'x402', named)))).toEqual([
      'published',
      'charged',
      true,
    ])
    const unreadable = await answered(
      threads,
      aRequest(HOST, other, fresh(), 'x402', { 'idempotency-key': 'x'.repeat(256) }),
    )
    expect(told(unreadable)).toEqual(['invalid-field', false])
    expect(chain.transfers()).toHaveLength(2)
  })

  it('is charged once when it comes at the same time with two signing times', async () => {
    const store = await engine.open()
    await listHosts(store, [HOST])
    const clock = new Clock()
    const chain = fakeChain()
    const { threads } = createPostHarness(store, clock, { chain })
    const bodies = await Promise.all(
      [0, 1, 2, 3].map((n) => signedBody(wallet, HOST, 'Once.', clock.us - n * 1_000_000)),
    )
    const answers = await Promise.all(
      bodies.map((body) => {
        const headers = { 'idempotency-key': 'order-1' }
        return answered(threads, aRequest(HOST, body, aCredential(wallet.address, clock.us), 'x402', headers))
      }),
    )
    expect(answers.filter((answer) => answer instanceof Problem)).toEqual([])
    expect(chain.transfers()).toHaveLength(1)
  })

  it('is charged once when a refused payment is tried again while another is made under its name', async () => {
    const store = await engine.open()
    await listHosts(store, [HOST])
    const clock = new Clock()
    const chain = fakeChain()
    let fault: SettleFault = 'invalid'
    let begun: () => void = () => undefined
    let go: Promise<void> = Promise.resolve()
    const onSettle = async (): Promise<void> => {
      begun()
      await go
    }
    const { threads } = createPostHarness(store, clock, { chain, fault: () => fault, onSettle, settleWaitMs: 300 })
    const order = async () => {
      const body = await signedBody(wallet, HOST, 'Once.', clock.us)
      return aRequest(HOST, body, aCredential(wallet.address, clock.us), 'x402', { 'idempotency-key': 'order 1' })
    }
    const first = await order()
    expect(told(await answered(threads, first))).toEqual(['payment-refused', false])
    clock.passSeconds(1)
    const second = await order()
    fault = 'ok'
    let goOn: () => void = () => undefined
    go = new Promise((resolve) => {
      goOn = resolve
    })
    const isSettling = new Promise<void>((resolve) => {
      begun = resolve
    })
    const again = answered(threads, first)
    await isSettling
    const beside = await answered(threads, second)
    goOn()
    expect(told(beside)).toEqual(['pending', false, undefined])
    await again
    expect(told(await answered(threads, second))).toEqual(['published', false, false])
    expect(chain.transfers()).toHaveLength(1)
  })
})

onEachEngine('a payment-identifier', (engine) => {
  async function refusedOnce() {
    const store = await engine.open()
    await listHosts(store, [HOST])
    const clock = new Clock()
    const chain = fakeChain()
    let fault: SettleFault = 'invalid'
    const { threads, rail } = createPostHarness(store, clock, { chain, fault: () => fault })
    const named = () => aCredential(wallet.address, clock.us, { identifier: 'order-1' })
    const send = (...request: Parameters<typeof aRequest>) => answered(threads, aRequest(...request))
    const body = await signedBody(wallet, HOST, 'Once.', clock.us)
    const refused = named()
    expect(told(await send(HOST, body, refused))).toEqual(['payment-refused', false])
    fault = 'ok'
    return { clock, chain, rail, named, send, body, refused }
  }

  it('is free again once its payment was refused: the new credential pays, once, and the old one never', async () => {
    const { chain, clock, rail, named, send, body, refused } = await refusedOnce()
    const good = named()
    expect(told(await send(HOST, body, good))).toEqual(['published', 'charged', true])
    expect(told(await send(HOST, body, good))).toEqual(['published', 'charged', false])
    expect(told(await send(HOST, body, refused))).toEqual(['published', false, false])
    expect(chain.transfers().map(({ nonce }) => nonce)).toEqual([good.nonce])
    expect(rail.settled).toHaveLength(2)
    // Another text under the same name is not charged, whichever credential brings it.
    const other = await signedBody(wallet, HOST, 'Something else.', clock.us)
    for (const credential of [named(), good, refused]) {
      expect(told(await send(HOST, other, credential))).toEqual(['payment-conflict', false])
    }
    expect(chain.transfers()).toHaveLength(1)
  })

  it('belongs to the refused payment again when that is tried again and paid', async () => {
    const { chain, clock, named, send, body, refused } = await refusedOnce()
    expect(told(await send(HOST, body, refused))).toEqual(['published', 'charged', true])
    const other = await signedBody(wallet, HOST, 'Something else.', clock.us)
    expect(told(await send(HOST, other, named()))).toEqual(['payment-conflict', false])
    expect(chain.transfers()).toHaveLength(1)
  })

  it('that another request has since keeps the refused payment from being tried again', async () => {
    const { chain, clock, named, send, body, refused } = await refusedOnce()
    const other = await signedBody(wallet, HOST, 'Something else.', clock.us)
    expect(told(await send(HOST, other, named()))).toEqual(['published', 'charged', true])
    const answer = await send(HOST, body, refused)
    expect(told(answer)).toEqual(['payment-conflict', false])
    expect(answer).toMatchObject({ more: { earlier_charged: true } })
    expect(chain.transfers()).toHaveLength(1)
  })
})
