import type { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { planOf, watching } from '../../../test/support/plans.ts'
import { isSet, type Standing } from '../../payment/rail.ts'
import { hidePost, NO_LONGER_ON_CHAIN } from '../../store/posts/hide-post.ts'
import { readStories } from '../../store/posts/payment-story.ts'
import { findPayment, listPayments } from '../../store/posts/payments.ts'
import { findPost } from '../../store/posts/read-post.ts'
import type { Store } from '../../store/store.ts'
import { verifyStore } from '../../store/transfer/verify.ts'
import { aCredential, aRequest, newWallet, plainSignatures, signedBody } from '../testing/buyer.ts'
import { fakeChain } from '../testing/fake-chain.ts'
import type { SettleFault } from '../testing/fake-facilitator.ts'
import { answered, Clock, createPostHarness, listHosts } from '../testing/post-harness.ts'
import type { Ledger } from './ledger.ts'
import { reconcileDue } from './reconcile.ts'
import { createThreads } from './threads.ts'
import { watchDue } from './watch.ts'

const HOST = 'api.seller.example'
const wallet = newWallet()
const NOTHING = { final: 0, withdrawn: 0, postponed: 0 }
const GONE: Standing = { kind: 'expired', reason: 'The authorisation ended unused.' }
const AWAY: Standing = { kind: 'unknown', reason: 'The node does not answer.' }

/** A world whose chain says of a payment that was seen what it is told to; it holds it, not final, at first. */
async function worldOf(store: Store) {
  await listHosts(store, [HOST])
  const clock = new Clock()
  const chain = fakeChain()
  const is = { standing: null as Standing | null, isFinal: false, fault: 'ok' as SettleFault }
  /** One more program over the same store, as after a restart. */
  const program = (): Ledger => {
    const { rail, rails, nowUs, log } = createPostHarness(store, clock, { chain, fault: () => is.fault })
    const watch = async (_: unknown, transaction: string): Promise<Standing> => {
      const logIndex = (await listPayments(store, { limit: 9 })).find(
        (one) => one.transaction === transaction,
      )?.logIndex
      return is.standing ?? { kind: 'paid', transaction, logIndex: logIndex ?? 0, isFinal: is.isFinal }
    }
    const look: typeof rail.look = async (payment) => {
      const { standing } = is
      return standing === null || standing.kind === 'paid' ? rail.look(payment) : standing
    }
    return { store, rails: { ...rails, x402: { ...rail, watch, look } }, nowUs, log }
  }
  const posted = async (text = 'Is it up?') => {
    const threads = createThreads({ ...program(), signatures: plainSignatures })
    const credential = aCredential(wallet.address, clock.us)
    const request = aRequest(HOST, await signedBody(wallet, HOST, text, clock.us), credential)
    const answer = await answered(threads, request)
    if (!('kind' in answer) || answer.kind !== 'published') throw new Error('not published')
    return { id: answer.post.id, send: () => answered(threads, request) }
  }
  const standing = async (id: string) => {
    const payment = (await listPayments(store, { limit: 9 })).find(({ postId }) => postId === id)
    return { payment, post: await findPost(store.read, id) }
  }
  const later = async (seconds: number) => {
    clock.passSeconds(seconds)
    return watchDue(program())
  }
  return { clock, is, program, posted, standing, later }
}

onEachEngine('a payment that was seen on chain', (engine) => {
  it('is looked at until its block is final, ever more seldom, and never again', async () => {
    const store = await engine.open()
    const { is, posted, standing, later } = await worldOf(store)
    const { id } = await posted()
    expect(await later(4)).toEqual(NOTHING)
    let looks = 0
    for (let second = 0; second < 1200; second += 2) looks += (await later(2)).postponed
    expect(looks).toBeGreaterThan(6)
    expect(looks).toBeLessThan(14)
    is.isFinal = true
    expect(await later(301)).toEqual({ ...NOTHING, final: 1 })
    const { payment, post } = await standing(id)
    expect(payment).toMatchObject({ state: 'settled', dueUs: null, reason: null })
    expect(post?.hidden).toBeNull()
    is.standing = GONE
    expect(await later(100_000)).toEqual(NOTHING)
  })

  it('has its post withdrawn when two looks in a row find it gone for good, whatever was started between', async () => {
    const store = await engine.open()
    const { clock, is, posted, standing, later } = await worldOf(store)
    const { id, send } = await posted()
    is.standing = { kind: 'unknown', reason: 'The chain has not seen it yet.' }
    expect(await later(6)).toEqual({ ...NOTHING, postponed: 1 })
    expect((await standing(id)).payment?.reason).toBe('The chain has not seen it yet.')
    is.standing = GONE
    expect(await later(11)).toEqual({ ...NOTHING, postponed: 1 })
    // A look that could not see is not one that found it gone.
    is.standing = AWAY
    expect(await later(301)).toEqual({ ...NOTHING, postponed: 1 })
    is.standing = GONE
    expect(await later(301)).toEqual({ ...NOTHING, postponed: 1 })
    expect((await standing(id)).post?.hidden).toBeNull()
    expect(await later(6)).toEqual({ ...NOTHING, withdrawn: 1 })
    const { payment, post } = await standing(id)
    expect(post?.hidden).toEqual({ atUs: clock.us, reason: NO_LONGER_ON_CHAIN })
    expect(payment).toMatchObject({ state: 'expired', dueUs: null })
    expect(payment?.reason).toBe(`${NO_LONGER_ON_CHAIN}: The authorisation ended unused.`)
    const [story] = await readStories(store.read, id)
    expect(story?.steps.map(({ act }) => act)).toEqual(['settle', 'watch'])
    const events = await store.read.selectFrom('events').select('kind').where('subject', '=', id).execute()
    expect(events.map(({ kind }) => kind).sort()).toEqual(['post', 'post_hidden'])
    expect(await later(100_000)).toEqual(NOTHING)
    for (const said of [GONE, AWAY]) {
      is.standing = said
      expect(await send()).toMatchObject({ slug: 'payment-refused', more: { charged: false } })
    }
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })

  it('shows its post again when whoever paid sends it once more and the node was wrong', async () => {
    const store = await engine.open()
    const { is, posted, standing, later } = await worldOf(store)
    const { id, send } = await posted()
    is.standing = GONE
    await later(6)
    await later(11)
    expect((await standing(id)).post?.hidden?.reason).toBe(NO_LONGER_ON_CHAIN)
    is.standing = null
    const shown = await send()
    expect(shown).toMatchObject({ kind: 'published', post: { id, hidden: null } })
    expect(shown).not.toHaveProperty('charged')
    const { payment, post } = await standing(id)
    expect(payment).toMatchObject({ state: 'settled', reason: null })
    expect(post?.hidden).toBeNull()
    is.isFinal = true
    expect(await later(6)).toEqual({ ...NOTHING, final: 1 })
    expect(await send()).toMatchObject({ kind: 'published', isNew: false, post: { id } })
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })

  it('keeps its post when it comes back, and names the transaction that it came back in', async () => {
    const store = await engine.open()
    const { is, posted, standing, later } = await worldOf(store)
    const { id } = await posted()
    is.standing = GONE
    await later(6)
    const transaction = `0x${'ef'.repeat(32)}`
    is.standing = { kind: 'paid', transaction, logIndex: 7, isFinal: false }
    expect(await later(11)).toEqual({ ...NOTHING, postponed: 1 })
    const { payment, post } = await standing(id)
    expect(payment).toMatchObject({ state: 'settled', transaction, logIndex: 7, reason: null })
    expect(post).toMatchObject({ hidden: null, payment: { transaction, settlement: 'verified on chain' } })
    is.standing = GONE
    expect(await later(301)).toEqual({ ...NOTHING, postponed: 1 })
    is.standing = { kind: 'paid', transaction, logIndex: 7, isFinal: true }
    expect(await later(6)).toEqual({ ...NOTHING, final: 1 })
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })

  it('leaves an operator’s reason, is looked at by one of many, and not for ever where nobody can say', async () => {
    const store = await engine.open()
    const { clock, is, program, posted, standing, later } = await worldOf(store)
    const hidden = await posted('Hidden.')
    await hidePost(store, hidden.id, clock.us, 'personal data')
    is.standing = GONE
    await later(6)
    clock.passSeconds(11)
    const turns = await Promise.all(Array.from({ length: 4 }, () => watchDue(program())))
    expect(turns.reduce((sum, { withdrawn }) => sum + withdrawn, 0)).toBe(1)
    expect((await standing(hidden.id)).post?.hidden?.reason).toBe('personal data')
    const unclear = await posted('Unclear.')
    is.standing = AWAY
    expect(await later(6)).toEqual({ ...NOTHING, postponed: 1 })
    await later(8 * 86_400)
    expect(await later(8 * 86_400)).toEqual(NOTHING)
    const { payment, post } = await standing(unclear.id)
    expect([payment?.state, payment?.dueUs, post?.hidden]).toEqual(['settled', null, null])
  })

  it('is not settled again when reconciliation finds it paid, and is looked at like any other', async () => {
    const store = await engine.open()
    const { clock, is, program, later } = await worldOf(store)
    is.fault = 'mined later'
    const threads = createThreads({ ...program(), signatures: plainSignatures })
    const credential = aCredential(wallet.address, clock.us)
    await answered(threads, aRequest(HOST, await signedBody(wallet, HOST, 'Later.', clock.us), credential))
    for (let n = 0; n < 20; n++) {
      clock.passSeconds(2)
      await reconcileDue(program())
    }
    const [payment] = await listPayments(store, { limit: 9 })
    expect(payment).toMatchObject({ state: 'settled', attempts: 0 })
    expect((await findPayment(store.read, payment?.key ?? ''))?.dueUs).not.toBeNull()
    is.isFinal = true
    expect(await later(6)).toEqual({ ...NOTHING, final: 1 })
  })

  it('is looked at also with its rail unset', async () => {
    const store = await engine.open()
    const { clock, is, program, posted } = await worldOf(store)
    await posted()
    is.isFinal = true
    clock.passSeconds(6)
    const { rails, ...ledger } = program()
    const { x402 } = rails
    if (!isSet(x402)) throw new Error('not set')
    const unset = { name: 'x402', missing: ['X402_PAY_TO'], past: async () => x402 } as const
    expect(await watchDue({ ...ledger, rails: { ...rails, x402: unset } })).toEqual({ ...NOTHING, final: 1 })
  })

  it('is found by an index that holds no other', async () => {
    const store = await engine.open()
    const { program, posted } = await worldOf(store)
    await posted()
    const asked: CompiledQuery[] = []
    await watchDue({ ...program(), store: watching(store, asked) })
    const [due] = asked
    if (due === undefined) throw new Error('nothing was asked')
    expect(await planOf(store, due)).toContain('payments_unfinal')
  })
})
