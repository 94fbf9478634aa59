import { describe, expect, it } from 'vitest'
import type { PagedSource } from '../source.ts'
import { bazaar } from '../sources/bazaar.ts'
import { MemoryStore } from '../testing/memory-store.ts'
import { type Manners, MOVES, type Move, MovingList, type Random, randomOf } from '../testing/moving-list.ts'
import { sweepingWith } from '../testing/sweeping.ts'
import { sweep } from './sweep.ts'

/** `SWEEP_RUNS=100000 npx vitest run src/ingest/sweep/moving-list.test.ts` is the long run. */
const RUNS = Number(process.env.SWEEP_RUNS ?? 1_000)
const SEED = Number(process.env.SWEEP_SEED ?? 402)

/** Far below the usual length: what matters is how many pages there are. */
const PAGE = 5
const SOURCE: PagedSource = {
  shape: 'pages',
  name: 'test',
  pageSize: PAGE,
  pageUrl: (offset, limit = PAGE) => bazaar.pageUrl('http://facilitator.example', offset, limit),
  paging: bazaar.paging,
  parse: bazaar.parse,
}

const LENGTHS = [0, 1, 4, 5, 6, 12, 20, 48]

/** One, two or all kinds of moves, seldom or often. */
function mannersOf(random: Random): Manners {
  const pick = <T>(...values: [T, ...T[]]): T => values[Math.floor(random() * values.length)] ?? values[0]
  const one = pick<Move>(...MOVES)
  return {
    isFlooring: random() < 0.5,
    // It never changes by a whole page at once.
    most: pick(5, 5, 50, 3),
    saysLimit: random() < 0.7,
    saysTotal: random() < 0.85,
    moves: pick<readonly Move[]>([one], [one, pick<Move>(...MOVES)], MOVES),
    chance: pick(0.05, 0.2, 0.6),
  }
}

/** The numbers of the items that were seen since then. */
const seenIn = (store: MemoryStore, sinceUs: number): Set<number> =>
  new Set(
    [...store.rows].flatMap(([key, { lastUs }]) => (lastUs >= sinceUs ? [Number(/\/v1\/(\d+)/.exec(key)?.[1])] : [])),
  )

describe('a list that moves while it is read', () => {
  it(
    'is called complete only when nothing that stood in it throughout is missing',
    async () => {
      const statuses: Record<string, number> = {}
      for (let run = 0; run < RUNS; run += 1) {
        const random = randomOf(SEED + run * 7_919)
        const manners = mannersOf(random)
        const length = LENGTHS[run % LENGTHS.length] ?? 0
        const list = new MovingList(
          Array.from({ length }, (_, number) => number),
          manners,
          random,
        )
        const store = new MemoryStore()
        const surroundings = sweepingWith(store, list.fetch)
        // Some are interrupted on the way and go on.
        const limits = random() < 0.3 ? { sweepBytes: 3_000, saveRows: 1 } : {}
        // Some are not the first.
        if (random() < 0.3) await sweep(SOURCE, surroundings)
        list.watch()
        let outcome = await sweep(SOURCE, { ...surroundings, limits })
        for (let again = 0; again < 40 && outcome.error === 'sweep_bytes'; again += 1) {
          outcome = await sweep(SOURCE, { ...surroundings, limits })
        }
        statuses[outcome.status] = (statuses[outcome.status] ?? 0) + 1
        if (outcome.status !== 'complete') continue
        const seen = seenIn(store, outcome.startedUs)
        const missing = [...list.throughout].filter((number) => !seen.has(number))
        if (missing.length > 0)
          expect.fail(`run ${run} of seed ${SEED} misses ${missing.length}: ${JSON.stringify(manners)}`)
      }
      // It is no use to call nothing complete.
      expect(statuses.complete).toBeGreaterThan(RUNS / 2)
    },
    60_000 + RUNS * 60,
  )

  it('is read by whole pages where its pages are whole', async () => {
    for (let run = 0; run < 100; run += 1) {
      const random = randomOf(SEED + run)
      const manners = { ...mannersOf(random), isFlooring: true, most: PAGE, saysTotal: true }
      const list = new MovingList(
        Array.from({ length: 32 }, (_, number) => number),
        manners,
        random,
      )
      await sweep(SOURCE, sweepingWith(new MemoryStore(), list.fetch))
      expect(list.offsets.filter((offset) => offset % PAGE !== 0)).toEqual([])
    }
  })
})
