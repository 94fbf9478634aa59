import type { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { planOf } from '../../../test/support/plans.ts'
import { found, openReviewing, PAYEE, someone } from '../../../test/support/reviewing.ts'
import { aChallenge, aListing, aProbe, aRoute } from '../../../test/support/samples.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { openStore } from '../../store/open.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import { decideReview } from '../../store/reviews/decide-review.ts'
import { takeChecks } from '../../store/reviews/review-checks.ts'
import type { Writer } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
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

  it('is done once more when somebody is first seen to be paid for the route, whoever says so', async () => {
    const { store, clock, proofs, account, send, now, recheck, open } = await paidReview()
    const none = { kind: 'none', reason: 'the transaction pays nobody who was seen to be paid for this route' } as const
    proofs.tell('0xabc', none)
    const review = await send()
    const paidTo = (payee: string, more: object = {}) => ({
      ...{ ...aRoute(), network: 'base', payee, asset: null, origin: 'challenge' as const },
      ...{ firstUs: clock.us, lastUs: clock.us, ...more },
    })
    const [one, two, three] = [someone(), someone(), someone()].map(({ address }) => address)
    if (!one || !two || !three) throw new Error('nobody')
    // Of another route, or known already: nothing has changed for this one.
    await saveListings(store, { listings: [], payees: [paidTo(one, { path: '/v1/users/me' }), paidTo(PAYEE)] })
    expect(await open()).toBe(0)
    await saveProbes(store, { probes: [], payees: [paidTo(one)] })
    expect([await open(), await recheck(), await open()]).toEqual([1, 1, 0])
    await saveProbes(store, { probes: [], payees: [paidTo(one, { lastUs: clock.us + 9 })] })
    expect(await open()).toBe(0)
    // What is learnt while somebody looks is looked at after that.
    await saveListings(store, { listings: [], payees: [paidTo(two)] })
    const [taken] = await takeChecks(store, clock.us, 120_000_000, 1)
    await saveListings(store, { listings: [], payees: [paidTo(three, { origin: 'split' })] })
    if (!taken) throw new Error('nothing was due')
    await decideReview(store, taken, none, clock.us)
    expect((await now(review.id)).events).toEqual(['review'])
    proofs.tell('0xabc', found('0xabc', account.address))
    expect(await recheck()).toBe(1)
    expect(await now(review.id)).toMatchObject({ level: 'Verified buyer', reason: null })
    const four = paidTo(someone().address)
    await saveListings(store, { listings: [], payees: [four] })
    expect(await open()).toBe(0)
    expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  })

  it('is done once more when another price is seen for the route, where the payment was less than the price', async () => {
    const { store, clock, proofs, account, send, now, recheck, open } = await paidReview()
    const asks = (price: number, path?: string) => {
      const probe = aProbe({ ...(path && { path }), atUs: clock.us, challenge: aChallenge(price) })
      return saveProbes(store, { probes: [probe] })
    }
    await saveListings(store, { listings: [aListing({ path: '/other' }), aListing()] })
    proofs.tell('0xabc', { kind: 'none', reason: 'the payment is smaller than the price at that time, 0.250000' })
    const review = await send()
    await asks(70_000, '/other')
    expect(await open()).toBe(0)
    await asks(80_000)
    expect([await open(), await recheck(), await open()]).toEqual([1, 1, 0])
    await asks(80_000)
    expect(await open()).toBe(0)
    await saveListings(store, { listings: [aListing({ source: 'other', price: 3 })] })
    expect(await open()).toBe(1)
    proofs.tell('0xabc', found('0xabc', account.address))
    await recheck()
    expect(await now(review.id)).toMatchObject({ level: 'Verified buyer', reason: null })
    await asks(60_000)
    expect(await open()).toBe(0)
  })

  it('costs a save of payees nothing where a host has no reviews, and little where nobody is new', async () => {
    const { store, clock, proofs, send } = await paidReview()
    const asked: CompiledQuery[] = []
    const heard = (writer: Writer): Writer =>
      new Proxy(writer, {
        get: (target, name) => {
          if (name === 'executeQuery') {
            return (query: CompiledQuery) => {
              asked.push(query)
              return target.executeQuery(query)
            }
          }
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    const watched: Store = { ...store, write: (work) => store.write((writer) => work(heard(writer))) }
    const payee = { ...aRoute(), network: 'base', asset: null, origin: 'listing', firstUs: clock.us } as const
    const save = async (address: string) => {
      asked.length = 0
      await saveListings(watched, { listings: [], payees: [{ ...payee, payee: address, lastUs: clock.us }] })
      return {
        known: asked.filter(({ sql }) => sql.includes('v.shares')),
        waiting: asked.filter(({ sql }) => sql.includes('payment_transaction is not null')),
      }
    }
    expect(await save(someone().address)).toEqual({ known: [], waiting: [] })
    proofs.tell('0xabc', { kind: 'none', reason: 'nothing' })
    await send()
    expect(await save(PAYEE)).toMatchObject({ known: [{}], waiting: [] })
    const { known, waiting } = await save(someone().address)
    const plans = await Promise.all([...known, ...waiting].map((query) => planOf(store, query)))
    expect(plans).toEqual([
      expect.stringMatching(/payees_pkey|SEARCH p USING PRIMARY KEY/),
      expect.stringMatching(/reviews_by_|SEARCH r USING PRIMARY KEY/),
    ])
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
