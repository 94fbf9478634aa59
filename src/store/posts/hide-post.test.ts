import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aPost, evidence, NOON_US } from '../../../test/support/samples.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'
import { hidePost, NO_LONGER_ON_CHAIN, NO_PAYMENT_FOUND } from './hide-post.ts'
import { readPost } from './read-post.ts'
import { savePost } from './save-post.ts'

const SECOND_US = 1_000_000

onEachEngine('hiding a post', (engine) => {
  it('leaves a dated reason, keeps the row and moves the version of its host', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()], posts: [aPost(), aPost({ id: 'post-2' })] }))
    const version = async () =>
      (await store.read.selectFrom('host_counters').select('version').executeTakeFirst())?.version
    const before = await version()
    const hidden = await hidePost(store, 'post-1', NOON_US + SECOND_US, 'personal data')
    expect(hidden).toEqual({ host: 'api.seller.example', atUs: NOON_US + SECOND_US })
    expect(await readPost(store.read, 'post-1')).toMatchObject({
      host: 'api.seller.example',
      text: 'Does it keep its rate limits?',
      signature: '0x33',
      hidden_us: NOON_US + SECOND_US,
      hidden_reason: 'personal data',
    })
    expect((await readPost(store.read, 'post-2'))?.hidden_us).toBeNull()
    expect(await version()).toBe((before ?? 0) + 1)
    const events = await store.read.selectFrom('events').selectAll().where('subject', '=', 'post-1').execute()
    expect(events.map(({ kind, data }) => [kind, JSON.parse(data)])).toEqual([
      ['post_hidden', { post: 'post-1', reason: 'personal data' }],
    ])
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })

  it('keeps its first date when the reason is corrected, and knows what is not there', async () => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()], posts: [aPost()] }))
    await hidePost(store, 'post-1', NOON_US, 'spam')
    expect(await hidePost(store, 'post-1', NOON_US + SECOND_US, 'personal data')).toMatchObject({ atUs: NOON_US })
    expect((await readPost(store.read, 'post-1'))?.hidden_reason).toBe('personal data')
    expect(await hidePost(store, 'post-3', NOON_US, 'spam')).toBeUndefined()
    expect(await readPost(store.read, 'post-3')).toBeUndefined()
  })

  it('for want of a payment ends when the payment is found, and what an operator hid stays hidden', async () => {
    const store = await engine.open()
    const posts = ['gone', 'unseen', 'spam'].map((id) => aPost({ id }))
    await saveEvidence(store, evidence({ listings: [aListing()], posts }))
    await hidePost(store, 'gone', NOON_US, NO_LONGER_ON_CHAIN)
    await hidePost(store, 'unseen', NOON_US, NO_PAYMENT_FOUND)
    await hidePost(store, 'spam', NOON_US, 'spam')
    const payment = { ...aPost().payment, transaction: '0xfound' }
    for (const { id } of posts) await savePost(store, aPost({ id, payment, postedUs: NOON_US + SECOND_US }))
    const shown = await Promise.all(posts.map(({ id }) => readPost(store.read, id)))
    expect(shown.map((post) => [post?.hidden_reason, post?.payment_transaction, post?.posted_us])).toEqual([
      [null, '0xfound', aPost().postedUs],
      [null, '0xfound', aPost().postedUs],
      ['spam', aPost().payment.transaction, aPost().postedUs],
    ])
    const logged = await store.read.selectFrom('log_entries').select('body').execute()
    const restored = logged
      .flatMap(({ body }) => JSON.parse(body).records)
      .filter(({ kind }) => kind === 'post_restored')
    expect(restored.map(({ id }) => id)).toEqual(['gone', 'unseen'])
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })
})
