import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { aListing, NOON_US } from '../../../test/support/samples.ts'
import { CLAIM_US, messageKeyOf, postIdOf } from '../../domain/money/payment.ts'
import { LATEST_US } from '../../domain/time/timestamp.ts'
import { postMessage } from '../../wire/signed-lines.ts'
import { saveListings } from '../facts/save-listings.ts'
import { findHostId } from '../host-id.ts'
import type { Store } from '../store.ts'
import { exportRecords } from '../transfer/export.ts'
import { importFile } from '../transfer/import.ts'
import { verifyStore } from '../transfer/verify.ts'
import {
  claimPayment,
  expirePayment,
  type NewPayment,
  postponePayment,
  refusePayment,
  saveIntent,
} from './payment-steps.ts'
import { duePayments, findPayment, findPaymentOf, listPayments, paymentTotals, undecidedPayments } from './payments.ts'
import { publishPost } from './publish.ts'
import { findPost } from './read-post.ts'

const HOST = 'api.seller.example'

onEachEngine('the ledger of payments', (engine) => {
  async function setUp() {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const hostId = (await findHostId(store.read, HOST)) ?? -1
    const newPayment = (key: string, more: Partial<NewPayment> = {}): NewPayment => ({
      key,
      messageKey: messageKeyOf('0xpayer', postMessage({ host: HOST, text: key, signedAt: 'then' })),
      idempotencyKey: null,
      hostId,
      rail: 'x402',
      network: 'eip155:8453',
      asset: '0xa',
      payer: '0xpayer',
      payee: '0xpayee',
      amount: '50000',
      expiresUs: NOON_US + 1,
      fromBlock: 7,
      identifier: null,
      requestHash: 'hash',
      raw: 'secret',
      intent: { resource: 'https://x.example', text: key, wallet: '0xpayer', signature: '0x1', signedAt: 'then' },
      ...more,
    })
    const saved = async (key: string, more: Partial<NewPayment> = {}) => {
      const payment = await saveIntent(store, newPayment(key, more), NOON_US)
      if (!payment) throw new Error(`${key} was known`)
      return payment
    }
    return { store, newPayment, saved }
  }
  const stateOf = async (store: Store, key: string) => (await findPayment(store.read, key))?.state

  it('keeps an intent once per authorisation and once per name of a payer', async () => {
    const { store, newPayment, saved } = await setUp()
    const first = await saved('k1', { identifier: 'order', expiresUs: Number.POSITIVE_INFINITY })
    expect(first).toMatchObject({ state: 'pending', host: HOST, postId: postIdOf('k1'), dueUs: NOON_US + CLAIM_US })
    expect(first.expiresUs).toBe(LATEST_US)
    expect(await saveIntent(store, newPayment('k1', { requestHash: 'other' }), NOON_US)).toBeUndefined()
    expect(await saveIntent(store, newPayment('k2', { identifier: 'order' }), NOON_US)).toBeUndefined()
    const other = { identifier: 'order', payer: '0xother' }
    expect(await saveIntent(store, newPayment('k3', other), NOON_US)).toMatchObject({ key: 'k3' })
    expect(await findPaymentOf(store.read, { key: 'k9', payer: '0xpayer', identifier: 'order' })).toEqual(first)
    expect(await findPaymentOf(store.read, { key: 'k9', payer: '0xpayer', identifier: null })).toBeUndefined()
    expect(await findPost(store.read, first.postId)).toBeUndefined()
  })

  it('lets one of many claim what is due', async () => {
    const { store, saved } = await setUp()
    const seen = await saved('k1')
    expect(await duePayments(store.read, NOON_US + CLAIM_US - 1, 10)).toEqual([])
    expect(await duePayments(store.read, NOON_US + CLAIM_US, 10)).toEqual([seen])
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimPayment(store, seen, NOON_US + CLAIM_US)))
    expect(claims.filter((claim) => claim !== undefined)).toEqual([
      { ...seen, attempts: 1, dueUs: NOON_US + 2 * CLAIM_US },
    ])
    // Whoever held it before has nothing to say any more.
    await postponePayment(store, seen, 'late', NOON_US)
    expect(await refusePayment(store, seen, 'late', NOON_US, NOON_US)).toBe(false)
    expect(await findPayment(store.read, 'k1')).toEqual(claims.find((claim) => claim !== undefined))
  })

  it('publishes once, and a transfer pays for one post', async () => {
    const { store, saved } = await setUp()
    const [a, b, c] = [await saved('a'), await saved('b'), await saved('c')]
    const together = Array.from({ length: 5 }, (_, n) =>
      publishPost(store, a, { transaction: '0x1', logIndex: 3 }, NOON_US + n),
    )
    expect((await Promise.all(together)).sort()).toEqual(['already', 'already', 'already', 'already', 'published'])
    expect(await publishPost(store, b, { transaction: '0x1', logIndex: 3 }, NOON_US)).toBe('taken')
    expect(await publishPost(store, b, { transaction: '0x1', logIndex: -1 }, NOON_US)).toBe('taken')
    expect(await stateOf(store, 'b')).toBe('pending')
    // Facilitators settle several payments in one transaction.
    expect(await publishPost(store, b, { transaction: '0x1', logIndex: 4 }, NOON_US)).toBe('published')
    expect(await publishPost(store, c, { transaction: '0x2', logIndex: -1 }, NOON_US)).toBe('published')
    expect(await findPayment(store.read, 'a')).toMatchObject({ state: 'settled', raw: null, dueUs: null, logIndex: 3 })
    const events = await store.read.selectFrom('events').select('subject').where('kind', '=', 'post').execute()
    expect(events.map(({ subject }) => subject).sort()).toEqual([a.postId, b.postId, c.postId].sort())
    const differences: unknown[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })

  it('lists for its operator by state, with totals, and never a credential', async () => {
    const { store, saved } = await setUp()
    const amount = String(2n ** 70n)
    const settled = await saved('settled', { amount })
    await publishPost(store, settled, { transaction: '0x1', logIndex: 0 }, NOON_US + 5)
    const another = await saved('another')
    await publishPost(store, another, { transaction: '0x2', logIndex: 0 }, NOON_US + 6)
    await refusePayment(store, await saved('refused'), 'no funds', NOON_US, NOON_US)
    await saved('expired')
    await expirePayment(store, 'expired', 'too late', NOON_US)
    await expirePayment(store, 'settled', 'never', NOON_US)
    await saved('pending', { rail: 'mpp', network: 'tempo:4217' })
    const all = await listPayments(store, { limit: 10 })
    expect(all.map(({ key }) => key)).toEqual(['another', 'settled', 'expired', 'pending', 'refused'])
    expect(JSON.stringify(all)).not.toContain('secret')
    expect((await listPayments(store, { state: 'refused', limit: 10 })).map(({ reason }) => reason)).toEqual([
      'no funds',
    ])
    expect(await listPayments(store, { limit: 2 })).toHaveLength(2)
    const x402 = { rail: 'x402', network: 'eip155:8453', asset: '0xa' }
    expect(await paymentTotals(store)).toEqual([
      { state: 'pending', rail: 'mpp', network: 'tempo:4217', asset: '0xa', payments: 1, amount: '50000' },
      { state: 'refused', ...x402, payments: 1, amount: '50000' },
      { state: 'settled', ...x402, payments: 2, amount: String(2n ** 70n + 50_000n) },
      { state: 'expired', ...x402, payments: 1, amount: '50000' },
    ])
    const undecided: string[] = []
    for await (const { key } of undecidedPayments(store.read, 1)) undecided.push(key)
    expect(undecided).toEqual(['pending', 'refused'])
  })

  it('moves to another store without credentials, and is looked at there', async () => {
    const { store, saved } = await setUp()
    await publishPost(store, await saved('settled', { identifier: 'x' }), { transaction: '0x1', logIndex: 3 }, NOON_US)
    await refusePayment(store, await saved('refused'), 'two\nlines \u202e', NOON_US, NOON_US)
    await saved('expired')
    await expirePayment(store, 'expired', 'too late', NOON_US)
    await saved('pending', { expiresUs: Number.POSITIVE_INFINITY })
    const exported = async (from: Store): Promise<string[]> => {
      const lines: string[] = []
      await exportRecords(from, async (records) => void lines.push(...records.map((record) => JSON.stringify(record))))
      return lines
    }
    const lines = await exported(store)
    expect(lines.join()).not.toContain('secret')
    const folder = temporaryFolder()
    const file = join(folder, 'moved.ndjson')
    // In any order: also before anything else has named the host.
    writeFileSync(file, lines.toReversed().join('\n'))
    const target = await engine.open()
    await importFile(target, file, [])
    await importFile(target, file, [])
    rmSync(folder, { recursive: true })
    expect(await exported(target)).toEqual(lines)
    const due = (await duePayments(target.read, NOON_US, 10)).map(({ key, raw }) => [key, raw])
    expect(due.sort()).toEqual([
      ['pending', null],
      ['refused', null],
    ])
    expect((await findPayment(target.read, 'refused'))?.reason).toBe('two lines')
    expect(await findPayment(target.read, 'settled')).toEqual(await findPayment(store.read, 'settled'))
  })
})
