import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import type { Listing } from '../listing.ts'
import { priceChanges, routeFacts } from './route-price.ts'
import { asking, offer, row } from './testing/rows.ts'

/** What three sources say of one route while each is swept three times; the middle one changes its mind, and back. */
const SAYING = {
  bazaar: [250_000, 250_000, 250_000],
  index: [10_000, 20_000, 10_000],
  seller: [100_000, 100_000, null],
} as const
type Source = keyof typeof SAYING

/** The rows after a complete sweep: what it names is seen now, what it does not is no longer named. */
function swept(rows: readonly Listing[], source: Source, price: number | null, nowUs: number): Listing[] {
  const isSame = (one: Listing): boolean => one.source === source && one.price === price
  const kept = rows.map((one) => {
    if (isSame(one)) return { ...one, lastUs: nowUs, goneUs: null }
    return one.source === source ? { ...one, goneUs: one.goneUs ?? nowUs } : one
  })
  if (price === null || kept.some(isSame)) return kept
  return [...kept, row({ source, price, firstUs: nowUs, lastUs: nowUs })]
}

// 10,000 runs: `expect` would be half of their time.
describe('10,000 random orders of sweeps over sources that disagree', () => {
  const turns: Source[] = ['bazaar', 'index', 'seller', 'bazaar', 'index', 'seller', 'bazaar', 'index', 'seller']
  const orders = fc.shuffledSubarray(
    turns.map((source, at) => ({ source, at })),
    { minLength: turns.length },
  )

  it('end with one price, and announce what a source said differently, by its name, and nothing else', () => {
    fc.assert(
      fc.property(orders, fc.constantFrom(null, asking(offer({ price: 250_000 }))), (order, challenge) => {
        const count = { bazaar: 0, index: 0, seller: 0 }
        const said: string[] = []
        let rows: readonly Listing[] = []
        order.forEach(({ source }, at) => {
          const after = swept(rows, source, SAYING[source][count[source]++] ?? null, 100 + at)
          said.push(...priceChanges(rows, after).map(({ source, from, to }) => `${source} ${from} to ${to}`))
          rows = after
        })
        deepStrictEqual(routeFacts('x402', rows, challenge), {
          price: challenge === null ? 10_000 : 250_000,
          network: 'base',
          probeStatus: challenge === null ? 'unverified' : 'verified',
          spread: { low: 10_000, high: 250_000 },
          matching: null,
        })
        deepStrictEqual(said, ['index 10000 to 20000', 'index 20000 to 10000'])
      }),
      { numRuns: 10_000 },
    )
  })
})

/** What a source says in one complete sweep: a price on each network that it names. */
type Saying = Readonly<Record<string, number | null>>

function sweptWhole(rows: readonly Listing[], source: string, said: Saying, nowUs: number): Listing[] {
  const isSaid = (one: Listing): boolean =>
    one.source === source && one.network !== null && Object.hasOwn(said, one.network) && said[one.network] === one.price
  const kept = rows.map((one) => {
    if (isSaid(one)) return { ...one, lastUs: nowUs, goneUs: null }
    return one.source === source ? { ...one, goneUs: one.goneUs ?? nowUs } : one
  })
  const opened = Object.entries(said).filter(
    ([network, price]) => !kept.some((one) => one.source === source && one.network === network && one.price === price),
  )
  return [...kept, ...opened.map(([network, price]) => row({ source, network, price, firstUs: nowUs, lastUs: nowUs }))]
}

describe('whatever sources say, sweep by sweep', () => {
  const saying: fc.Arbitrary<Saying> = fc.dictionary(
    fc.constantFrom('base', 'solana', 'base-sepolia'),
    fc.constantFrom(null, 1, 2, 3),
    { maxKeys: 3 },
  )
  const sayings = fc.array(saying, { minLength: 1, maxLength: 4 })
  const world = fc.record({ a: sayings, b: sayings, c: sayings }).chain((said) => {
    const turns = Object.entries(said).flatMap(([source, all]) => all.map(() => source))
    const order = fc.shuffledSubarray(turns, { minLength: turns.length })
    return fc.tuple(fc.constant(said), order, order)
  })

  /** Sweeps them in one order; every announcement is held to the rows that the sweep changed. */
  function sweepAll(said: Readonly<Record<string, readonly Saying[]>>, order: readonly string[]): Listing[] {
    const count = new Map<string, number>()
    let rows: Listing[] = []
    order.forEach((source, at) => {
      const turn = count.get(source) ?? 0
      count.set(source, turn + 1)
      const after = sweptWhole(rows, source, said[source]?.[turn] ?? {}, 100 + at)
      for (const change of priceChanges(rows, after)) {
        const opened = after.find(
          (one) => one.source === change.source && one.network === change.network && one.price === change.to,
        )
        const before = rows.find(
          (one) => one.source === change.source && one.network === change.network && one.price === change.to,
        )
        deepStrictEqual([change.source, opened?.goneUs ?? null], [source, null])
        deepStrictEqual(before === undefined || typeof before.goneUs === 'number', true)
      }
      rows = after
    })
    return rows
  }

  it('the price is the same in whatever order they are swept, and nothing is announced without a row that opened', () => {
    fc.assert(
      fc.property(world, fc.constantFrom(null, asking(offer({ price: 2 }))), ([said, order, other], challenge) => {
        const [one, same] = [order, other].map((turns) => routeFacts('x402', sweepAll(said, turns), challenge))
        deepStrictEqual(same, one)
      }),
      { numRuns: 10_000 },
    )
  })
})
