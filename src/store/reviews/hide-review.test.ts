import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aReview, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'
import { hideReview } from './hide-review.ts'
import { readReview } from './read-review.ts'

const SECOND_US = 1_000_000
const HOST = 'api.seller.example'

const countersIn = async (store: Store) => {
  const { log_id: _, ...counters } = await store.read.selectFrom('host_counters').selectAll().executeTakeFirstOrThrow()
  return counters
}

onEachEngine('hiding a review', (engine) => {
  it('leaves a dated reason, keeps the row and all counts, and moves the version of its host', async () => {
    const store = await engine.open()
    const other = aReview({ id: 'review-2', wallet: `0x${'2'.repeat(40)}` })
    await saveEvidence(store, evidence({ listings: [aListing()], reviews: [aReview(), other] }))
    const before = await countersIn(store)
    const hidden = await hideReview(store, 'review-1', NOON_US + SECOND_US, 'personal data')
    expect(hidden).toEqual({ host: HOST, atUs: NOON_US + SECOND_US })
    expect(await readReview(store.read, 'review-1')).toMatchObject({
      text: 'Fast and as described.',
      rating: 4,
      level: 'Signed',
      signature: '0x22',
      hidden: { atUs: NOON_US + SECOND_US, reason: 'personal data' },
    })
    expect((await readReview(store.read, 'review-2'))?.hidden).toBeNull()
    expect(await countersIn(store)).toEqual({ ...before, version: before.version + 1 })
    const events = await store.read.selectFrom('events').selectAll().where('subject', '=', 'review-1').execute()
    expect(events.map(({ kind, route_id, data }) => [kind, route_id !== null, JSON.parse(data)])).toContainEqual([
      'review_hidden',
      true,
      { review: 'review-1', reason: 'personal data' },
    ])
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })

  it('empties its text wherever reviews are shown, also of those that do not count, and of no other', async () => {
    const store = await engine.open()
    const reviews = [
      aReview({ id: 'older', text: 'Older', signedAt: '2026-11-14T11:00:00Z' }),
      aReview({ id: 'newer', text: 'Newer' }),
      aReview({ id: 'founder', text: 'Own', excluded: 'founder', wallet: `0x${'2'.repeat(40)}` }),
    ]
    await saveEvidence(store, evidence({ listings: [aListing()], reviews }))
    for (const id of ['older', 'founder']) await hideReview(store, id, NOON_US, 'spam')
    const directory = directoryOf(store)
    const texts = { founder: '', newer: 'Newer', older: '' }
    const textsOf = (shown: readonly { readonly id: string; readonly text: string }[] = []) =>
      Object.fromEntries(shown.map(({ id, text }) => [id, text]))
    const view = await directory.hostView(HOST, { limit: 10, cursor: null })
    expect(textsOf(view?.routes[0]?.reviews)).toEqual(texts)
    expect(view?.reviewCounts).toEqual({ byLevel: { 'Verified buyer': 0, Signed: 1, Unsigned: 0 }, excluded: 1 })
    expect(textsOf((await directory.reviews(HOST, { limit: 10, cursor: null }))?.items)).toEqual(texts)
    const page = await directory.review('older')
    expect(page?.review).toMatchObject({ text: '', hidden: { atUs: NOON_US, reason: 'spam' }, superseded: true })
    expect(page?.message).toContain(page?.textSha256)
    expect(page?.events.at(-1)).toMatchObject({ kind: 'review_hidden' })
  })

  it('stays hidden when the same review comes again', async () => {
    const store = await engine.open()
    const batch = evidence({ listings: [aListing()], reviews: [aReview()] })
    await saveEvidence(store, batch)
    await hideReview(store, 'review-1', NOON_US, 'spam')
    await saveEvidence(store, batch)
    expect((await readReview(store.read, 'review-1'))?.hidden).toEqual({ atUs: NOON_US, reason: 'spam' })
  })

  it('keeps its first date when the reason is corrected, and knows what is not there', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()], reviews: [aReview()] }))
    await hideReview(store, 'review-1', NOON_US, 'spam')
    expect(await hideReview(store, 'review-1', NOON_US + SECOND_US, 'personal data')).toMatchObject({ atUs: NOON_US })
    expect((await readReview(store.read, 'review-1'))?.hidden?.reason).toBe('personal data')
    expect(await hideReview(store, 'review-3', NOON_US, 'spam')).toBeUndefined()
  })
})
