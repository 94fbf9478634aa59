import { expect, it } from 'vitest'
import type { Exclusion } from '../src/domain/review.ts'
import type { PayeeInput } from '../src/store/facts/payees.ts'
import { saveListings } from '../src/store/facts/save-listings.ts'
import { reapplyFounders } from '../src/store/reviews/founders.ts'
import type { ReviewInput } from '../src/store/reviews/review-input.ts'
import type { Store } from '../src/store/store.ts'
import { saveEvidence } from '../src/store/transfer/save-evidence.ts'
import { verifyStore } from '../src/store/transfer/verify.ts'
import { onEachEngine } from './support/engines.ts'
import { aListing, aReview, aRoute, evidence, NOON_US } from './support/samples.ts'

// A synthetic market: sellers who also review themselves, founders, and honest buyers. Evidence comes in pieces, in two
// different orders; 10,000 wallets and 100 sellers in the long run.
const WALLETS = Number(process.env.MARKET_WALLETS ?? 400)
const SELLERS = Math.max(4, Math.min(100, Math.floor(WALLETS / 100)))
const FOUNDERS = 7
const BATCH = 500

const wallet = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`
const host = (n: number): string => `s${n}.example`

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

interface Market {
  readonly reviews: readonly ReviewInput[]
  readonly payees: readonly PayeeInput[]
  readonly founders: readonly string[]
  /** What is planted, by review. */
  readonly expected: ReadonlyMap<string, Exclusion | null>
}

/** Wallets 0 to FOUNDERS are founders', the next ones sellers' payees, three each; all others buy honestly. */
function market(): Market {
  const draw = numbers(42)
  const founders = Array.from({ length: FOUNDERS }, (_, n) => wallet(n))
  const payeeOf = (seller: number, n: number): number => FOUNDERS + seller * 3 + n
  const payees = Array.from({ length: SELLERS * 3 }, (_, index): PayeeInput => {
    const seller = Math.floor(index / 3)
    return {
      ...aRoute({ host: host(seller), path: index % 2 ? '/a' : '/b' }),
      network: 'base',
      payee: wallet(payeeOf(seller, index % 3)),
      asset: null,
      origin: index % 2 ? 'listing' : 'challenge',
      firstUs: NOON_US,
      lastUs: NOON_US,
    }
  })
  const expected = new Map<string, Exclusion | null>()
  const reviews = Array.from({ length: WALLETS * 2 }, (_, n): ReviewInput => {
    const by = n % WALLETS
    const ownSeller = by >= FOUNDERS ? Math.floor((by - FOUNDERS) / 3) : SELLERS
    const isPayee = ownSeller < SELLERS
    // A payee reviews its own host first and somebody else's, honestly, after that.
    const seller = isPayee && n < WALLETS ? ownSeller : Math.floor(draw() * SELLERS)
    const id = `m${n}`
    expected.set(id, by < FOUNDERS ? 'founder' : isPayee && seller === ownSeller ? 'self-generated' : null)
    return aReview({
      ...aRoute({ host: host(seller), path: draw() < 0.5 ? '/a' : '/b' }),
      id,
      level: draw() < 0.5 ? 'Verified buyer' : 'Signed',
      rating: 1 + Math.floor(draw() * 5),
      wallet: wallet(by),
      signedAt: `2026-11-14T12:00:${String(Math.floor(draw() * 60)).padStart(2, '0')}Z`,
      submittedUs: NOON_US + n,
    })
  })
  return { reviews, payees, founders, expected }
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const draw = numbers(seed)
  return items
    .map((item) => ({ item, key: draw() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

async function fill(store: Store, { reviews, payees, founders }: Market, seed: number): Promise<void> {
  const listings = Array.from({ length: SELLERS }, (_, n) =>
    ['/a', '/b'].map((path) => aListing({ host: host(n), path })),
  )
  await saveListings(store, { listings: listings.flat() })
  const [inOrder, money] = [shuffled(reviews, seed), shuffled(payees, seed + 1)]
  for (let at = 0; at < Math.max(inOrder.length, money.length); at += BATCH) {
    const share = Math.ceil((BATCH * payees.length) / reviews.length)
    const from = (at / BATCH) * share
    const batch = { reviews: inOrder.slice(at, at + BATCH), payees: money.slice(from, from + share) }
    await saveEvidence(store, evidence(batch), { announceUs: NOON_US + at })
  }
  await saveEvidence(store, evidence({ payees: money }), { announceUs: NOON_US })
  await reapplyFounders(store, founders, NOON_US)
}

onEachEngine('a market of many wallets', (engine) => {
  it('counts every honest review, no planted one, and the same in every order', async () => {
    const all = market()
    const totals: unknown[] = []
    for (const seed of [1, 2]) {
      const store = await engine.open()
      await fill(store, all, seed)
      const rows = await store.read.selectFrom('reviews').select(['review_id', 'excluded', 'level']).execute()
      const wrong = rows.filter((row) => row.excluded !== (all.expected.get(row.review_id) ?? null))
      expect(wrong).toEqual([])
      const asWritten = new Map(all.reviews.map(({ id, level }) => [id, level]))
      expect(rows.filter((row) => row.level !== asWritten.get(row.review_id))).toEqual([])
      const differences: unknown[] = []
      await verifyStore(store, (one) => differences.push(one))
      expect(differences).toEqual([])
      totals.push(
        await store.read
          .selectFrom('host_counters')
          .select(['host_id', 'reviews_verified', 'reviews_signed', 'reviews_excluded', 'reviews'])
          .orderBy('host_id')
          .execute(),
      )
    }
    expect(totals[1]).toEqual(totals[0])
    expect([...all.expected.values()].filter((one) => one === 'self-generated').length).toBeGreaterThanOrEqual(
      SELLERS * 3,
    )
  }, 600_000)
})
