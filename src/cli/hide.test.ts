import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import { aListing, aPost, aReview, evidence, NOON_US } from '../../test/support/samples.ts'
import { openStore } from '../store/open.ts'
import { readPost } from '../store/posts/read-post.ts'
import { readReview } from '../store/reviews/read-review.ts'
import { saveEvidence } from '../store/transfer/save-evidence.ts'
import { hideCommand } from './hide.ts'
import { commandContext } from './testing/command-context.ts'

onEachEngine('tollbook hide', (engine) => {
  it('takes a post down with a reason, and refuses what it does not understand', async () => {
    const options = await engine.empty()
    const store = await openStore(options)
    await saveEvidence(store, evidence({ listings: [aListing()], posts: [aPost()] }))
    const { context, said } = commandContext({ openStore: () => openStore(options) })
    const hide = (...argv: string[]) => hideCommand(() => NOON_US).run(argv, context)
    expect(await hide('post', 'post-1', '--reason', 'personal data')).toBe(0)
    expect(said.out).toBe('Hidden since 2026-11-14T12:00:00.000000Z in the thread of api.seller.example.\n')
    expect((await readPost(store.read, 'post-1'))?.hidden_reason).toBe('personal data')
    await expect(hide('post', 'post-2', '--reason', 'spam')).rejects.toThrow('there is no post post-2')
    await expect(hide('post', 'post-1')).rejects.toThrow('--reason: expected why')
    await expect(hide('host', 'post-1', '--reason', 'spam')).rejects.toThrow(
      '<kind>: expected one of post, review, statement',
    )
    await expect(hide('constructor', 'post-1', '--reason', 'spam')).rejects.toThrow('<kind>: expected')
    await expect(hide('post', 'post-1', 'and', '--reason', 'spam')).rejects.toThrow('and: this word is one too many')
    await expect(hide('post', 'post-1', '--reason', 'two\nlines')).rejects.toThrow('--reason is not taken')
    await store.close()
  })

  it('takes a review down with a reason', async () => {
    const options = await engine.empty()
    const store = await openStore(options)
    await saveEvidence(store, evidence({ listings: [aListing()], reviews: [aReview()] }))
    const { context, said } = commandContext({ openStore: () => openStore(options) })
    const hide = (...argv: string[]) => hideCommand(() => NOON_US).run(argv, context)
    expect(await hide('review', 'review-1', '--reason', 'personal data')).toBe(0)
    expect(said.out).toBe('Hidden since 2026-11-14T12:00:00.000000Z on the page of api.seller.example.\n')
    expect((await readReview(store.read, 'review-1'))?.hidden?.reason).toBe('personal data')
    await expect(hide('review', 'review-2', '--reason', 'spam')).rejects.toThrow('there is no review review-2')
    await store.close()
  })
})
