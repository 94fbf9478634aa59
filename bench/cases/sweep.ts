import { sweepOnce } from '../../src/ingest/ingester.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { SweptMemory } from '../children/sweep-memory.ts'
import { bareCopy } from '../rigs/bare/bare-copy.ts'
import { child } from '../rigs/child.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { count, median, megabytes, perSecond, timed } from '../rigs/measure.ts'
import { PAGE } from '../rigs/sweep-items.ts'
import { SOURCE, sweepingAt } from '../rigs/sweeping.ts'
import type { Aim, BenchContext, BenchRow } from '../row.ts'

const ITEMS = 15_000
const ROUNDS = 3
/** Items whose rows the bare insert commits together. */
const BARE_BATCH = 1000
const FEW = 100_000
const MANY = 1_000_000

/** A sweep of a facilitator's list through the real door, a sweep where nothing changed, and the memory of a long one. */
export async function rows(context: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of context.engines) {
    context.note(`${ITEMS} items into ${engine.name}, ${ROUNDS} rounds`)
    found.push(...(await sweepRows(engine)))
  }
  return [...found, await memoryRow(context)]
}

async function sweepRows(engine: BenchEngine): Promise<BenchRow[]> {
  const server = child<{ items: number }, { port: number }>(new URL('../children/sweep-server.js', import.meta.url))
  const { port } = await server.ask({ items: ITEMS })
  const rounds: { first: number; again: number; bare: number }[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) rounds.push(await oneRound(engine, port))
  } finally {
    await server.end()
  }
  const row = (what: string, pick: (round: (typeof rounds)[number]) => number, aim: Aim): BenchRow => ({
    what: `${what} of ${count(ITEMS)} items, ${engine.name}`,
    measured: perSecond(median(rounds.map(pick))),
    limit: `${perSecond(median(rounds.map(({ bare }) => bare)))} bare insert of the same rows`,
    ratio: median(rounds.map((round) => pick(round) / round.bare)),
    aim,
  })
  return [
    row('first sweep', ({ first }) => first, { atLeast: 0.4 }),
    row('sweep again, nothing changed,', ({ again }) => again, { atLeast: 0.7 }),
  ]
}

async function oneRound(engine: BenchEngine, port: number) {
  const options = await engine.fresh()
  const store = await openStore(options)
  const first = await swept(store, port)
  const again = await swept(store, port)
  await store.close()
  const { ms } = await bareCopy(options, await engine.fresh(), ITEMS / BARE_BATCH)
  return { first, again, bare: ITEMS / (ms / 1000) }
}

async function swept(store: Store, port: number): Promise<number> {
  const { ms, value } = await timed(() => sweepOnce({ store, ...sweepingAt(port) }, SOURCE))
  if (value?.status !== 'complete' || value.stored !== ITEMS) throw new Error(`the sweep ended ${value?.status}`)
  return ITEMS / (ms / 1000)
}

/** Pages are not stored here: what grows would be the sweep's own. */
async function memoryRow({ note }: BenchContext): Promise<BenchRow> {
  const peak = async (items: number): Promise<number> => {
    note(`paging ${items} items`)
    const server = child<{ items: number }, { port: number }>(new URL('../children/sweep-server.js', import.meta.url))
    const sweeping = child<{ port: number }, SweptMemory>(new URL('../children/sweep-memory.js', import.meta.url))
    try {
      const { port } = await server.ask({ items })
      const { peakBytes, pages } = await sweeping.ask({ port })
      if (pages !== items / PAGE) throw new Error(`${pages} pages were read`)
      return peakBytes
    } finally {
      await server.end()
      await sweeping.end()
    }
  }
  const [few, many] = [await peak(FEW), await peak(MANY)]
  return {
    what: `peak memory paging ${count(MANY)} items`,
    measured: megabytes(many),
    limit: `${megabytes(few)} for ${count(FEW)}`,
    ratio: many / few,
    aim: { below: 2 },
  }
}
