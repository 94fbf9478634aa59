import fc from 'fast-check'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aReview, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { OwnershipInput } from '../facts/ownership.ts'
import type { PayeeInput } from '../facts/payees.ts'
import { saveListings } from '../facts/save-listings.ts'
import { OUTCOME_COLUMNS } from '../hosts/outcome-columns.ts'
import type { Store } from '../store.ts'
import type { Evidence } from '../transfer/evidence.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'
import { reapplyFounders } from './founders.ts'
import type { ReviewInput } from './review-input.ts'

const wallet = (n: number): string => `0x${n.toString(16).padStart(40, 'a')}`
const HOSTS = ['a.example', 'b.example']

const review = fc
  .record({
    n: fc.nat(1_000_000),
    host: fc.constantFrom(...HOSTS),
    path: fc.constantFrom('/v1', '/v2'),
    by: fc.nat(4),
    payer: fc.nat(4),
    signedS: fc.nat(3),
    atUs: fc.nat(3),
    level: fc.constantFrom('Verified buyer' as const, 'Signed' as const),
    status: fc.constantFrom(undefined, null, 200, 500),
  })
  .map(({ n, host, path, by, payer, signedS, atUs, level, status }): ReviewInput => {
    const found = {
      asset: 'd',
      amount: '1',
      payee: 'p',
      atUs: NOON_US,
      isFinal: true,
      otherHosts: 0,
      hasReceipt: false,
    }
    return aReview({
      ...aRoute({ host, path }),
      id: `r${n}`,
      level,
      wallet: wallet(by).toUpperCase().replace('0X', '0x'),
      signedAt: `2026-11-14T12:00:0${signedS}Z`,
      submittedUs: NOON_US + atUs,
      outcome: status === undefined ? null : { httpStatus: status, latencyMs: 1, bytes: null, contentSha256: null },
      payment: level === 'Signed' ? null : { network: 'base', transaction: `0x${n}` },
      paymentFound: level === 'Signed' ? null : { ...found, payer: wallet(payer), logIndex: 0 },
    })
  })
const payee = fc.record({ host: fc.constantFrom(...HOSTS), by: fc.nat(4) }).map(
  ({ host, by }): PayeeInput => ({
    ...aRoute({ host, path: '/v1' }),
    network: 'base',
    payee: wallet(by),
    asset: null,
    origin: 'challenge',
    firstUs: 1,
    lastUs: 1,
  }),
)
const owner = fc.record({ host: fc.constantFrom(...HOSTS), by: fc.nat(4) }).map(
  ({ host, by }): OwnershipInput => ({
    host,
    signer: wallet(by),
    origin: `https://${host}`,
    proof: '0x1',
    firstUs: 1,
    lastUs: 1,
  }),
)
const pieces = fc.record({
  reviews: fc.uniqueArray(review, { maxLength: 14, selector: ({ id }) => id }),
  payees: fc.array(payee, { maxLength: 3 }),
  ownership: fc.array(owner, { maxLength: 2 }),
})

/** Everything that decides what counts, in a form that does not depend on time. */
async function standing(store: Store): Promise<unknown> {
  const rows = await store.read
    .selectFrom('reviews')
    .select(['host_id', 'review_id', 'level', 'excluded', 'superseded'])
    .orderBy('host_id')
    .orderBy('review_id')
    .execute()
  const counters = await store.read
    .selectFrom('host_counters')
    .select(['host_id', 'reviews', 'reviews_verified', 'reviews_signed', 'reviews_unsigned', 'reviews_excluded'])
    .select(OUTCOME_COLUMNS)
    .orderBy('host_id')
    .execute()
  const routes = await store.read
    .selectFrom('route_state')
    .select(['host_id', 'route_id', ...OUTCOME_COLUMNS])
    .orderBy('host_id')
    .orderBy('route_id')
    .execute()
  return { rows, counters, routes }
}

async function differences(store: Store): Promise<unknown[]> {
  const found: unknown[] = []
  await verifyStore(store, (one) => found.push(one))
  return found
}

onEachEngine('what reviews count for', (engine) => {
  const runs = engine.name === 'sqlite' ? 12 : 4

  it('does not depend on the order in which reviews, payees, claims and the founder list come', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), async (all, order) => {
        const listings = HOSTS.flatMap((host) => ['/v1', '/v2'].map((path) => aListing({ host, path })))
        const founders = [wallet(0)]
        const together = await engine.open()
        await saveEvidence(together, evidence({ listings, ...all }))
        await reapplyFounders(together, founders, NOON_US)

        const single: Evidence[] = [
          ...all.reviews.map((one) => evidence({ reviews: [one] })),
          ...all.payees.map((one) => evidence({ payees: [one] })),
          ...all.ownership.map((one) => evidence({ ownership: [one] })),
        ]
        const shuffled = single
          .map((one, index) => ({ one, key: order[index] ?? index }))
          .toSorted((a, b) => a.key - b.key)
        const apart = await engine.open()
        await saveListings(apart, { listings })
        for (const [index, { one }] of shuffled.entries()) {
          await saveEvidence(apart, one, { announceUs: NOON_US + index })
          if (index === 3) await reapplyFounders(apart, [wallet(1)], NOON_US)
        }
        await reapplyFounders(apart, founders, NOON_US)

        expect(await standing(apart)).toEqual(await standing(together))
        expect(await differences(apart)).toEqual([])
        expect(await differences(together)).toEqual([])
      }),
      { numRuns: runs },
    )
  }, 60_000)

  it('is found wrong by verify when a row is not what the others give', async () => {
    const store = await engine.open()
    const reviews = [
      aReview({ id: 'old', signedAt: '2026-11-14T12:00:00Z' }),
      aReview({ id: 'new', signedAt: '2026-11-14T12:00:01Z' }),
    ]
    await saveEvidence(store, evidence({ listings: [aListing()], reviews }))
    expect(await differences(store)).toEqual([])
    await store.write(async (writer) => {
      await writer.updateTable('reviews').set({ superseded: 0 }).where('review_id', '=', 'old').execute()
      await writer.updateTable('host_counters').set({ reviews_signed: 2 }).execute()
    })
    expect(await differences(store)).toMatchObject([{ what: 'review old superseded', stored: 0, counted: 1 }])
  })
})
