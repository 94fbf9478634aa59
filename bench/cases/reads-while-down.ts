import { setTimeout as wait } from 'node:timers/promises'
import { openStore } from '../../src/store/open.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { child } from '../rigs/child.ts'
import { hostEvidence, hostName } from '../rigs/data.ts'
import type { Load, Loaded } from '../rigs/load/load.ts'
import { requestText, uncachedRequests } from '../rigs/load/requests.ts'
import { interleaved, perSecond } from '../rigs/measure.ts'
import { type OwnServer, ownServer } from '../rigs/own-server.ts'
import { silentBackend } from '../rigs/silent-backends.ts'
import { waitingPosts } from '../rigs/waiting-posts.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOST = hostName(0)
const PAYEE = '0x00000000000000000000000000000000000000AA'
/** On each of the two rails. */
const WAITING_EACH = 25
const WARM_UP_MS = 1000
/** More than are answered in a round or while warming up. */
const UNCACHED_REQUESTS = 2000
const STEP_MS = 50
const MOST_STEPS = 400

interface Reading {
  readonly what: string
  readonly connections: number
  readonly rounds: number
  readonly roundMs: number
  requests(): readonly string[]
}

/** An uncached view takes milliseconds: fewer at once, and rounds that hold many of them. */
const READINGS: readonly Reading[] = [
  { what: 'cached', connections: 32, rounds: 61, roundMs: 100, requests: () => [requestText(`/hosts/${HOST}`)] },
  {
    what: 'uncached',
    connections: 4,
    rounds: 21,
    roundMs: 500,
    requests: () => uncachedRequests(HOST, UNCACHED_REQUESTS),
  },
]

/** How fast a host is read while facilitator and nodes hang and posts wait for them, beside a server that nobody posts to. */
export async function rows({ folder, note }: BenchContext): Promise<BenchRow[]> {
  const [backend, mppNode] = [await silentBackend(), await silentBackend()]
  mppNode.fallSilent()
  const settings = {
    X402_PAY_TO: PAYEE,
    X402_NETWORKS: 'base-sepolia',
    X402_FACILITATOR_URL: backend.url,
    RPC_URLS: `eip155:84532=${backend.url}`,
    MPP_RECIPIENT: PAYEE,
    MPP_CURRENCY: '0x20c0000000000000000000000000000000000000',
    MPP_RPC_URL: mppNode.url,
    MPP_SECRET_KEY: 'a secret of at least thirty-two bytes',
  }
  const start = async (): Promise<OwnServer> => {
    const dataDir = folder()
    const store = await openStore({ dataDir, databaseUrl: undefined })
    await saveEvidence(store, { ...NO_EVIDENCE, ...hostEvidence(HOST) })
    await store.close()
    return ownServer(dataDir, settings)
  }
  const [busy, idle] = [await start(), await start()]
  const client = child<Load, Loaded>(new URL('../children/load-client.js', import.meta.url))
  const posts = await waitingPosts(busy.port, HOST, PAYEE, WAITING_EACH)
  try {
    await until(() => backend.settling() >= WAITING_EACH && posts.underWay() === 2 * WAITING_EACH)
    backend.fallSilent()
    const rate =
      (port: number, { requests, connections }: Reading, ms: number) =>
      async (): Promise<number> => {
        const request = requests()
        const loaded = await client.ask({ port, request, status: 200, connections, ms })
        if (request.length > 1 && loaded.answers > request.length) throw new Error('an answer came from the cache')
        return loaded.answers / (loaded.ms / 1000)
      }
    const found: BenchRow[] = []
    for (const reading of READINGS) {
      const { what, rounds, roundMs } = reading
      for (const { port } of [busy, idle]) await rate(port, reading, WARM_UP_MS)()
      const measure = (port: number) => rate(port, reading, roundMs)
      const { measured, limit, ratio } = await interleaved(rounds, measure(busy.port), measure(idle.port))
      note(`${what}: ${posts.underWay()} posts wait`)
      found.push({
        what: `${what} host view, payment backends down`,
        measured: perSecond(measured),
        limit: `${perSecond(limit)} no posts waiting`,
        ratio,
        aim: { atLeast: 0.9 },
      })
    }
    return found
  } finally {
    posts.stop()
    await client.end()
    await Promise.all([backend.stop(), mppNode.stop()])
    await Promise.all([busy.stop(), idle.stop()])
  }
}

async function until(isReached: () => boolean): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    if (isReached()) return
    await wait(STEP_MS)
  }
  throw new Error('the posts do not wait for their payments')
}
