import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { found, openReviewing, someone } from '../../../test/support/reviewing.ts'
import { openStore } from '../../store/open.ts'
import { takeChecks } from '../../store/reviews/review-checks.ts'
import { verifyStore } from '../../store/transfer/verify.ts'

const PAID = { network: 'base', transaction: '0xabc' }
const DOWN = { kind: 'unknown', reason: 'the node for eip155:8453 does not answer' } as const
const GONE = { kind: 'none', reason: 'there is no such transaction on eip155:8453' } as const

onEachEngine('looking at payments again', (engine) => {
  async function paidReview() {
    const store = await engine.open()
    const world = await openReviewing(store)
    const account = someone()
    const send = async () => (await world.submit(await world.signedBy(account, { payment: PAID }))).review
    const now = async (id: string) => {
      const one = await world.reviews.find(id)
      return {
        level: one?.review.level,
        reason: one?.review.levelReason,
        isFinal: one?.review.paymentFound?.isFinal,
        events: one?.events.map(({ kind, data }) => [kind, data.from, data.to].filter(Boolean).join(' ')),
      }
    }
    const open = async () => (await store.read.selectFrom('review_checks').selectAll().execute()).length
    return { store, ...world, account, send, now, open }
  }

  it('raises a review when the node is back, and lowers it when the payment is reorganised away', async () => {
    const { store, proofs, account, send, now, recheck, open } = await paidReview()
    proofs.tell('0xabc', DOWN)
    const review = await send()
    expect(review).toMatchObject({ level: 'Signed', levelReason: `payment check pending: ${DOWN.reason}` })
    expect(await recheck()).toBe(1)
    expect(await now(review.id)).toMatchObject({ level: 'Signed', events: ['review'] })
    proofs.tell('0xabc', found('0xabc', account.address, [0], false))
    expect(await recheck()).toBe(1)
    expect(await now(review.id)).toMatchObject({ level: 'Verified buyer', reason: null, isFinal: false })
    // An outage does not lower.
    proofs.tell('0xabc', DOWN)
    await recheck()
    expect(await now(review.id)).toMatchObject({ level: 'Verified buyer', reason: null })
    proofs.tell('0xabc', GONE)
    await recheck()
    expect(await now(review.id)).toEqual({
      level: 'Signed',
      reason: GONE.reason,
      isFinal: undefined,
      events: ['review', 'review_level_changed Signed Verified buyer', 'review_level_changed Verified buyer Signed'],
    })
    expect(await open()).toBe(0)
    expect(await store.read.selectFrom('payment_claims').selectAll().execute()).toEqual([])
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })

  it('looks until the payment is final, and then never again', async () => {
    const { proofs, account, send, now, recheck, open } = await paidReview()
    proofs.tell('0xabc', found('0xabc', account.address, [4], false))
    const review = await send()
    expect(review).toMatchObject({ level: 'Verified buyer', paymentFound: { isFinal: false, logIndex: 4 } })
    await recheck()
    expect(await open()).toBe(1)
    proofs.tell('0xabc', found('0xabc', account.address, [2, 4], true))
    await recheck()
    expect(await now(review.id)).toMatchObject({ level: 'Verified buyer', isFinal: true })
    expect((await now(review.id)).events).toEqual(['review', 'review_payment_final'])
    expect(await open()).toBe(0)
    expect(await recheck()).toBe(0)
  })

  it('decides for one of two reviews that wait for the same transfer', async () => {
    const { proofs, account, send, submit, signedBy, now, recheck } = await paidReview()
    proofs.tell('0xabc', DOWN)
    const first = await send()
    const second = (await submit(await signedBy(account, { payment: PAID, rating: 1 }))).review
    proofs.tell('0xabc', found('0xabc', account.address))
    expect(await recheck()).toBe(2)
    const levels = [await now(first.id), await now(second.id)].map(({ level }) => level)
    expect(levels.toSorted()).toEqual(['Signed', 'Verified buyer'])
  })

  it('is done by one program at a time, and by another when that one died', async () => {
    const options = await engine.empty()
    const stores = [await openStore(options), await openStore(options)]
    const [here, there] = stores
    if (!here || !there) throw new Error('no store')
    try {
      const { proofs, submit, signedBy, clock } = await openReviewing(here)
      for (let n = 0; n < 6; n++) {
        proofs.tell(`0x${n}`, DOWN)
        await submit(await signedBy(someone(), { payment: { network: 'base', transaction: `0x${n}` } }))
      }
      clock.us += 60_000_000
      const taken = (
        await Promise.all([here, there, here, there].map((store) => takeChecks(store, clock.us, 1_000_000, 4)))
      ).flat()
      expect(taken.map(({ id }) => id).toSorted()).toEqual([...new Set(taken.map(({ id }) => id))].toSorted())
      expect(taken).toHaveLength(6)
      expect(await takeChecks(there, clock.us + 1_000_001, 1_000_000, 99)).toHaveLength(6)
    } finally {
      for (const store of stores) await store.close()
    }
  })
})
