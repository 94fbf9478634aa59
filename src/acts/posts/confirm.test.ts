import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { hidePost, NO_PAYMENT_FOUND } from '../../store/posts/hide-post.ts'
import { findPayment, listPayments } from '../../store/posts/payments.ts'
import { findPost } from '../../store/posts/read-post.ts'
import type { Store } from '../../store/store.ts'
import { verifyStore } from '../../store/transfer/verify.ts'
import { aCredential, aRequest, newWallet, signedBody } from '../testing/buyer.ts'
import { fakeChain } from '../testing/fake-chain.ts'
import type { SettleFault } from '../testing/fake-facilitator.ts'
import type { FakeCredential } from '../testing/fake-rail.ts'
import { answered, Clock, createPostHarness, listHosts } from '../testing/post-harness.ts'
import { confirmDue } from './confirm.ts'
import { keepReconciled, lookAtAll, reconcileDue } from './reconcile.ts'

const HOST = 'api.seller.example'
const wallet = newWallet()
const NOTHING = { confirmed: 0, withdrawn: 0, postponed: 0 }

/** A world without a node at first, and with a facilitator that tells the truth unless it is told to lie. */
async function worldOf(store: Store) {
  await listHosts(store, [HOST])
  const clock = new Clock()
  const chain = fakeChain()
  const is = { fault: 'ok' as SettleFault, hasNode: false, nodeUp: true, named: `0x${'ab'.repeat(32)}` }
  const program = () =>
    createPostHarness(store, clock, {
      chain,
      fault: () => is.fault,
      hasNode: () => is.hasNode,
      isNodeUp: () => is.nodeUp,
      another: async () => is.named,
    })
  const post = async (text = 'Is it up?', more: Partial<FakeCredential> = {}) => {
    const credential = aCredential(wallet.address, clock.us, more)
    const request = aRequest(HOST, await signedBody(wallet, HOST, text, clock.us), credential)
    return { credential, request, answer: await answered(program().threads, request) }
  }
  /** As it is stored now. */
  const posted = async ({ answer }: Awaited<ReturnType<typeof post>>) => {
    if (!('kind' in answer) || answer.kind !== 'published') throw new Error('not published')
    const [found, all] = [await findPost(store.read, answer.post.id), await listPayments(store, { limit: 100 })]
    const payment = all.find(({ postId }) => postId === answer.post.id)
    if (!found || !payment) throw new Error('not stored')
    return { post: found, payment }
  }
  const versionOf = async () =>
    (await store.read.selectFrom('host_counters').select('version').executeTakeFirst())?.version ?? 0
  return { clock, chain, is, program, post, posted, versionOf }
}

