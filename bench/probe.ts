import { Agent, request } from 'undici'
import { createEgress, parseConnectTo } from '../src/probe/egress.ts'
import { createProber } from '../src/probe/prober.ts'
import { DEFAULT_PROBER } from '../src/probe/settings.ts'
import { NO_EVIDENCE } from '../src/store/evidence.ts'
import { openStore } from '../src/store/open.ts'
import { countDue, makeDue } from '../src/store/round.ts'
import { saveEvidence } from '../src/store/save.ts'
import type { Store } from '../src/store/store.ts'
import { type Blackbox, startBlackbox } from './blackbox.ts'
import { child } from './child.ts'
import { listingOf } from './data.ts'
import type { BenchEngine } from './engines.ts'
import { median, perSecond, timed } from './measure.ts'
import type { BenchContext, BenchRow } from './row.ts'

const HOSTS = 500
const ROUTES = 10
const PROBES = HOSTS * ROUTES
const ROUNDS = 5
/** Calls under way at once, on every side. */
const CONCURRENCY = 64
const DAY_US = 86_400_000_000

/** Probes from claim to stored entry, against sellers that answer in 5 ms; every call has a connection of its own. */
export async function rows({ engines, note, folder }: BenchContext): Promise<BenchRow[]> {
  const sellers = child<object, { port: number }>(new URL('./probe-sellers.js', import.meta.url))
  const blackbox = await startBlackbox(folder())
  try {
    const { port } = await sellers.ask({})
    const found: BenchRow[] = []
    for (const engine of engines) {
      note(`${PROBES} probes into ${engine.name}, ${ROUNDS} rounds`)
      found.push(...(await probeRows(engine, port, blackbox)))
    }
    return found
  } finally {
    await blackbox?.end()
    await sellers.end()
  }
}

async function probeRows(engine: BenchEngine, port: number, blackbox: Blackbox | null): Promise<BenchRow[]> {
  const store = await openStore(await engine.fresh())
  const probe = await probing(store, port)
  const rounds: { ours: number; bare: number; exporter: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await bareRate(port)
    const ours = await probe(round + 1)
    const exporter = (await blackbox?.rate(`http://127.0.0.1:${port}/v1/x`, CONCURRENCY)) ?? Number.NaN
    rounds.push({ ours, bare, exporter })
  }
  await store.close()
  const row = (limit: string, theirs: (round: (typeof rounds)[number]) => number, atLeast: number): BenchRow => ({
    what: `probe and store, ${engine.name}`,
    measured: perSecond(median(rounds.map(({ ours }) => ours))),
    limit: `${perSecond(median(rounds.map(theirs)))} ${limit}`,
    ratio: median(rounds.map((round) => round.ours / theirs(round))),
    aim: { atLeast },
  })
  const toExporter = row('blackbox_exporter', ({ exporter }) => exporter, 1.5)
  const missing = { ...toExporter, limit: 'blackbox_exporter or wrk not installed', aim: null }
  return [row('bare request', ({ bare }) => bare, 0.6), blackbox === null ? missing : toExporter]
}

/** A prober on a filled store; each call probes everything once and gives the rate. */
async function probing(store: Store, port: number): Promise<(day: number) => Promise<number>> {
  const listings = Array.from({ length: PROBES }, (_, n) => {
    const path = `/v1/${Math.floor(n / HOSTS)}`
    return listingOf({ host: `h${n % HOSTS}.example`, scheme: 'http', method: 'GET', path, rail: 'x402' }, n)
  })
  await saveEvidence(store, { ...NO_EVIDENCE, listings })
  let aheadUs = 0
  const nowUs = (): number => Date.now() * 1000 + aheadUs
  const log = { info: () => undefined, warn: console.error, error: console.error }
  const connectTo = parseConnectTo(`*.example:80:127.0.0.1:${port}`)
  const prober = createProber(
    { store, egress: createEgress({ connectTo, userAgent: 'tollbook-bench' }), nowUs, log, name: 'bench' },
    { ...DEFAULT_PROBER, manners: { gapMs: 0, optOut: [] }, concurrency: CONCURRENCY, routesPerTurn: ROUTES },
  )
  const never = new AbortController().signal
  const scope = () => ({ cutoffUs: nowUs(), hostIds: null })
  await prober.enrolAll(never)
  // Reads every robots.txt, so that the rounds measure probes alone.
  await prober.round(scope(), never)
  const hosts = await store.read.selectFrom('hosts').select('host_id').execute()
  return async (round) => {
    aheadUs = (round * DAY_US) / (ROUNDS + 2)
    await makeDue(
      store,
      hosts.map((host) => host.host_id),
      nowUs(),
    )
    const due = await countDue(store, scope())
    if (due !== PROBES) throw new Error(`${due} routes are due`)
    const { ms } = await timed(() => prober.round(scope(), never))
    return PROBES / (ms / 1000)
  }
}

/** The least that a client does: a new connection, the question, the whole answer. */
async function bareRate(port: number): Promise<number> {
  const agent = new Agent({ connections: CONCURRENCY, pipelining: 0 })
  let left = PROBES
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const { body } = await request(`http://127.0.0.1:${port}/v1/x`, { dispatcher: agent, reset: true })
      await body.arrayBuffer()
    }
  }
  const { ms } = await timed(() => Promise.all(Array.from({ length: CONCURRENCY }, work)))
  await agent.close()
  return PROBES / (ms / 1000)
}
