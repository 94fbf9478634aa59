import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { planOf } from '../../../test/support/plans.ts'
import { aListing, aReview, evidence, NOON_US } from '../../../test/support/samples.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import type { ReviewInput } from './review-input.ts'
import { REVIEW_COLUMNS, reviewsOfRoute } from './review-rows.ts'

const HOST = 'api.seller.example'
const FIRST = { limit: 50, cursor: null }

const unsigned = (n: number): ReviewInput =>
  aReview({ id: `u${n}`, level: 'Unsigned', wallet: null, signature: null, signedAt: null, submittedUs: NOON_US + n })
const signed = (id: string, n: number, more: Partial<ReviewInput> = {}): ReviewInput =>
  aReview({ id, wallet: `0x${String(n).padStart(40, '0')}`, submittedUs: NOON_US + n, ...more })

onEachEngine('the reviews of a route', (engine) => {
  const opened = async (reviews: readonly ReviewInput[]) => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()], reviews }))
    return store
  }

  it('shows those that count first, by level: newer ones that cost nothing push nobody out', async () => {
    const newer = Array.from({ length: 60 }, (_, n) => unsigned(100 + n))
    const buyer = signed('buyer', 1, { level: 'Verified buyer' })
    const directory = directoryOf(
      await opened([...newer, signed('older', 2), signed('newer', 2, { submittedUs: NOON_US + 99 }), buyer]),
    )
    const view = await directory.hostView(HOST, FIRST)
    const shown = ['buyer', 'newer', 'u159', 'u158', 'u157']
    expect(view?.routes[0]?.reviews.map(({ id }) => id)).toEqual(shown)
    expect(view?.routes[0]?.reviewsTotal).toBe(63)
    const { route } = (await directory.route(HOST, aListing(), FIRST)) ?? {}
    expect(route?.reviews.slice(0, 5).map(({ id }) => id)).toEqual(shown)
    const page = await directory.reviews(HOST, { ...FIRST, level: null, method: null, path: null })
    expect(page?.items[0]?.id).toBe('u159')
  })

  it('shows those that never count last: no data is said only where no agent wrote', async () => {
    const excluded = Array.from({ length: 50 }, (_, n) => signed(`own${n}`, 10 + n, { excluded: 'founder' }))
    const directory = directoryOf(
      await opened([...excluded, signed('old', 1), signed('new', 1, { submittedUs: NOON_US + 5 })]),
    )
    const view = await directory.hostView(HOST, FIRST)
    expect(view?.routes[0]?.reviews.map(({ id }) => id)).toEqual(['new', 'old', 'own49', 'own48', 'own47'])
  })

  it('are found by an index, however many there are', async () => {
    const store = await engine.open()
    const ofRoute = sql`w.host_id = 1 and w.route_id = r.route_id`
    const found = sql`select ${store.dialect.jsonRows(REVIEW_COLUMNS, reviewsOfRoute(ofRoute, 5))} as reviews
      from routes as r where r.host_id = 1`
    const plan = await planOf(store, found.compile(store.read))
    expect(plan).toMatch(/reviews_by_standing/)
    expect(plan).not.toMatch(/Sort Key|temp b-tree/i)
  })
})
