import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import { openReviewing, someone } from '../../test/support/reviewing.ts'
import { reviewMessage, textDigest } from '../wire/signed-lines.ts'
import { readReviewPage } from './review-page.ts'

onEachEngine('the page of a review', (engine) => {
  it('holds the very lines that its wallet signed, the digest of its text and what happened to it', async () => {
    const store = await engine.open()
    const { submit, signedBy } = await openReviewing(store)
    const body = await signedBy(someone())
    const { review } = await submit(body)
    const page = await readReviewPage(store, review.id)
    const { method, url, rail, rating, text, signed_at: signedAt } = body
    expect(page?.message).toBe(reviewMessage({ method, url, rail, rating, text, payment: null, signedAt }))
    expect(page?.textSha256).toBe(textDigest(text))
    expect(page?.host).toBe(review.host)
    expect(page?.review).toEqual(review)
    expect(page?.events.map(({ kind }) => kind)).toEqual(['review'])
  })

  it('has no signed lines where nobody signed, and is not there for an id that nobody has', async () => {
    const store = await engine.open()
    const { submit, unsigned } = await openReviewing(store)
    const { review } = await submit(unsigned())
    expect((await readReviewPage(store, review.id))?.message).toBeNull()
    expect(await readReviewPage(store, 'nobody')).toBeUndefined()
  })
})
