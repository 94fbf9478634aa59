import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { openReviewing, someone } from '../../../test/support/reviewing.ts'
import { verifyStore } from '../../store/transfer/verify.ts'

onEachEngine('a review by a wallet whose clock is wrong', (engine) => {
  it('is no newer than one that comes after it, where its clock is ahead', async () => {
    const store = await engine.open()
    const { submit, signedBy, reviews, clock } = await openReviewing(store)
    const ada = someone()
    const first = await submit(await signedBy(ada, { rating: 5, signedAt: '2026-11-14T12:02:00Z' }))
    clock.us += 30_000_000
    const second = await submit(await signedBy(ada, { rating: 1, signedAt: '2026-11-14T12:00:30Z' }))
    expect(second.review.superseded).toBe(false)
    expect((await reviews.find(first.review.id))?.review.superseded).toBe(true)
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })

  it('is told what time it is here, where its signing time is not taken', async () => {
    const { submit, signedBy } = await openReviewing(await engine.open())
    const ahead = submit(await signedBy(someone(), { signedAt: '2026-11-14T12:02:01Z' }))
    await expect(ahead).rejects.toMatchObject({ hint: expect.stringContaining('Here it is 2026-11-14T12:00:00Z.') })
  })
})
