import { join } from 'node:path'
import { inParallel } from '../../src/async/in-parallel.ts'
import { audit } from '../../src/log/audit/audit.ts'
import { Sequencer } from '../../src/log/sequencer.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore } from '../../src/store/open.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import type { Store } from '../../src/store/store.ts'
import { hostName, listingOf, probeOf, ROUTES_PER_HOST, routeOf } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { interleaved, milliseconds, perSecond, timed } from '../rigs/measure.ts'
import { ownServer } from '../rigs/own-server.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOSTS = 200
const BATCH = 1000
const ROUNDS = 15
const WARM_UP_ROUNDS = 3
const AUDITED_BATCHES = 20
const AUDITS = 5
/** As many requests as an audit has under way. */
const AT_ONCE = 4
const PROMISE_MS = 10_000
const ROUND_BATCHES = 100

/** What the evidence log costs those who write, and those who audit it. */
export async function rows(context: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of context.engines) found.push(await appends(context, engine), await logging(context, engine))
  return [...found, await auditing(context)]
}

const every = (HOSTS * ROUTES_PER_HOST) / BATCH
const routes = Array.from({ length: HOSTS }, (_, host) =>
  Array.from({ length: ROUTES_PER_HOST }, (_, n) => routeOf(hostName(host), n)),
).flat()

/** Batch `b` probes the routes whose number is `b` modulo five, as a round of probes does. */
const batchOf = (b: number): ProbeInput[] =>
  routes.flatMap((route, at) => {
    const n = at % ROUTES_PER_HOST
    return n % every === b % every ? [probeOf(route, n, Math.floor(b / every))] : []
  })

const sequencerOf = (store: Store, onGrown: (head: { readonly size: number }) => void = () => undefined): Sequencer =>
  new Sequencer({
    ...{ store, by: 'bench', nowUs: () => Date.now() * 1000, mayGrow: async () => true, onGrown },
    onTrouble: (error) => {
      throw error
    },
  })

async function appends({ note }: BenchContext, engine: BenchEngine): Promise<BenchRow> {
  note(`batches of ${BATCH} entries with the log and without, ${engine.name}, ${ROUNDS} rounds`)
  const [logged, plain] = [await openStore(await engine.fresh()), await openStore(await engine.fresh())]
  const listings = routes.map((route, at) => listingOf(route, at % ROUTES_PER_HOST))
  await saveListings(logged, { listings })
  await saveListings(plain, { listings }, { logging: 'off' })
  const sequencer = sequencerOf(logged)
  while ((await sequencer.step()) > 0);
  let [ours, theirs] = [0, 0]
  const rate = (ms: number): number => BATCH / (ms / 1000)
  const withLog = async (): Promise<number> => {
    const { ms } = await timed(() => saveProbes(logged, { probes: batchOf(ours++) }))
    const growing = await timed(async () => {
      while ((await sequencer.step()) > 0);
    })
    return rate(ms + growing.ms)
  }
  const without = async (): Promise<number> => {
    const { ms } = await timed(() => saveProbes(plain, { probes: batchOf(theirs++) }, { logging: 'off' }))
    return rate(ms)
  }
  await interleaved(WARM_UP_ROUNDS, withLog, without)
  const { measured, limit, ratio } = await interleaved(ROUNDS, withLog, without)
  await logged.close()
  await plain.close()
  return {
    what: `append probe entries with the evidence log, sequenced, ${engine.name}`,
    measured: perSecond(measured),
    limit: `${perSecond(limit)} without it`,
    ratio,
    aim: { atLeast: 0.85 },
  }
}

/** A full round of probes, saved as fast as the store takes it, while a sequencer runs as it does in the program. */
async function logging({ note }: BenchContext, engine: BenchEngine): Promise<BenchRow> {
  note(`from acknowledged to logged, ${ROUND_BATCHES} batches of ${BATCH} entries, ${engine.name}`)
  const store = await openStore(await engine.fresh())
  const acknowledged: number[] = []
  const waits: number[] = []
  let size = 0
  const look = (): void => {
    for (let at = waits.length; at < acknowledged.length && size >= HOSTS * (at + 1); at += 1)
      waits.push(Math.max(0, performance.now() - (acknowledged[at] ?? 0)))
  }
  const stopping = new AbortController()
  const running = sequencerOf(store, (head) => {
    size = head.size
    look()
  }).run(stopping.signal)
  for (let b = 0; b < ROUND_BATCHES; b += 1) {
    await saveProbes(store, { probes: batchOf(b) })
    acknowledged.push(performance.now())
    look()
  }
  while (waits.length < ROUND_BATCHES) await new Promise((resolve) => setTimeout(resolve, 20))
  stopping.abort()
  await running
  await store.close()
  const p99 = waits.toSorted((a, b) => a - b)[Math.ceil(0.99 * waits.length) - 1] ?? 0
  return {
    what: `acknowledged to logged under a full probe round, p99, ${engine.name}`,
    measured: milliseconds(p99),
    limit: `${milliseconds(PROMISE_MS)} promised`,
    ratio: p99 / PROMISE_MS,
    aim: { below: 1 },
  }
}

/** An audit of everything, beside asking for the same tiles, entries and pages and doing nothing with them. */
async function auditing({ folder, note }: BenchContext): Promise<BenchRow> {
  note(`audits of ${AUDITED_BATCHES * BATCH} entries beside reading the same bytes`)
  const dataDir = folder()
  const store = await openStore({ dataDir, databaseUrl: undefined })
  for (let b = 0; b < AUDITED_BATCHES; b += 1) await saveProbes(store, { probes: batchOf(b) })
  const sequencer = sequencerOf(store)
  while ((await sequencer.step()) > 0);
  await store.close()
  const server = await ownServer(dataDir)
  const baseUrl = `http://127.0.0.1:${server.port}`
  const rate = (ms: number): number => (AUDITED_BATCHES * BATCH) / (ms / 1000)
  try {
    const asked = new Set<string>()
    const listening: typeof globalThis.fetch = (input, init) => {
      asked.add(String(input))
      return globalThis.fetch(input, init)
    }
    const audited = async (): Promise<number> => {
      const { ms, value } = await timed(() => audit({ baseUrl, fetch: listening, folder: join(folder(), 'audit') }))
      if (value.differences.length > 0) throw new Error('the audit finds differences')
      return rate(ms)
    }
    const read = async (): Promise<number> => {
      const { ms } = await timed(() =>
        inParallel([...asked], AT_ONCE, undefined, async (url) => {
          await (await globalThis.fetch(url)).arrayBuffer()
        }),
      )
      return rate(ms)
    }
    await audited()
    const { measured, limit, ratio } = await interleaved(AUDITS, audited, read)
    return {
      what: 'audit of the evidence log, entries compared with every page',
      measured: perSecond(measured),
      limit: `${perSecond(limit)} reading the same bytes`,
      ratio,
      aim: { atLeast: 0.2 },
    }
  } finally {
    await server.stop()
  }
}
