import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore } from '../../src/store/open.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import { openBare } from '../rigs/bare/bare-insert.ts'
import { bareBatch } from '../rigs/bare/bare-rows.ts'
import { hostName, listingOf, probeOf, ROUTES_PER_HOST, routeOf } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { type Compared, interleaved, perSecond, timed } from '../rigs/measure.ts'
import type { Aim, BenchContext, BenchRow } from '../row.ts'

const HOSTS = 200
const BATCH = 1000
const BATCHES_PER_ROUND = 2
const SINGLES_PER_ROUND = 40
/** Many and short: what else the machine does then meets both sides alike. */
const ROUNDS = 25
const WARM_UP_ROUNDS = 3

/** What is saved in one transaction each. */
type BatchesFrom = (round: number) => ProbeInput[][]

/** Appending entries as a round of probes does: each batch holds a thousand routes of all hosts, once each. And one at a time. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) {
    note(`batches of ${BATCH} entries into ${engine.name}, ${ROUNDS} rounds of ${BATCHES_PER_ROUND}`)
    found.push(rowOf(`append probe entries, ${engine.name}`, await appendRates(engine, batchesFrom), { atLeast: 0.4 }))
    note(`single entries into ${engine.name}, ${ROUNDS} rounds of ${SINGLES_PER_ROUND}`)
    found.push(rowOf(`append one entry at a time, ${engine.name}`, await appendRates(engine, singlesFrom)))
  }
  return found
}

const rowOf = (what: string, { measured, limit, ratio }: Compared, aim: Aim | null = null): BenchRow => ({
  what,
  measured: perSecond(measured),
  limit: `${perSecond(limit)} bare insert`,
  ratio,
  aim,
})

async function appendRates(engine: BenchEngine, batchesFrom: BatchesFrom) {
  const store = await openStore(await engine.fresh())
  const bare = await openBare(
    await engine.fresh(),
    [...batchesFrom(0), ...batchesFrom(WARM_UP_ROUNDS + ROUNDS)].flat().map(atUs),
  )
  const perRound = batchesFrom(0).flat().length
  const routes = Array.from({ length: HOSTS }, (_, host) => routesOf(host)).flat()
  await saveListings(store, { listings: routes.map((route, n) => listingOf(route, n % ROUTES_PER_HOST)) })
  const rate = (ms: number): number => perRound / (ms / 1000)
  let [ours, theirs] = [0, 0]
  const append = async (): Promise<number> => {
    const batches = batchesFrom(ours++)
    const { ms } = await timed(async () => {
      for (const probes of batches) await saveProbes(store, { probes })
    })
    return rate(ms)
  }
  const insert = async (): Promise<number> => {
    const batches = batchesFrom(theirs++).map((probes) => bareBatch([], probes))
    const { ms } = await timed(async () => {
      for (const batch of batches) await bare.insert(batch)
    })
    return rate(ms)
  }
  await interleaved(WARM_UP_ROUNDS, append, insert)
  const compared = await interleaved(ROUNDS, append, insert)
  await store.close()
  await bare.close()
  return compared
}

const atUs = (probe: ProbeInput): number => probe.atUs
const routesOf = (host: number) => Array.from({ length: ROUTES_PER_HOST }, (_, n) => routeOf(hostName(host), n))

/** The batches of one round. Batch `b` probes the routes whose number is `b` modulo five, so all are due every fifth. */
function batchesFrom(round: number): ProbeInput[][] {
  return Array.from({ length: BATCHES_PER_ROUND }, (_, index) => {
    const batch = round * BATCHES_PER_ROUND + index
    const every = (HOSTS * ROUTES_PER_HOST) / BATCH
    return Array.from({ length: HOSTS }, (_, host) => routesOf(host)).flatMap((routes) =>
      routes.flatMap((route, n) => (n % every === batch % every ? [probeOf(route, n, Math.floor(batch / every))] : [])),
    )
  })
}

/** One entry each, of one route after the other. */
const singlesFrom: BatchesFrom = (round) =>
  Array.from({ length: SINGLES_PER_ROUND }, (_, index) => {
    const entry = round * SINGLES_PER_ROUND + index
    const [host, n] = [entry % HOSTS, Math.floor(entry / HOSTS) % ROUTES_PER_HOST]
    return [probeOf(routeOf(hostName(host), n), n, Math.floor(entry / (HOSTS * ROUTES_PER_HOST)))]
  })
