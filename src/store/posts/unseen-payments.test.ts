import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledQuery, sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { planOf, watching } from '../../../test/support/plans.ts'
import { aListing, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { findHostId } from '../host-id.ts'
import { unseenPayments as unseenStep } from '../migrations/001-010/008-unseen-payments.ts'
import { exportRecords } from '../transfer/export.ts'
import { importFile } from '../transfer/import.ts'
import { NO_PAYMENT_FOUND } from './hide-post.ts'
import { saveIntent } from './payment-steps.ts'
import { duePayments, findPayment, undecidedPayments } from './payments.ts'
import { publishPost } from './publish.ts'
import { findPost } from './read-post.ts'
import { readPosts } from './read-posts.ts'
import { unseen, unseenPayments } from './unseen-payments.ts'

const HOST = 'api.seller.example'
const NETWORK = 'eip155:8453'

onEachEngine('payments that no node has seen', (engine) => {
  async function setUp() {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const hostId = (await findHostId(store.read, HOST)) ?? -1
    const saved = async (key: string, more: { network?: string; rail?: 'x402' | 'mpp' } = {}) => {
      const intent = { resource: 'https://x.example', text: key, wallet: '0xa', signature: '0x1', signedAt: 'then' }
      const of = {
        key,
        messageKey: key,
        idempotencyKey: null,
        hostId,
        rail: 'x402',
        network: NETWORK,
        asset: '0xa',
        payer: '0xpayer',
        payee: '0xpayee',
      } as const
      const rest = { amount: '50000', expiresUs: NOON_US, fromBlock: 0, identifier: null, requestHash: 'h', raw: 'r' }
      const payment = await saveIntent(store, { ...of, ...rest, intent, ...more }, NOON_US)
      if (!payment) throw new Error(`${key} was known`)
      return payment
    }
    /** Published, as it is stored then. */
    const published = async (
      key: string,
      transaction: string,
      logIndex: number,
      more: Parameters<typeof saved>[1] = {},
    ) => {
      expect(await publishPost(store, await saved(key, more), { transaction, logIndex }, NOON_US)).toBe('published')
      const payment = await findPayment(store.read, key)
      if (!payment) throw new Error(`${key} is gone`)
      return payment
    }
    const due = async (network = NETWORK, nowUs = NOON_US) =>
      (await unseenPayments(store.read, network, nowUs, 10)).map(({ key }) => key)
    return { store, saved, published, due, hostId }
  }

  it('are due per network, apart from undecided ones', async () => {
    const { store, saved, published, due } = await setUp()
    await published('unseen', '0x1', -1)
    await published('elsewhere', '0x2', -1, { network: 'eip155:1' })
    await published('seen', '0x3', 4)
    await published('mpp', '0x4', -1, { rail: 'mpp' })
    await saved('pending')
    expect([await due(), await due('eip155:1'), await due(NETWORK, NOON_US - 1)]).toEqual([
      ['unseen'],
      ['elsewhere'],
      [],
    ])
    const undecided: string[] = []
    for await (const { key } of undecidedPayments(store.read)) undecided.push(key)
    expect(undecided).toEqual(['pending'])
    expect((await duePayments(store.read, NOON_US * 2, 10)).map(({ key }) => key)).toEqual(['pending'])
  })

  it('are claimed by one, and only by whoever saw them as they are', async () => {
    const { store, published, due } = await setUp()
    const seen = await published('a', '0x1', -1)
    const claims = await Promise.all(Array.from({ length: 5 }, () => unseen.claim(store, seen, NOON_US)))
    const [claimed, ...others] = claims.filter((claim) => claim !== undefined)
    if (!claimed) throw new Error('nobody has it')
    expect(others).toEqual([])
    expect(await findPayment(store.read, 'a')).toEqual(claimed)
    expect(await unseen.confirm(store, seen, { transaction: '0x1', logIndex: 1 }, null)).toBe('already')
    expect(await unseen.withdraw(store, seen, { shown: NO_PAYMENT_FOUND, reason: 'late' }, NOON_US)).toBe(false)
    await unseen.postpone(store, claimed, 'two\nlines', NOON_US + 7)
    expect(await findPayment(store.read, 'a')).toMatchObject({ dueUs: NOON_US + 7, reason: 'two lines', logIndex: -1 })
    expect([await due(), await due(NETWORK, NOON_US + 7)]).toEqual([[], ['a']])
  })

  it('never get a transfer that is another’s', async () => {
    const { store, published } = await setUp()
    await published('a', '0x1', 3)
    const b = await published('b', '0x2', -1)
    const c = await published('c', '0x3', -1)
    expect(await unseen.confirm(store, b, { transaction: '0x1', logIndex: 3 }, null)).toBe('taken')
    expect(await findPayment(store.read, 'b')).toEqual(b)
    expect(await unseen.confirm(store, b, { transaction: '0x1', logIndex: 4 }, null)).toBe('confirmed')
    // What another only claims does not stand in the way of whose it is.
    const d = await published('d', '0x4', -1)
    expect(await unseen.confirm(store, c, { transaction: '0x4', logIndex: 0 }, null)).toBe('confirmed')
    expect(await unseen.confirm(store, d, { transaction: '0x4', logIndex: 0 }, null)).toBe('taken')
    expect(await unseen.withdraw(store, d, { shown: NO_PAYMENT_FOUND, reason: 'unused' }, NOON_US)).toBe(true)
    expect(await unseen.withdraw(store, c, { shown: NO_PAYMENT_FOUND, reason: 'seen' }, NOON_US)).toBe(false)
    expect((await findPost(store.read, c.postId))?.payment).toMatchObject({
      transaction: '0x4',
      settlement: 'verified on chain',
    })
    expect((await findPost(store.read, d.postId))?.hidden?.reason).toBe('no payment was found on chain')
  })

  it('are known from a list of posts, and move to another store', async () => {
    const { store, published, due, hostId } = await setUp()
    await published('a', '0x1', -1)
    await published('b', '0x2', 5)
    const shown = (await readPosts(store, hostId, null, 10)).map(({ text, log_index }) => [text, log_index])
    expect(shown.sort()).toEqual([
      ['a', -1],
      ['b', 5],
    ])
    const lines: string[] = []
    await exportRecords(store, async (records) => void lines.push(...records.map((record) => JSON.stringify(record))))
    const folder = temporaryFolder()
    const file = join(folder, 'moved.ndjson')
    writeFileSync(file, lines.join('\n'))
    const target = await engine.open()
    await importFile(target, file, [])
    rmSync(folder, { recursive: true })
    expect(await unseenPayments(target.read, NETWORK, NOON_US, 10)).toMatchObject([{ key: 'a', logIndex: -1 }])
    expect(await due()).toEqual(['a'])
  })

  it('of an earlier version are due from the step on that knows them', async () => {
    const { store, published, due } = await setUp()
    await published('unseen', '0x1', -1)
    await published('seen', '0x2', 0)
    await store.write(async (writer) => {
      for (const index of ['payments_by_post', 'payments_unseen'])
        await sql`drop index ${sql.ref(index)}`.execute(writer)
      await writer.updateTable('payments').set({ due_us: null }).execute()
      await unseenStep(writer)
    })
    expect(await due()).toEqual(['unseen'])
    expect((await findPayment(store.read, 'seen'))?.dueUs).toBeNull()
  })

  it('are found by an index, as undecided ones and the payments of posts are', async () => {
    const { store, hostId } = await setUp()
    const asked: CompiledQuery[] = []
    const watched = watching(store, asked)
    await unseenPayments(watched.read, NETWORK, NOON_US, 10)
    await duePayments(watched.read, NOON_US, 10)
    await readPosts(watched, hostId, null, 10)
    await findPost(watched.read, 'p1')
    const plans: string[] = []
    for (const query of asked) plans.push(await planOf(store, query))
    expect(plans[0]).toContain('payments_unseen')
    expect(plans[1]).toContain('payments_due')
    for (const plan of plans.slice(2)) expect(plan).toContain('payments_by_post')
    expect(plans).toHaveLength(4)
  })
})
