import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore } from '../../src/store/open.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import { openBare } from '../rigs/bare/bare-insert.ts'
import { bareBatch } from '../rigs/bare/bare-rows.ts'
import { hostName, listingOf, probeOf, ROUTES_PER_HOST, routeOf } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { interleaved, perSecond, timed } from '../rigs/measure.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOSTS = 200
const BATCH = 1000
const BATCHES_PER_ROUND = 2
/** Many and short: what else the machine does then meets both sides alike. */
const ROUNDS = 25
const WARM_UP_ROUNDS = 3

/** Appending entries as a round of probes does: each batch holds a thousand routes of all hosts, once each. */
export async function rows({ engines, note }: BenchContext): Promise<BenchRow[]> {
  const found: BenchRow[] = []
  for (const engine of engines) {
    note(`batches of ${BATCH} entries into ${engine.name}, ${ROUNDS} rounds of ${BATCHES_PER_ROUND}`)
    const { measured, limit, ratio } = await appendRates(engine)
    found.push({
      what: `append probe entries, ${engine.name}`,
      measured: perSecond(measured),
      limit: `${perSecond(limit)} bare insert`,
      ratio,
      aim: { atLeast: 0.4 },
    })
  }
  return found
}

async function appendRates(engine: BenchEngine) {
  const store = await openStore(await engine.fresh())
  const bare = await openBare(
    await engine.fresh(),
    [...batchesFrom(0), ...batchesFrom(WARM_UP_ROUNDS + ROUNDS)].flat().map(atUs),
  )
  const routes = Array.from({ length: HOSTS }, (_, host) => routesOf(host)).flat()
  await saveListings(store, { listings: routes.map((route, n) => listingOf(route, n % ROUTES_PER_HOST)) })
  const rate = (ms: number): number => (BATCH * BATCHES_PER_ROUND) / (ms / 1000)
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
