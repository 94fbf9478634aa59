import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore } from '../../src/store/open.ts'
import { NO_VANTAGE_ID } from '../../src/store/probes/vantages.ts'
import { isAnyLeft, makeDue } from '../../src/store/schedule/round.ts'
import type { RoundQuestion } from '../children/prober.ts'
import { type Blackbox, startBlackbox } from '../rigs/blackbox.ts'
import { child } from '../rigs/child.ts'
import { listingOf } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { median, perSecond, timed } from '../rigs/measure.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOSTS = 500
const ROUTES = 10
const PROBES = HOSTS * ROUTES
const ROUNDS = 5
/** Calls under way at once, of each client. */
const CONCURRENCY = 64
/** One for each of two cores: probers share what is due. The exporter uses both cores too. */
const PROBERS = 2
const HOUR_US = 3_600_000_000
/** How often the store is asked whether everything is in it. */
const POLL_MS = 20

/** Probes from claim to stored entry, against sellers that answer in 5 ms; every call has a connection of its own. */
export async function rows({ engines, note, folder }: BenchContext): Promise<BenchRow[]> {
  const sellers = child<object, { port: number }>(new URL('../children/probe-sellers.js', import.meta.url))
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

interface Round {
  readonly one: number
  readonly both: number
  readonly bare: number
  readonly exporter: number
}

async function probeRows(engine: BenchEngine, port: number, blackbox: Blackbox | null): Promise<BenchRow[]> {
  const probers = await startProbers(engine, port)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await bareRate(port),
      one: await probers.rate(1),
      both: await probers.rate(PROBERS),
      exporter: (await blackbox?.rate(`http://127.0.0.1:${port}/v1/x`, CONCURRENCY)) ?? Number.NaN,
    })
  }
  await probers.end()
  const row = (ours: 'one' | 'both', theirs: 'bare' | 'exporter', atLeast: number | null): BenchRow => ({
    what: `probe and store with ${ours === 'one' ? '1 prober' : `${PROBERS} probers`}, ${engine.name}`,
    measured: perSecond(median(rounds.map((round) => round[ours]))),
    limit: limitText(theirs, median(rounds.map((round) => round[theirs]))),
    ratio: median(rounds.map((round) => round[ours] / round[theirs])),
    aim: atLeast === null ? null : { atLeast },
  })
  return [row('one', 'bare', null), row('both', 'bare', 0.9), row('both', 'exporter', blackbox === null ? null : 2)]
}

const limitText = (theirs: 'bare' | 'exporter', rate: number): string =>
  theirs === 'bare'
    ? `${perSecond(rate)} bare request`
    : Number.isNaN(rate)
      ? 'blackbox_exporter or wrk not installed'
      : `${perSecond(rate)} blackbox_exporter`

/** Probers in processes of their own on one filled store; each measurement probes everything once. */
async function startProbers(engine: BenchEngine, port: number) {
  const options = await engine.fresh()
  const store = await openStore(options)
  const listings = Array.from({ length: PROBES }, (_, n) => {
    const path = `/v1/${Math.floor(n / HOSTS)}`
    return listingOf({ host: `h${n % HOSTS}.example`, scheme: 'http', method: 'GET', path, rail: 'x402' }, n)
  })
  await saveListings(store, { listings })
  const hosts = await store.read.selectFrom('hosts').select('host_id').execute()
  const ids = hosts.map((host) => host.host_id)
  const probers = Array.from({ length: PROBERS }, () =>
    child<RoundQuestion, object>(new URL('../children/prober.js', import.meta.url)),
  )
  let rounds = 0
  const rate = async (count: number): Promise<number> => {
    // Half an hour later each time: leases are over, nothing is due by itself.
    const cutoffUs = Date.now() * 1000 + (rounds++ * HOUR_US) / 2
    await makeDue(store, NO_VANTAGE_ID, ids, cutoffUs)
    const { ms, value } = await timed(async () => {
      const question = { options, port, concurrency: CONCURRENCY, routesPerTurn: ROUTES, cutoffUs }
      const rounds = probers.slice(0, count).map((prober, n) => prober.ask({ ...question, name: `bench-${n}` }))
      const scope = { vantageId: NO_VANTAGE_ID, cutoffUs, hostIds: null }
      while (await isAnyLeft(store, scope, Number.MAX_SAFE_INTEGER)) await delay(POLL_MS)
      return { rounds }
    })
    await Promise.all(value.rounds)
    return PROBES / (ms / 1000)
  }
  // Reads every robots.txt and warms both up, so that the rounds measure probes alone.
  for (let warming = 0; warming < 3; warming++) await rate(PROBERS)
  return {
    rate,
    end: async () => {
      for (const prober of probers) await prober.end()
      await store.close()
    },
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
