import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aReview, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { findHostId } from '../host-id.ts'
import { findRoute } from '../hosts/find-route.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'
import { readReview, readReviewEvents, reviewText } from './read-review.ts'
import type { ReviewInput } from './review-input.ts'
import { reviewIntake } from './review-intake.ts'

const PAYEE = '0x00000000000000000000000000000000000000Aa'

onEachEngine('the intake of reviews', (engine) => {
  /** A store that counts its transactions, of which the n-th may fail. */
  async function opened(fails: (transaction: number) => boolean) {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const hostId = (await findHostId(store.read, aListing().host)) ?? -1
    const route = await findRoute(store, hostId, aListing())
    const at = { hostId, routeId: route?.routeId ?? -1 }
    let transactions = 0
    const counting: Store = {
      ...store,
      write: (work) => {
        transactions += 1
        return fails(transactions) ? Promise.reject(new Error('the disk is full')) : store.write(work)
      },
    }
    const intake = reviewIntake(counting, () => NOON_US)
    const add = (n: number, more: Partial<ReviewInput> = {}) =>
      intake.add({ input: { ...aReview({ id: `r${n}`, wallet: `0x${n}`, ...more }), at }, candidates: null })
    const stored = async () => (await store.read.selectFrom('reviews').select('review_id').execute()).length
    return { store, at, intake, add, stored, transactions: () => transactions }
  }

  it('shares transactions among reviews that come together, and answers each with its own', async () => {
    const { store, add, stored, transactions } = await opened(() => false)
    const added = await Promise.all(Array.from({ length: 300 }, (_, n) => add(n % 200)))
    expect(added.map(({ review }) => review.id)).toEqual(Array.from({ length: 300 }, (_, n) => `r${n % 200}`))
    expect(added.filter(({ isNew }) => isNew)).toHaveLength(200)
    expect(added.every(({ events, review }) => events[0]?.data.review === review.id)).toBe(true)
    expect(await stored()).toBe(200)
    expect(transactions()).toBe(5)
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })

  it('lets no review fail for another one', async () => {
    // The first transaction has all ten; the third is the second of them, alone.
    const { add, stored } = await opened((transaction) => transaction === 1 || transaction === 3)
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => add(n)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', ...Array(8).fill('fulfilled')])
    expect(await stored()).toBe(9)
    expect((await add(99)).isNew).toBe(true)
  })

  it('answers each as whoever reads it next finds it', async () => {
    const { store, add } = await opened(() => false)
    const wallet = PAYEE
    const payees = [{ ...aRoute(), network: 'base', payee: wallet, asset: null, origin: 'listing' as const }]
    await saveEvidence(store, evidence({ payees: payees.map((one) => ({ ...one, firstUs: 1, lastUs: 1 })) }))
    const of = (second: number) => ({ wallet: '0xAda', signedAt: `2026-11-14T12:00:0${second}Z` })
    await add(0, of(3))
    const added = await Promise.all([
      add(0),
      add(1, of(4)),
      add(2, of(5)),
      add(3, of(1)),
      add(4, { wallet }),
      add(5, { wallet: null, signature: null, signedAt: null, level: 'Unsigned' }),
      add(6, { payment: { network: 'base', transaction: '0x1' }, levelReason: 'no', receipt: { a: [1, null] } }),
    ])
    expect(added.map(({ review }) => [review.superseded, review.excluded])).toEqual([
      [true, null],
      [true, null],
      [false, null],
      [true, null],
      [false, 'self-generated'],
      [false, null],
      [false, null],
    ])
    for (const { review, events } of added) {
      expect(await readReview(store.read, review.id)).toEqual(review)
      expect((await readReviewEvents(store.read, store.dialect, [review])).get(reviewText(review))).toEqual(events)
    }
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })

  it('gives a payment that two reviews of one second name to the one that counts', async () => {
    const { store, at, intake } = await opened(() => false)
    const transfer = { asset: '0xdollar', amount: '10000', payer: '0xAda', payee: PAYEE, logIndex: 0, atUs: 1 }
    const paymentFound = { ...transfer, isFinal: true, otherHosts: 0, hasReceipt: false }
    const add = (id: string, wallet: string, submittedUs: number) => {
      const payment = { network: 'eip155:8453', transaction: `0x${wallet}` }
      const input = aReview({ id, wallet, payment, submittedUs })
      return intake.add({ input: { ...input, at }, candidates: { ...payment, transfers: [paymentFound] } })
    }
    const added = await Promise.all([
      add('a1', 'early first', NOON_US),
      add('a2', 'early first', NOON_US),
      add('b2', 'late first', NOON_US),
      add('b1', 'late first', NOON_US),
      add('c2', 'arrival counts', NOON_US),
      add('c1', 'arrival counts', NOON_US + 1),
    ])
    const read = await Promise.all(added.map(({ review }) => readReview(store.read, review.id)))
    const standing = read.map((review) => [review?.id, review?.level, review?.superseded])
    expect(standing).toEqual([
      ['a1', 'Signed', true],
      ['a2', 'Verified buyer', false],
      ['b2', 'Verified buyer', false],
      ['b1', 'Signed', true],
      ['c2', 'Signed', true],
      ['c1', 'Verified buyer', false],
    ])
  })
})
