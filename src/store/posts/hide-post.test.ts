import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aPost, evidence, NOON_US } from '../../../test/support/samples.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'
import { hidePost } from './hide-post.ts'
import { readPost } from './read-post.ts'

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
})
