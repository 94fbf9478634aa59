import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { Problem } from '../../domain/problem.ts'
import type { Unfit } from '../../payment/rail.ts'
import { openStore } from '../../store/open.ts'
import { findPayment, listPayments } from '../../store/posts/payments.ts'
import type { Store } from '../../store/store.ts'
import { verifyStore } from '../../store/transfer/verify.ts'
import { postMessage } from '../../wire/signed-lines.ts'
import { aCredential, aRequest, newWallet, plainSignatures, signedBody } from '../testing/buyer.ts'
import { fakeChain } from '../testing/fake-chain.ts'
import { FAKE_TERMS, type SettleFault } from '../testing/fake-facilitator.ts'
import { answered, Clock, createPostHarness, listHosts, type PostHarnessOptions } from '../testing/post-harness.ts'
import { reconcileDue } from './reconcile.ts'
import type { PostAnswer } from './threads.ts'
import { createThreads } from './threads.ts'

const HOST = 'api.seller.example'
const OTHER = 'b.seller.example'
const wallet = newWallet()

const count = async (store: Store, table: 'posts' | 'payments' | 'events'): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(store.read)).rows[0]?.n ?? 0

/** Status and `charged` of a refusal, or the kind of an answer. */
const told = (answer: PostAnswer | Problem): unknown =>
  answer instanceof Problem ? [answer.slug, answer.more.charged] : answer.kind

