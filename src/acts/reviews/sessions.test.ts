import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { found, HOST, openReviewing, PAYEE, someone } from '../../../test/support/reviewing.ts'
import { aRoute, NOON_US } from '../../../test/support/samples.ts'
import type { Proof } from '../../payment/proof/proof.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { exportRecords } from '../../store/transfer/export.ts'
import { importFile } from '../../store/transfer/import.ts'
import { verifyStore } from '../../store/transfer/verify.ts'

const CHANNEL = `0x${'c'.repeat(64)}`
const [FIRST, SECOND] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
const PAID = { network: 'base', transaction: CHANNEL }
const WAITING: Proof = { kind: 'unknown', isMissing: true, reason: 'the channel has paid nobody yet' }

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A channel that was paid out of by these transactions. */
function paid(payer: string, by: readonly string[], isOpen: boolean, refunded: string | null = null): Proof {
  const proof = found(CHANNEL, payer)
  if (proof.kind !== 'found') return proof
  const [plain] = proof.transfers
  const of = (transaction: string) => ({ ...plain, channel: { id: CHANNEL, transaction, refunded, isOpen } })
  const [first = '', ...rest] = by
  return { ...proof, transfers: [of(first), ...rest.map(of)] }
}

onEachEngine('reviews that are paid by the session', (engine) => {
  async function world() {
    const store = await engine.open()
    const reviewing = await openReviewing(store)
    const account = someone()
    const send = async (path = '/v1/weather', rating = 4) => {
      const lines = { payment: PAID, url: `https://${HOST}${path}`, rating }
      return (await reviewing.submit(await reviewing.signedBy(account, lines))).review
    }
    const now = async (id: string) => {
      const one = await reviewing.reviews.find(id)
      const { level, levelReason: reason, paymentFound } = one?.review ?? {}
      return { level, reason, channel: paymentFound?.channel }
    }
    const kinds = async (id: string) => (await reviewing.reviews.find(id))?.events.map(({ kind }) => kind)
    const checks = async () => (await store.read.selectFrom('review_checks').selectAll().execute()).length
    const claims = async () => (await store.read.selectFrom('payment_claims').selectAll().execute()).length
    const wrong = async () => {
      const differences: unknown[] = []
      await verifyStore(store, (one) => differences.push(one))
      return differences
    }
    return { store, ...reviewing, wallet: account.address, send, now, kinds, checks, claims, wrong }
  }

  it('are Signed while there is a voucher alone, Verified buyer from the claim on, and show a refund', async () => {
    const { proofs, wallet, send, now, kinds, recheck, checks, claims, wrong } = await world()
    proofs.tell(CHANNEL, WAITING)
    const { id, level, levelReason } = await send()
    expect([level, levelReason]).toEqual(['Signed', 'payment check pending: the channel has paid nobody yet'])
    await recheck()
    expect(await now(id)).toMatchObject({ level: 'Signed' })

    proofs.tell(CHANNEL, paid(wallet, [FIRST], true))
    await recheck()
    const channel = { id: CHANNEL, transaction: FIRST, refunded: null, isOpen: true }
    expect(await now(id)).toEqual({ level: 'Verified buyer', reason: null, channel })
    // Final, and still looked at: more of the deposit may come back.
    await recheck()
    expect(await checks()).toBe(1)
    proofs.tell(CHANNEL, paid(wallet, [FIRST], false, '350000'))
    await recheck()
    expect((await now(id)).channel).toEqual({ ...channel, refunded: '350000', isOpen: false })
    expect([await checks(), await claims()]).toEqual([0, 1])
    expect(await kinds(id)).toEqual(['review', 'review_level_changed'])
    expect(await wrong()).toEqual([])
  })

  it('fall when the chain takes the claim back', async () => {
    const { proofs, wallet, send, now, recheck, claims } = await world()
    proofs.tell(CHANNEL, paid(wallet, [FIRST], true))
    const { id, level } = await send()
    expect(level).toBe('Verified buyer')
    proofs.tell(CHANNEL, WAITING)
    await recheck()
    expect(await now(id)).toMatchObject({ level: 'Signed', reason: expect.stringContaining('paid nobody yet') })
    expect(await claims()).toBe(0)
  })

  it('have a claim each: another route waits for the next, and a correction takes over its own', async () => {
    const { proofs, wallet, send, now, recheck, claims, clock, wrong } = await world()
    proofs.tell(CHANNEL, paid(wallet, [FIRST], true))
    const one = await send()
    const other = await send('/v1/users/me')
    expect([one.level, other.level, other.levelReason]).toEqual([
      'Verified buyer',
      'Signed',
      'payment check pending: this payment already supports another review',
    ])
    await recheck()
    expect(await now(other.id)).toMatchObject({ level: 'Signed' })
    proofs.tell(CHANNEL, paid(wallet, [FIRST, SECOND], true))
    await recheck()
    expect((await now(other.id)).channel?.transaction).toBe(SECOND)
    expect((await now(one.id)).channel?.transaction).toBe(FIRST)

    clock.us += 1_000_000
    const corrected = await send('/v1/weather', 1)
    expect(corrected).toMatchObject({ level: 'Verified buyer', paymentFound: { channel: { transaction: FIRST } } })
    expect(await now(one.id)).toMatchObject({ level: 'Signed' })
    expect(await claims()).toBe(2)
    // Nothing is left for a third, and no more can come.
    proofs.tell(CHANNEL, paid(wallet, [FIRST, SECOND], false))
    const third = await send('/v1/users/7')
    expect([third.level, third.levelReason]).toEqual(['Signed', 'this payment already supports another review'])
    expect(await wrong()).toEqual([])
  })

  it('count a claim once, whether the channel or the claim itself is named', async () => {
    const { proofs, wallet, send, submit, signedBy, claims } = await world()
    proofs.tell(CHANNEL, paid(wallet, [FIRST], false))
    const byClaim = paid(wallet, [FIRST], false)
    proofs.tell(FIRST, byClaim.kind === 'found' ? { ...byClaim, transaction: FIRST } : byClaim)
    expect((await send()).level).toBe('Verified buyer')
    const stranger = someone()
    const again = await submit(await signedBy(stranger, { payment: { network: 'base', transaction: FIRST } }))
    expect(again.review).toMatchObject({
      level: 'Signed',
      levelReason: 'this payment already supports another review',
    })
    expect(await claims()).toBe(1)
  })

  it('are held against who is paid, and against those who share in it as such', async () => {
    const { store, proofs, send } = await world()
    const share = {
      ...aRoute(),
      network: 'base',
      asset: null,
      origin: 'split',
      firstUs: NOON_US,
      lastUs: NOON_US,
    } as const
    const [SHARER, BOTH] = [`0x${'5'.repeat(40)}`, PAYEE]
    const payees = [SHARER, BOTH].map((payee) => ({ ...share, payee }))
    await saveListings(store, { listings: [], payees })
    await send()
    const asked = proofs.asked.at(-1)?.payees.toSorted((a, b) => Number(a.isSharer) - Number(b.isSharer))
    expect(asked).toEqual([
      { network: 'base', payee: PAYEE, isSharer: false },
      { network: 'base', payee: SHARER, isSharer: true },
    ])
  })

  it('leave nothing of a shared payment to others: all of its transfers are taken, or none', async () => {
    const { store, proofs, submit, signedBy, claims } = await world()
    const on = (transaction: string) => ({ payment: { network: 'base', transaction } })
    const send = async (transaction: string, places: readonly number[], parts: readonly number[] = []) => {
      const account = someone()
      const proof = found(FIRST, account.address, places)
      if (proof.kind !== 'found') throw new Error('no payment')
      const [first, ...rest] = proof.transfers
      const whole = { ...first, ...(parts.length > 0 && { parts }) }
      proofs.tell(transaction, { ...proof, transfers: [whole, ...rest] })
      return (await submit(await signedBy(account, on(transaction)))).review.level
    }
    expect(await send('0xa', [2], [5, 7])).toBe('Verified buyer')
    expect(await claims()).toBe(3)
    expect([await send('0xb', [5]), await send('0xc', [7, 8]), await send('0xd', [9], [8, 1])]).toEqual([
      'Signed',
      'Verified buyer',
      'Signed',
    ])
    // Of the last one nothing is kept, so that what it would have taken is there for another.
    expect(await claims()).toBe(4)
    expect(await send('0xe', [9])).toBe('Verified buyer')
    const [row] = await store.read.selectFrom('reviews').select('payment_found').where('level', '=', 'Signed').execute()
    expect(row?.payment_found).toBeNull()
  })

  it('travel by export and import with their channel, its claim and the look that is still due', async () => {
    const { store, proofs, wallet, send } = await world()
    proofs.tell(CHANNEL, paid(wallet, [FIRST], true, '7'))
    const { id } = await send()
    const lines: string[] = []
    await exportRecords(store, async (records) => void lines.push(...records.map((one) => JSON.stringify(one))))
    const file = join(folder, `${id}.ndjson`)
    writeFileSync(file, lines.join('\n'))
    const target = await engine.open()
    await importFile(target, file, [])
    const [review] = await target.read.selectFrom('reviews').select('payment_found').execute()
    expect(JSON.parse(String(review?.payment_found)).channel).toEqual({
      ...{ id: CHANNEL, transaction: FIRST, refunded: '7', isOpen: true },
    })
    const [claim] = await target.read.selectFrom('payment_claims').selectAll().execute()
    expect(claim).toMatchObject({ network: 'eip155:8453', transaction_id: FIRST, review_id: id })
    expect(await target.read.selectFrom('review_checks').selectAll().execute()).toHaveLength(1)
    const again: string[] = []
    await exportRecords(target, async (records) => void again.push(...records.map((one) => JSON.stringify(one))))
    expect(again).toEqual(lines)
  })
})
