import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import { aListing, aReview, evidence, NOON_US } from '../../test/support/samples.ts'
import { findRoute } from './find-route.ts'
import { findHostId } from './hosts.ts'
import { ReviewIntake } from './review-intake.ts'
import { saveEvidence } from './save.ts'
import type { Store } from './store.ts'
import { verifyStore } from './verify.ts'

onEachEngine('the intake of reviews', (engine) => {
  /** A store that counts its transactions, of which the n-th may fail. */
  async function opened(fails: (transaction: number) => boolean) {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()] }))
    const hostId = (await findHostId(store.read, aListing().host)) ?? -1
    const route = await findRoute(store.read, hostId, aListing())
    const at = { hostId, routeId: route?.routeId ?? -1 }
    let transactions = 0
    const counting: Store = {
      ...store,
      write: (work) => {
        transactions += 1
        return fails(transactions) ? Promise.reject(new Error('the disk is full')) : store.write(work)
      },
    }
    const intake = new ReviewIntake(counting, () => NOON_US)
    const add = (n: number) =>
      intake.add({ input: { ...aReview({ id: `r${n}`, wallet: `0x${n}` }), at }, candidates: null })
    const stored = async () => (await store.read.selectFrom('reviews').select('review_id').execute()).length
    return { store, add, stored, transactions: () => transactions }
  }

  it('shares transactions among reviews that come together, and answers each with its own', async () => {
    const { store, add, stored, transactions } = await opened(() => false)
    const added = await Promise.all(Array.from({ length: 150 }, (_, n) => add(n % 100)))
    expect(added.map(({ review }) => review.id)).toEqual(Array.from({ length: 150 }, (_, n) => `r${n % 100}`))
    expect(added.filter(({ isNew }) => isNew)).toHaveLength(100)
    expect(added.every(({ events, review }) => events[0]?.data.review === review.id)).toBe(true)
    expect(await stored()).toBe(100)
    expect(transactions()).toBeLessThanOrEqual(6)
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })

  it('lets no review fail for another one', async () => {
    // The first goes alone, the second transaction has the other nine; the third is the first of those, alone.
    const { add, stored } = await opened((transaction) => transaction === 2 || transaction === 3)
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => add(n)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', ...Array(8).fill('fulfilled')])
    expect(await stored()).toBe(9)
    expect((await add(99)).isNew).toBe(true)
  })
})