onEachEngine('posting to a thread', (engine) => {
  async function setUp(options: PostHarnessOptions = {}) {
    const store = await engine.open()
    await listHosts(store, [HOST, OTHER])
    const clock = new Clock()
    const chain = options.chain ?? fakeChain()
    const stand = createPostHarness(store, clock, { ...options, chain })
    const body = await signedBody(wallet, HOST, 'Does it keep its limits?', clock.us)
    const credential = aCredential(wallet.address, clock.us)
    const post = (request = aRequest(HOST, body, credential)) => answered(stand.threads, request)
    return { ...stand, store, clock, chain, body, credential, post }
  }

  it('publishes what is paid, with its receipt, and says the same to the same request', async () => {
    const { post, store, chain, rail, body, clock } = await setUp()
    const first = await post()
    const [transfer] = chain.transfers()
    expect(first).toEqual({
      kind: 'published',
      isNew: true,
      post: {
        host: HOST,
        id: expect.stringMatching(/^p[a-z2-7]{26}$/),
        text: body.text,
        wallet: wallet.address,
        signature: body.signature,
        signedAt: body.signed_at,
        postedUs: clock.us,
        rail: 'x402',
        payment: {
          network: 'eip155:31337',
          transaction: transfer?.transaction,
          payer: wallet.address,
          settlement: 'verified on chain',
          asset: FAKE_TERMS.asset,
          amount: FAKE_TERMS.amount,
          payee: FAKE_TERMS.payee,
          logIndex: transfer?.logIndex,
          settledUs: clock.us,
        },
        hidden: null,
      },
      headers: { 'Fake-Receipt': transfer?.transaction },
    })
    // Long after the signature would be taken anew.
    clock.passSeconds(100_000)
    expect(await post()).toEqual({ ...first, isNew: false })
    expect(rail.settled).toHaveLength(1)
    const [payment] = await listPayments(store, { limit: 10 })
    expect(payment).toMatchObject({ state: 'settled', logIndex: transfer?.logIndex, dueUs: null })
    expect((await findPayment(store.read, payment?.key ?? ''))?.raw).toBeNull()
    const events = await store.read.selectFrom('events').select(['kind', 'data', 'subject']).execute()
    const id = first instanceof Problem || first.kind === 'pending' ? '' : first.post.id
    expect(events).toEqual([{ kind: 'post', data: JSON.stringify({ post: id, rail: 'x402' }), subject: id }])
  })

  it('asks for payment before it reads anything, and says what an operator must set', async () => {
    const { post, body, threads, credential, store, rail, rails, nowUs, log } = await setUp()
    expect(told(await post(aRequest(HOST, { nonsense: true }, null)))).toEqual(['payment-required', false])
    expect(told(await post(aRequest('nobody.example', body, null)))).toEqual(['unknown-host', false])
    expect(told(await post(aRequest('nobody.example', body, credential)))).toEqual(['unknown-host', false])
    expect(told(await post(aRequest(HOST, body, 'garbage')))).toEqual(['malformed-payment', false])
    const unset = await answered(threads, aRequest('nobody.example', body, null, 'mpp'))
    expect(unset).toMatchObject({
      slug: 'rail-not-configured',
      detail: expect.stringContaining('MPP_RECIPIENT, MPP_SECRET_KEY'),
      hint: 'Use x402, or ask the operator to set the variables that the problem names.',
      more: { charged: false },
    })
    const x402 = { name: 'x402', missing: ['X402_PAY_TO'], past: async () => rail } as const
    const none = createThreads({ store, nowUs, log, signatures: plainSignatures, rails: { ...rails, x402 } })
    expect(await answered(none, aRequest(HOST, body, null, 'mpp'))).toMatchObject({
      hint: 'Ask the operator to set the variables that the problem names.',
    })
  })

  it('refuses before it charges: body, text, time, signature, payer, amount', async () => {
    const { post, body, credential, clock, store, chain, rail } = await setUp()
    const stranger = newWallet()
    const refused: [object, string, object?][] = [
      [{ ...body, extra: 1 }, 'invalid-field'],
      [{ ...body, text: '\u202e' }, 'invalid-text'],
      [{ ...body, text: 'Another text.' }, 'invalid-signature'],
      [{ ...body, signature: 'rubbish' }, 'invalid-signature'],
      [await signedBody(wallet, HOST, 'x', clock.us - 601_000_000), 'invalid-signed-at'],
      [await signedBody(wallet, HOST, 'x', clock.us + 121_000_000), 'invalid-signed-at'],
      [await signedBody(wallet, OTHER, 'x', clock.us), 'invalid-signature'],
      [await signedBody(stranger, HOST, 'x', clock.us), 'payer-not-signer'],
      [body, 'payment-refused', { amount: '49999' }],
      [body, 'payment-refused', { payee: '0x01' }],
      [body, 'payment-refused', { expiresUs: clock.us }],
    ]
    for (const [sent, slug, change] of refused) {
      expect(told(await post(aRequest(HOST, sent, { ...credential, ...change }))), slug).toEqual([slug, false])
    }
    expect(await count(store, 'payments')).toBe(0)
    expect(chain.transfers()).toEqual([])
    expect(rail.settled).toEqual([])
    // None of that used the credential up.
    expect(told(await post())).toBe('published')
  })

  it('tells the lines that it expected where something else was signed', async () => {
    const { post, body, credential } = await setUp()
    const { text, signed_at: signedAt } = body
    expect(await post(aRequest(HOST, { ...body, signature: 'rubbish' }, credential))).toMatchObject({
      status: 401,
      more: { message: postMessage({ host: HOST, text, signedAt }), charged: false },
    })
  })

  it('names a credential of the other rail as such, and where it belongs', async () => {
    const { post, body } = await setUp()
    const headers = { authorization: 'Payment eyJ9' }
    expect(await post(aRequest(HOST, body, null, 'x402', headers))).toMatchObject({
      slug: 'payment-refused',
      detail: expect.stringContaining(`one of mpp, and this address takes x402: post to /mpp/v1/thread/${HOST}`),
      more: { charged: false },
    })
  })

  it('takes a credential for one request only, on one host', async () => {
    const { post, body, credential, clock, chain } = await setUp()
    expect(told(await post())).toBe('published')
    const otherText = await signedBody(wallet, HOST, 'Another text.', clock.us)
    const conflict = await post(aRequest(HOST, otherText, credential))
    expect(conflict).toMatchObject({ slug: 'payment-conflict', more: { charged: false, earlier_charged: true } })
    expect(conflict).toMatchObject({
      detail: 'This payment came with another request before; nothing was charged for this one.',
      hint: 'Send the earlier request unchanged to get its answer, or pay anew.',
    })
    const otherHost = await signedBody(wallet, OTHER, body.text, clock.us)
    expect(told(await post(aRequest(OTHER, otherHost, credential)))).toEqual(['payment-conflict', false])
    expect(chain.transfers()).toHaveLength(1)
  })

  it("takes a payer's own name for a payment as that payment", async () => {
    const { post, body, clock, chain } = await setUp()
    const named = (nonce: string, identifier: string) => aCredential(wallet.address, clock.us, { nonce, identifier })
    const first = await post(aRequest(HOST, body, named('a', 'order-1')))
    const again = await post(aRequest(HOST, body, named('b', 'order-1')))
    expect(again).toEqual({ ...first, isNew: false, charged: false })
    const other = await signedBody(wallet, HOST, 'Another text.', clock.us)
    const taken = await post(aRequest(HOST, other, named('c', 'order-1')))
    expect(told(taken)).toEqual(['payment-conflict', false])
    expect(taken).toMatchObject({
      detail: 'This payment-identifier came with another request before; nothing was charged for this one.',
      hint: expect.stringMatching(/^Pay with a payment-identifier of its own, /),
    })
    expect(chain.transfers()).toHaveLength(1)
    const stranger = newWallet()
    const strangers = await signedBody(stranger, HOST, 'Mine.', clock.us)
    const theirs = aCredential(stranger.address, clock.us, { identifier: 'order-1' })
    expect(told(await post(aRequest(HOST, strangers, theirs)))).toBe('published')
  })

  it.each<[SettleFault, unknown, unknown]>([
    ['reset after broadcast', 'published', 'published'],
    ['error after broadcast', 'published', 'published'],
    ['broadcast, empty transaction', 'published', 'published'],
    ['rejects after broadcast', 'published', 'published'],
    ['settled by a third party', 'published', 'published'],
    ['mined later', 'pending', 'published'],
    ['unanswered', 'pending', 'pending'],
    ['wrong payer', 'pending', 'pending'],
    ['wrong amount', 'pending', 'pending'],
    ['empty transaction', 'pending', 'pending'],
    ['says expired', 'pending', 'pending'],
    ['rejects', 'pending', 'pending'],
    ['invalid', ['payment-refused', false], ['payment-refused', false]],
  ])('with a facilitator that is "%s" answers by what the chain says', async (fault, at, later) => {
    const { post, clock, store, chain } = await setUp({ fault: () => fault })
    expect(told(await post())).toEqual(at)
    clock.passSeconds(25)
    expect(told(await post())).toEqual(later)
    expect(await count(store, 'posts')).toBe(chain.transfers().length)
  })

  it('says by which word of the rail a settlement was refused, also when it is tried again', async () => {
    const { post } = await setUp({ fault: () => 'invalid' })
    const refused = { slug: 'payment-refused', detail: 'the facilitator refused it', more: { code: 'invalid' } }
    expect(await post()).toMatchObject(refused)
    expect(await post()).toMatchObject(refused)
  })

  it('settles a refused payment when it is asked again, and never calls a lost one refused', async () => {
    let fault: SettleFault = 'invalid'
    const { post, rail, store } = await setUp({ fault: () => fault })
    expect(told(await post())).toEqual(['payment-refused', false])
    expect((await listPayments(store, { state: 'refused', limit: 9 })).length).toBe(1)
    fault = 'unanswered'
    expect(told(await post())).toBe('pending')
    fault = 'invalid'
    expect(told(await post())).toBe('pending')
    expect(rail.settled).toHaveLength(2)
    expect(await listPayments(store, { state: 'refused', limit: 9 })).toEqual([])
  })

  it('asks anew when a payment has expired, and the payer may use its name again', async () => {
    let fault: SettleFault = 'unanswered'
    const { post, body, clock, store, chain, ...ledger } = await setUp({ fault: () => fault })
    const first = aCredential(wallet.address, clock.us, { identifier: 'order-1' })
    expect(told(await post(aRequest(HOST, body, first)))).toBe('pending')
    clock.passSeconds(151)
    await reconcileDue({ ...ledger, store })
    expect(await post(aRequest(HOST, body, first))).toMatchObject({
      slug: 'payment-refused',
      more: { charged: false, code: 'expired' },
    })
    fault = 'ok'
    const second = aCredential(wallet.address, clock.us, { identifier: 'order-1' })
    expect(told(await post(aRequest(HOST, body, second)))).toBe('published')
    expect(chain.transfers()).toHaveLength(1)
    expect((await listPayments(store, { limit: 9 })).map(({ state }) => state).sort()).toEqual(['expired', 'settled'])
  })

  it('honours a credential that somebody else used before it came, and no cheaper one', async () => {
    const { post, clock, chain, rail, credential } = await setUp()
    chain.broadcast(credential, 'third party', clock.us)
    expect(told(await post())).toBe('published')
    expect(rail.settled).toEqual([])
    const cheap = aCredential(wallet.address, clock.us, { amount: '1' })
    chain.broadcast(cheap, 'third party', clock.us)
    const other = await signedBody(wallet, HOST, 'For nothing.', clock.us)
    expect(told(await post(aRequest(HOST, other, cheap)))).toEqual(['payment-refused', false])
    // Nor does somebody else get a post out of it.
    const stranger = newWallet()
    const strangers = await signedBody(stranger, HOST, 'Thanks.', clock.us)
    const used = aCredential(wallet.address, clock.us)
    chain.broadcast(used, 'third party', clock.us)
    expect(told(await post(aRequest(HOST, strangers, used)))).toEqual(['payer-not-signer', false])
  })

  it('takes no payment that was made for something else, although its transfer is on chain', async () => {
    const { clock, chain, rail, credential, body, store, rails, nowUs, log } = await setUp()
    chain.broadcast(credential, 'third party', clock.us)
    const elsewhere = { ok: false, code: 'resource_mismatch', reason: 'Made out for another address.' } as const
    const threadsOf = (fault: Unfit) =>
      createThreads({
        ...{ store, nowUs, log, signatures: plainSignatures },
        rails: { ...rails, x402: { ...rail, check: async () => fault } },
      })
    const request = aRequest(HOST, body, credential)
    expect(await answered(threadsOf({ ...elsewhere, isFinal: true }), request)).toMatchObject({
      slug: 'payment-refused',
      more: { charged: false, code: 'resource_mismatch' },
    })
    expect(await count(store, 'payments')).toBe(0)
    expect(told(await answered(threadsOf(elsewhere), request))).toBe('published')
  })

  // Without a node every claim is believed, and only the ledger can find out that a transaction has paid before.
  it.each([
    ['a node', true],
    ['the ledger alone', false],
  ])("does not take another payment's transaction for its own, by %s", async (_, hasNode) => {
    let fault: SettleFault = 'ok'
    const ofFirst = fakeChain()
    const another = async () => ofFirst.transfers()[0]?.transaction ?? ''
    const { post, clock, store, chain } = await setUp({
      fault: () => fault,
      chain: ofFirst,
      another,
      hasNode: () => hasNode,
    })
    await post()
    fault = 'transaction of another'
    const other = await signedBody(wallet, HOST, 'For nothing.', clock.us)
    const credential = aCredential(wallet.address, clock.us)
    expect(told(await post(aRequest(HOST, other, credential)))).toBe('pending')
    expect(await count(store, 'posts')).toBe(1)
    expect(await count(store, 'events')).toBe(1)
    expect(chain.transfers()).toHaveLength(1)
  })

  it('publishes nothing for a rail that names no transaction', async () => {
    const { store, rail, rails, nowUs, log, body, credential } = await setUp()
    const settle = async () => ({ kind: 'paid', transaction: '', logIndex: -1 }) as const
    const broken = { ...rails, x402: { ...rail, settle } }
    const threads = createThreads({ store, nowUs, log, rails: broken, signatures: plainSignatures })
    expect(told(await answered(threads, aRequest(HOST, body, credential)))).toBe('pending')
    expect(await count(store, 'posts')).toBe(0)
  })

  it('answers before a settlement that hangs, which goes on', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { post, store } = await setUp({
      settleWaitMs: 20,
      onSettle: (at) => (at === 'before' ? held : Promise.resolve()),
    })
    expect(told(await post())).toBe('pending')
    expect(told(await post())).toBe('pending')
    expect(await count(store, 'posts')).toBe(0)
    release()
    await expect.poll(() => count(store, 'posts')).toBe(1)
    expect(told(await post())).toBe('published')
  })

  it('makes one post and one charge of 1,000 copies at once, here and in a second program', async () => {
    const where = await engine.empty()
    const stores = [await openStore(where), await openStore(where)]
    const [first] = stores
    if (!first) throw new Error('no store')
    await listHosts(first, [HOST])
    const clock = new Clock()
    const chain = fakeChain()
    const stands = stores.map((store) => createPostHarness(store, clock, { chain }))
    const body = await signedBody(wallet, HOST, 'Once.', clock.us)
    const credential = aCredential(wallet.address, clock.us)
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, n) => stands[n % 2])
        .filter((stand) => stand !== undefined)
        .map(({ threads }) => answered(threads, aRequest(HOST, body, credential))),
    )
    const kinds = answers.map(told)
    // The program that came second may have looked before the other had written it down.
    expect(kinds.filter((kind) => kind !== 'published' && kind !== 'pending')).toEqual([])
    expect(kinds.filter((kind) => kind === 'published').length).toBeGreaterThanOrEqual(500)
    expect(
      answers.filter((answer) => !(answer instanceof Problem) && answer.kind === 'published' && answer.isNew),
    ).toHaveLength(1)
    expect(stands.flatMap(({ rail }) => rail.settled)).toHaveLength(1)
    expect(await count(first, 'posts')).toBe(1)
    expect(chain.transfers()).toHaveLength(1)
    const differences: unknown[] = []
    await verifyStore(first, (difference) => differences.push(difference))
    expect(differences).toEqual([])
    for (const store of stores) await store.close()
  })

  it('says pending, not lost, when what was paid cannot be written down', async () => {
    const { store, clock, chain, body, credential } = await setUp()
    let writes = 0
    const failing: Store = {
      ...store,
      // The intent is stored; publishing fails.
      write: (work) => (++writes === 2 ? Promise.reject(new Error('the disk is full')) : store.write(work)),
    }
    const { threads } = createPostHarness(failing, clock, { chain })
    expect(told(await answered(threads, aRequest(HOST, body, credential)))).toBe('pending')
    expect(chain.transfers()).toHaveLength(1)
    expect(told(await answered(threads, aRequest(HOST, body, credential)))).toBe('published')
  })

  it('moves no money while the disk is known to be full, though the intent would still fit', async () => {
    const { store, clock, chain, body, credential } = await setUp()
    let isFull = true
    const findRoom = () => (isFull ? Promise.reject(new Error('database or disk is full')) : store.findRoom())
    const { threads } = createPostHarness({ ...store, findRoom }, clock, { chain })
    expect(told(await answered(threads, aRequest(HOST, body, credential)))).toEqual(['store-full', false])
    expect(chain.transfers()).toEqual([])
    expect(await listPayments(store, { limit: 10 })).toEqual([])
    isFull = false
    expect(told(await answered(threads, aRequest(HOST, body, credential)))).toBe('published')
    expect(chain.transfers()).toHaveLength(1)
  })

  it('says that nobody knows when even the intent may be lost', async () => {
    const { store, clock, chain, body, credential } = await setUp()
    const failing: Store = { ...store, write: () => Promise.reject(new Error('the connection was lost')) }
    const { threads } = createPostHarness(failing, clock, { chain })
    expect(told(await answered(threads, aRequest(HOST, body, credential)))).toEqual(['internal', 'pending'])
    expect(chain.transfers()).toEqual([])
  })
})