onEachEngine('payments that a facilitator was believed', (engine) => {
  it('are left alone without a node, and say so', async () => {
    const store = await engine.open()
    const { clock, program, post, posted } = await worldOf(store)
    const made = await post()
    expect((await posted(made)).post.payment.settlement).toBe('as the facilitator says')
    clock.passSeconds(1000)
    expect(await confirmDue(program())).toEqual(NOTHING)
    const counts = [await reconcileDue(program()), await lookAtAll(program())]
    expect(counts).toEqual(Array(2).fill({ pending: 0, refused: 0, settled: 0, expired: 0 }))
    expect((await posted(made)).payment).toMatchObject({ state: 'settled', logIndex: -1, attempts: 0 })
  })

  it('are seen as soon as there is a node, with the transaction that the chain names', async () => {
    const store = await engine.open()
    const { clock, chain, is, program, post, posted, versionOf } = await worldOf(store)
    const honest = await post('Honest.')
    is.fault = 'transaction of another'
    const mistaken = await post('Mistaken.')
    chain.broadcast(mistaken.credential, 'third party', clock.us)
    const own = [honest, mistaken].map(({ credential }) => chain.find(credential))
    expect((await posted(mistaken)).post.payment.transaction).toBe(is.named)
    const before = await versionOf()
    is.hasNode = true
    expect(await confirmDue(program())).toEqual({ ...NOTHING, confirmed: 2 })
    for (const [n, made] of [honest, mistaken].entries()) {
      const { post: shown, payment } = await posted(made)
      const { transaction, logIndex } = own[n] ?? {}
      expect(shown.payment).toMatchObject({ transaction, settlement: 'verified on chain' })
      expect(payment).toMatchObject({ state: 'settled', transaction, logIndex, dueUs: null, reason: null })
      // The receipt of a settled payment names when it was settled.
      expect(payment.updatedUs).toBe(shown.postedUs)
    }
    expect(await versionOf()).toBe(before + 2)
    expect(await confirmDue(program())).toEqual(NOTHING)
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })

  it('are withdrawn once the chain can no longer take them, with a placeholder and their record', async () => {
    const store = await engine.open()
    const { clock, is, program, post, posted } = await worldOf(store)
    is.fault = 'transaction of another'
    const lied = await post('For nothing.', { identifier: 'order-1' })
    is.hasNode = true
    expect(await confirmDue(program())).toEqual({ ...NOTHING, postponed: 1 })
    expect((await posted(lied)).post.hidden).toBeNull()
    clock.passSeconds(151)
    const withdrawnUs = clock.us
    expect(await confirmDue(program())).toEqual({ ...NOTHING, withdrawn: 1 })
    const { post: shown, payment } = await posted(lied)
    expect(shown.hidden).toEqual({ atUs: withdrawnUs, reason: NO_PAYMENT_FOUND })
    expect(shown.payment.settlement).toBe('as the facilitator says')
    expect(payment).toMatchObject({ state: 'expired', transaction: is.named, updatedUs: withdrawnUs, dueUs: null })
    expect(payment.reason).toBe('no payment was found on chain: the authorisation has expired')
    const events = await store.read.selectFrom('events').select('kind').where('subject', '=', shown.id).execute()
    expect(events.map(({ kind }) => kind).sort()).toEqual(['post', 'post_hidden'])
    // Whoever sends it again is asked to pay, and may use its name for that.
    expect(await answered(program().threads, lied.request)).toMatchObject({
      slug: 'payment-refused',
      more: { charged: false, code: 'expired' },
    })
    is.fault = 'ok'
    const paid = await post('Paid.', { identifier: 'order-1' })
    expect((await posted(paid)).post.payment.settlement).toBe('verified on chain')
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })

  it('keep the reason of an operator who was faster', async () => {
    const store = await engine.open()
    const { clock, is, program, post, posted } = await worldOf(store)
    is.fault = 'transaction of another'
    const lied = await post()
    await hidePost(store, (await posted(lied)).post.id, clock.us, 'personal data')
    const hidden = { atUs: clock.us, reason: 'personal data' }
    is.hasNode = true
    clock.passSeconds(151)
    expect(await confirmDue(program())).toEqual({ ...NOTHING, withdrawn: 1 })
    expect(await posted(lied)).toMatchObject({ post: { hidden }, payment: { state: 'expired' } })
  })

  it('are looked for less and less often while nobody can say', async () => {
    const store = await engine.open()
    const { clock, is, program, post, posted } = await worldOf(store)
    const made = await post()
    is.hasNode = true
    is.nodeUp = false
    const ledger = program()
    let looks = 0
    for (let minute = 0; minute < 24 * 60; minute++) {
      looks += (await confirmDue(ledger)).postponed
      clock.passSeconds(60)
    }
    // 1, 2, 4 … minutes, and then every six hours.
    expect(looks).toBe(12)
    expect((await posted(made)).payment).toMatchObject({ state: 'settled', reason: 'the node does not answer' })
    is.nodeUp = true
    clock.passSeconds(6 * 3600)
    expect(await confirmDue(ledger)).toEqual({ ...NOTHING, confirmed: 1 })
  })

  it('are worked off a few at a time, by one of many programs', async () => {
    const store = await engine.open()
    const { is, program, post, posted } = await worldOf(store)
    const made: Awaited<ReturnType<typeof post>>[] = []
    for (let n = 0; n < 25; n++) made.push(await post(`Question ${n}`))
    is.hasNode = true
    expect(await confirmDue(program())).toEqual({ ...NOTHING, confirmed: 20 })
    const rest = await Promise.all(Array.from({ length: 4 }, () => confirmDue(program())))
    expect(rest.reduce((sum, { confirmed }) => sum + confirmed, 0)).toBe(5)
    for (const one of made) expect((await posted(one)).post.payment.settlement).toBe('verified on chain')
  })

  it('never share a transfer: what is named twice is taken once, and the chain tells the rest', async () => {
    const store = await engine.open()
    const { chain, clock, is, program, post, posted } = await worldOf(store)
    const first = await post('Paid.')
    is.named = chain.find(first.credential)?.transaction ?? ''
    is.fault = 'transaction of another'
    const second = await post('For nothing.')
    expect(second.answer).toMatchObject({ kind: 'pending' })
    // The other way round: the liar names a transaction before the one whose it is.
    const third = aCredential(wallet.address, clock.us)
    is.named = chain.broadcast(third, 'third party', clock.us)?.transaction ?? ''
    const liar = await post('Mine.')
    const request = aRequest(HOST, await signedBody(wallet, HOST, 'No, mine.', clock.us), third)
    is.hasNode = true
    expect(await answered(program().threads, request)).toMatchObject({ kind: 'published' })
    clock.passSeconds(151)
    await reconcileDue(program())
    expect(await confirmDue(program())).toEqual({ ...NOTHING, confirmed: 1, withdrawn: 1 })
    expect((await posted(first)).payment).toMatchObject({ state: 'settled' })
    expect((await posted(liar)).payment).toMatchObject({ state: 'expired', logIndex: -1 })
    const states = (await listPayments(store, { limit: 9 })).map(({ state }) => state).sort()
    expect(states).toEqual(['expired', 'expired', 'settled', 'settled'])
  })

  it('are looked for by a running program, beside everything else', async () => {
    const store = await engine.open()
    const { is, program, post, posted } = await worldOf(store)
    const made = await post()
    is.hasNode = true
    const stop = new AbortController()
    const running = keepReconciled(program(), stop.signal, 1)
    await expect.poll(async () => (await posted(made)).post.payment.settlement).toBe('verified on chain')
    stop.abort()
    await running
    expect((await findPayment(store.read, (await posted(made)).payment.key))?.dueUs).toBeNull()
  })
})
