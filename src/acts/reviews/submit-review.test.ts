import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { found, HERE, HOST, OPEN, openReviewing, PAYEE, someone } from '../../../test/support/reviewing.ts'
import { aChallenge, aListing, aProbe, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import { reapplyFounders } from '../../store/reviews/founders.ts'
import { readReview } from '../../store/reviews/read-review.ts'
import type { Store } from '../../store/store.ts'
import { exportRecords } from '../../store/transfer/export.ts'
import { importFile } from '../../store/transfer/import.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../../store/transfer/verify.ts'

async function differences(store: Store): Promise<Difference[]> {
  const all: Difference[] = []
  await verifyStore(store, (one) => all.push(one))
  return all
}

async function copy(from: Store, to: Store): Promise<void> {
  const folder = temporaryFolder()
  const lines: string[] = []
  await exportRecords(from, async (records) => void lines.push(...records.map((record) => JSON.stringify(record))))
  writeFileSync(join(folder, 'moved.ndjson'), lines.join('\n'))
  await importFile(to, join(folder, 'moved.ndjson'), [])
  rmSync(folder, { recursive: true })
}

async function counts(store: Store) {
  const row = await store.read.selectFrom('host_counters').selectAll().executeTakeFirstOrThrow()
  return {
    verified: row.reviews_verified,
    signed: row.reviews_signed,
    unsigned: row.reviews_unsigned,
    excluded: row.reviews_excluded,
    all: row.reviews,
  }
}
const NONE = { verified: 0, signed: 0, unsigned: 0, excluded: 0, all: 0 }
const PAID = { network: 'base', transaction: '0xABC' }

onEachEngine('submitting a review', (engine) => {
  it('stores what nobody signed as Unsigned, each time anew', async () => {
    const store = await engine.open()
    const { submit, unsigned, reviews } = await openReviewing(store)
    const first = await submit(unsigned())
    const second = await submit(unsigned())
    expect(first).toMatchObject({ isNew: true, message: null, review: { level: 'Unsigned', wallet: null } })
    expect(second.review.id).not.toBe(first.review.id)
    expect(await counts(store)).toEqual({ ...NONE, unsigned: 2, all: 2 })
    expect(await reviews.find(first.review.id)).toMatchObject({ review: first.review })
    expect(await reviews.find('nobody')).toBeUndefined()
  })

  it('stores what a wallet signed as Signed, once, however often and in whatever writing of the wallet it comes', async () => {
    const store = await engine.open()
    const { submit, signedBy } = await openReviewing(store)
    const body = await signedBy(someone())
    const [a, b] = await Promise.all([submit(body), submit(body)])
    const c = await submit({ ...body, wallet: body.wallet.toLowerCase() })
    expect([a.isNew, b.isNew, c.isNew].toSorted()).toEqual([false, false, true])
    expect(new Set([a, b, c].map(({ review }) => review.id)).size).toBe(1)
    expect(a.review).toMatchObject({ level: 'Signed', levelReason: null, wallet: body.wallet })
    expect(a.events.map(({ kind }) => kind)).toEqual(['review'])
    expect(a.message?.split('\n')).toHaveLength(7)
    expect(await counts(store)).toEqual({ ...NONE, signed: 1, all: 1 })
  })

  it.each([
    ['another text', { text: 'Slow.' }, 'invalid-signature', 401],
    ['another rating', { rating: 1 }, 'invalid-signature', 401],
    ['another signing time', { signed_at: '2026-11-14T12:00:01Z' }, 'invalid-signature', 401],
    ['an old signing time', { signed_at: '2026-11-14T11:49:59Z' }, 'invalid-signed-at', 400],
    ['a signing time to come', { signed_at: '2026-11-14T12:02:01Z' }, 'invalid-signed-at', 400],
    ['a date that does not exist', { signed_at: '2026-02-30T12:00:00Z' }, 'invalid-signed-at', 400],
    ['a route that nobody listed', { url: `https://${HOST}/v1/other` }, 'unknown-route', 404],
    ['a host that nobody listed', { url: 'https://other.example/v1/weather' }, 'unknown-host', 404],
    ['another rail', { rail: 'mpp' }, 'unknown-route', 404],
    ['a payment that was not signed for', { payment: PAID }, 'invalid-signature', 401],
  ])('refuses a signed review with %s and stores nothing', async (_, change, slug, status) => {
    const store = await engine.open()
    const { submit, signedBy } = await openReviewing(store)
    const body = { ...(await signedBy(someone())), ...change }
    await expect(submit(body)).rejects.toMatchObject({ slug, status })
    // Whoever signed something else is told what to sign.
    if (status === 401) {
      const refused = await submit(body).catch((error: unknown) => error)
      expect(refused).toMatchObject({ more: { message: expect.stringMatching(/^review\nGET https:/) } })
    }
    expect(await counts(store)).toEqual(NONE)
  })

  it('is good for the directory alone that its lines name, and says which', async () => {
    const store = await engine.open()
    const { submit, signedBy, reviews } = await openReviewing(store)
    const body = await signedBy(someone(), { directory: HERE })
    const { review, message } = await submit(body)
    expect(review).toMatchObject({ level: 'Signed', directory: HERE })
    expect(message?.split('\n').at(-2)).toBe(`directory ${HERE}`)
    expect((await reviews.find(review.id))?.message).toBe(message)
    const elsewhere = await signedBy(someone(), { directory: 'other.example' })
    await expect(submit(elsewhere)).rejects.toMatchObject({
      slug: 'invalid-field',
      detail: `The review was signed for the directory other.example, and this one is ${HERE}.`,
      more: { field: 'directory' },
    })
    // The line cannot be taken away or put in afterwards.
    const { directory: _, ...without } = body
    await expect(submit(without)).rejects.toMatchObject({ status: 401 })
    await expect(submit({ ...(await signedBy(someone())), directory: HERE })).rejects.toMatchObject({ status: 401 })
    const target = await engine.open()
    await copy(store, target)
    expect(await readReview(target.read, review.id)).toMatchObject({ directory: HERE })
  })

  it('answers a stored review however late it is sent again, and only to whoever has its signature', async () => {
    const store = await engine.open()
    const { submit, signedBy, proofs, clock, reviews } = await openReviewing(store)
    const ada = someone()
    proofs.tell('0xABC', found('0xabc', ada.address))
    const [plain, paid] = [await signedBy(someone()), await signedBy(ada, { payment: PAID })]
    const [first, second] = [await submit(plain), await submit(paid)]
    const missed = await signedBy(someone())
    clock.us += 86_400_000_000
    expect(await submit(plain)).toEqual({ ...first, isNew: false })
    expect(await submit({ ...paid, wallet: paid.wallet.toLowerCase() })).toEqual({ ...second, isNew: false })
    expect(proofs.asked).toHaveLength(1)
    const stale = { slug: 'invalid-signed-at', status: 400, detail: 'signed_at is more than 10 minutes ago.' }
    await expect(submit(missed)).rejects.toMatchObject(stale)
    await expect(submit({ ...plain, signature: missed.signature })).rejects.toMatchObject(stale)
    await expect(submit({ ...plain, rating: 1 })).rejects.toMatchObject(stale)
    const spent = (): never => {
      throw new Error('spent')
    }
    await expect(reviews.submit(plain, { ...OPEN, signing: spent })).rejects.toThrow('spent')
    // What is stored is public, so that anybody could spend the wallet's budget with it.
    expect(await reviews.submit(plain, { ...OPEN, signed: spent })).toMatchObject({ isNew: false })
    // What is refused costs the wallet nothing.
    await expect(reviews.submit(missed, { ...OPEN, signed: spent })).rejects.toMatchObject(stale)
    expect(await counts(store)).toEqual({ ...NONE, verified: 1, signed: 1, all: 2 })
  })

  it('costs its wallet once, whoever sends it again how often, and a new one costs again', async () => {
    const store = await engine.open()
    const { reviews, signedBy, proofs } = await openReviewing(store)
    const ada = someone()
    proofs.tell('0xABC', found('0xabc', ada.address))
    const counted: string[] = []
    const gate = { ...OPEN, signed: (wallet: string) => void counted.push(wallet) }
    for (const body of [await signedBy(ada), await signedBy(ada, { payment: PAID })]) {
      const sent = await reviews.submit(body, gate)
      for (const again of [body, { ...body, wallet: body.wallet.toLowerCase() }]) {
        expect(await reviews.submit(again, gate)).toMatchObject({ isNew: false, review: { id: sent.review.id } })
      }
    }
    expect(counted).toEqual([ada.address, ada.address])
  })

  it('finds the route exactly, then through its template, and names near ones when neither does', async () => {
    const store = await engine.open()
    const { submit, unsigned } = await openReviewing(store)
    const at = async (path: string) => (await submit(unsigned({ url: `https://${HOST}${path}` }))).review
    expect(await at('/v1/users/7')).toMatchObject({ path: '/v1/users/:id', url: `https://${HOST}/v1/users/7` })
    expect(await at('/v1/users/me')).toMatchObject({ path: '/v1/users/me' })
    expect(await at('/v1/users/:id')).toMatchObject({ path: '/v1/users/:id' })
    const called = `https://${HOST}/v1/weather?city=paris`
    expect(await at('/v1/weather?city=paris')).toMatchObject({ path: '/v1/weather', url: called })
    await expect(at('/v1/weathr')).rejects.toMatchObject({
      slug: 'unknown-route',
      more: {
        near_matches: expect.arrayContaining([{ method: 'GET', url: `https://${HOST}/v1/weather`, rail: 'x402' }]),
      },
    })
  })

  it('lets the newest review of a wallet count, whichever came first, and keeps the others readable', async () => {
    const store = await engine.open()
    const { submit, signedBy, reviews } = await openReviewing(store)
    const [ada, bob] = [someone(), someone()]
    const newer = await signedBy(ada, { rating: 5, signedAt: '2026-11-14T12:00:30Z' })
    const older = await signedBy(ada, { rating: 1, signedAt: '2026-11-14T12:00:10Z' })
    const elsewhere = await signedBy(ada, { url: `https://${HOST}/v1/users/me` })
    const first = await submit(newer)
    const second = await submit(older)
    await submit(elsewhere)
    await submit(await signedBy(bob))
    expect(second.review.superseded).toBe(true)
    expect((await reviews.find(first.review.id))?.review.superseded).toBe(false)
    expect(await counts(store)).toEqual({ ...NONE, signed: 3, all: 4 })
    const third = await submit(await signedBy(ada, { rating: 3, signedAt: '2026-11-14T12:00:31Z' }))
    expect(third.review.superseded).toBe(false)
    const { review, events } = (await reviews.find(first.review.id)) ?? {}
    expect(review?.superseded).toBe(true)
    expect(events?.map(({ kind, data }) => [kind, data.from, data.to])).toEqual([
      ['review', undefined, undefined],
      ['review_counting_changed', 'counted', 'superseded'],
    ])
    expect(await differences(store)).toEqual([])
  })

  it('never counts reviews of founders and sellers, also when that is learnt later', async () => {
    const store = await engine.open()
    const [founder, seller, owner, late] = [someone(), someone(), someone(), someone()]
    const { submit, signedBy, reviews, clock } = await openReviewing(store, [founder.address])
    const payee = (address: string) => ({
      ...aRoute({ path: '/v1/users/me' }),
      network: 'base',
      payee: address.toLowerCase(),
      asset: null,
      origin: 'challenge' as const,
      firstUs: NOON_US,
      lastUs: NOON_US,
    })
    await saveEvidence(store, evidence({ payees: [payee(seller.address)] }))
    expect((await submit(await signedBy(founder))).review.excluded).toBe('founder')
    expect((await submit(await signedBy(seller))).review.excluded).toBe('self-generated')
    const [owned, paid] = [await submit(await signedBy(owner)), await submit(await signedBy(late))]
    const honest = await submit(await signedBy(someone()))
    expect(await counts(store)).toEqual({ ...NONE, signed: 3, excluded: 2, all: 5 })
    const announceUs = clock.us + 1
    const claim = { signer: owner.address, origin: `https://${HOST}`, proof: '0x1', firstUs: 1, lastUs: 2 }
    await saveEvidence(store, evidence({ ownership: [{ host: HOST, ...claim }] }), { announceUs })
    await saveEvidence(store, evidence({ payees: [payee(late.address)] }), { announceUs })
    for (const { review } of [owned, paid]) {
      const now = await reviews.find(review.id)
      expect(now?.review.excluded).toBe('self-generated')
      expect(now?.events.at(-1)).toMatchObject({
        kind: 'review_counting_changed',
        data: { from: 'counted', to: 'self-generated', review: review.id },
      })
    }
    expect((await reviews.find(honest.review.id))?.review.excluded).toBeNull()
    expect(await counts(store)).toEqual({ ...NONE, signed: 1, excluded: 4, all: 5 })
    expect(await differences(store)).toEqual([])
  })

  it('holds the stored reviews against the founder list when it changes', async () => {
    const store = await engine.open()
    const [old, fresh, seller] = [someone(), someone(), someone()]
    const { submit, signedBy, reviews, clock } = await openReviewing(store, [old.address, seller.address])
    const payees = [{ ...aRoute(), network: 'base', payee: seller.address, asset: null, origin: 'listing' as const }]
    const seen = payees.map((payee) => ({ ...payee, firstUs: 1, lastUs: 1 }))
    await saveEvidence(store, evidence({ payees: seen }))
    const ids = await Promise.all(
      [old, fresh, seller].map(async (account) => (await submit(await signedBy(account))).review.id),
    )
    expect(await reapplyFounders(store, [old.address, seller.address], clock.us)).toBe(0)
    expect(await reapplyFounders(store, [fresh.address.toLowerCase()], clock.us)).toBe(3)
    const excluded = await Promise.all(ids.map(async (id) => (await reviews.find(id))?.review.excluded))
    expect(excluded).toEqual([null, 'founder', 'self-generated'])
    expect(await reapplyFounders(store, [], clock.us)).toBe(1)
    expect(await counts(store)).toEqual({ ...NONE, signed: 2, excluded: 1, all: 3 })
    expect(await differences(store)).toEqual([])
  })

  it('is a verified buyer by a payment that supports no other review', async () => {
    const store = await engine.open()
    const { submit, signedBy, proofs } = await openReviewing(store)
    const [ada, bob] = [someone(), someone()]
    proofs.tell('0xABC', found('0xabc', ada.address))
    const body = await signedBy(ada, { payment: PAID })
    const first = await submit(body)
    expect(first.review).toMatchObject({ level: 'Verified buyer', levelReason: null, paymentFound: { otherHosts: 0 } })
    expect(proofs.asked[0]).toMatchObject({
      wallet: ada.address,
      payees: [{ network: 'base', payee: PAYEE }],
      prices: [{ network: 'base', price: 10_000 }],
    })
    // The same again asks no chain; another writing of the same payment does not count twice.
    expect((await submit(body)).isNew).toBe(false)
    expect(proofs.asked).toHaveLength(1)
    proofs.tell('0xabc', found('0xabc', bob.address))
    const again = await submit(await signedBy(bob, { payment: { network: 'eip155:8453', transaction: '0xabc' } }))
    expect(again.review).toMatchObject({ level: 'Signed', levelReason: 'this payment already supports another review' })
    expect(await counts(store)).toEqual({ ...NONE, verified: 1, signed: 1, all: 2 })
  })

  it('keeps its payment when the wallet corrects it: the newer one takes it over, and both can be read', async () => {
    const store = await engine.open()
    const { submit, signedBy, proofs, reviews, recheck } = await openReviewing(store)
    const ada = someone()
    proofs.tell('0xABC', found('0xabc', ada.address, [3], false))
    const sign = (seconds: string, text: string) =>
      signedBy(ada, { payment: PAID, text, signedAt: `2026-11-14T12:00:${seconds}Z` })
    const first = await submit(await sign('10', 'Fast.'))
    const corrected = await submit(await sign('20', 'Fast, most of the time.'))
    expect(corrected.review).toMatchObject({ level: 'Verified buyer', levelReason: null, superseded: false })
    const reason = 'its payment supports a newer review of the same wallet'
    const older = await reviews.find(first.review.id)
    expect(older?.review).toMatchObject({ level: 'Signed', levelReason: reason, superseded: true, paymentFound: null })
    expect(older?.events.map(({ kind, data }) => `${kind} ${data.from} ${data.to}`).toSorted()).toEqual([
      'review undefined undefined',
      'review_counting_changed counted superseded',
      'review_level_changed Verified buyer Signed',
    ])
    // One that was signed before comes too late, whenever it arrives; looking again changes none of it.
    const late = await submit(await sign('15', 'Fast, I think.'))
    expect(late.review).toMatchObject({ level: 'Signed', levelReason: reason, superseded: true })
    await recheck()
    expect((await reviews.find(corrected.review.id))?.review).toMatchObject({ level: 'Verified buyer' })
    expect((await reviews.find(first.review.id))?.review).toMatchObject({ level: 'Signed' })
    expect(await store.read.selectFrom('payment_claims').select('review_id').execute()).toEqual([
      { review_id: corrected.review.id },
    ])
    expect(await counts(store)).toEqual({ ...NONE, verified: 1, all: 3 })
    expect(await differences(store)).toEqual([])
    // What is exported says the same elsewhere.
    const target = await engine.open()
    await copy(store, target)
    expect(await differences(target)).toEqual([])
    expect(await counts(target)).toEqual(await counts(store))
    expect((await readReview(target.read, corrected.review.id))?.level).toBe('Verified buyer')
  })

  it('supports as many reviews as a transaction has transfers, whoever comes first', async () => {
    const store = await engine.open()
    const { submit, signedBy, proofs } = await openReviewing(store)
    const people = [someone(), someone(), someone()]
    const bodies = await Promise.all(
      people.map(async (person, index) => {
        const payment = { network: 'base', transaction: `0xabc${index}` }
        proofs.tell(payment.transaction, found('0xabc', person.address, [3, 7]))
        return signedBy(person, { payment })
      }),
    )
    const levels = (await Promise.all(bodies.map(submit))).map(({ review }) => review.level)
    expect(levels.toSorted()).toEqual(['Signed', 'Verified buyer', 'Verified buyer'])
    expect(await store.read.selectFrom('payment_claims').selectAll().execute()).toHaveLength(2)
  })

  it('holds a payment against what sources say and live challenges ask for, also where it is not known in dollars', async () => {
    const store = await engine.open()
    const { submit, signedBy, proofs } = await openReviewing(store)
    const [atUs, laterUs] = [NOON_US, NOON_US + 60_000_000]
    const listing = aListing({ source: 'other', network: 'solana', price: null, firstUs: atUs, lastUs: laterUs })
    await saveListings(store, { listings: [listing], payees: [] })
    const probes = [atUs, laterUs].map((us) => aProbe({ atUs: us, challenge: aChallenge(250_000) }))
    await saveProbes(store, { probes, payees: [] })
    await submit(await signedBy(someone(), { payment: PAID }))
    const seen = proofs.asked[0]?.prices.toSorted((a, b) => (a.price ?? 0) - (b.price ?? 0))
    expect(seen).toEqual([
      { network: 'solana', price: null, isAsked: false, firstUs: atUs, lastUs: laterUs },
      expect.objectContaining({ network: 'base', price: 10_000, isAsked: false }),
      { network: 'eip155:8453', price: 250_000, isAsked: true, firstUs: atUs, lastUs: laterUs },
    ])
  })

  it('says why a payment does not support the review', async () => {
    const store = await engine.open()
    const { submit, signedBy, proofs } = await openReviewing(store)
    proofs.tell('0xABC', { kind: 'none', reason: 'the transaction failed: it moved nothing' })
    const { review } = await submit(await signedBy(someone(), { payment: PAID }))
    expect(review).toMatchObject({ level: 'Signed', levelReason: 'the transaction failed: it moved nothing' })
    expect(await store.read.selectFrom('review_checks').selectAll().execute()).toEqual([])
  })

  it('says how many other hosts share the payee', async () => {
    const store = await engine.open()
    const { submit, signedBy, proofs } = await openReviewing(store)
    const shared = ['b.example', 'c.example'].map((host) => ({
      ...aRoute({ host }),
      network: 'base',
      payee: PAYEE.toLowerCase(),
      asset: null,
      origin: 'listing' as const,
      firstUs: 1,
      lastUs: 1,
    }))
    await saveListings(store, { listings: [aListing({ host: 'b.example' })], payees: shared })
    const ada = someone()
    proofs.tell('0xABC', found('0xabc', ada.address))
    const { review } = await submit(await signedBy(ada, { payment: PAID }))
    expect(review.paymentFound).toMatchObject({ otherHosts: 2, hasReceipt: false })
  })

  it('is refused before anything is stored when the budget is spent', async () => {
    const store = await engine.open()
    const { reviews, unsigned, signedBy } = await openReviewing(store)
    const spent = (): never => {
      throw new Error('spent')
    }
    await expect(reviews.submit(unsigned(), { ...OPEN, unsigned: spent })).rejects.toThrow('spent')
    const body = await signedBy(someone())
    await expect(reviews.submit(body, { ...OPEN, signing: spent })).rejects.toThrow('spent')
    await expect(reviews.submit(body, { ...OPEN, signed: spent })).rejects.toThrow('spent')
    // A wallet's budget is touched only by what the wallet signed.
    const forged = { ...body, rating: 1 }
    await expect(reviews.submit(forged, { ...OPEN, signed: spent })).rejects.toMatchObject({ status: 401 })
    expect(await counts(store)).toEqual(NONE)
  })
})
