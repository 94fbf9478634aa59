import { openStore } from '../../src/store/open.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { child } from '../rigs/child.ts'
import { hostEvidence, hostName } from '../rigs/data.ts'
import type { Load, Loaded } from '../rigs/load/load.ts'
import { requestText, uncachedRequests } from '../rigs/load/requests.ts'
import { interleaved, perSecond } from '../rigs/measure.ts'
import { ownServer } from '../rigs/own-server.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOST = hostName(0)
/** Pages that are made one after the other are waited for by few, or a short round would see none of them end. */
const HOW = {
  cached: { connections: 32, rounds: 31, roundMs: 200 },
  uncached: { connections: 4, rounds: 15, roundMs: 500 },
} as const
const WARM_UP_MS = 1000
const ADDRESSES = 5000

/**
 * Two web workers against one, for pages that are cached and pages that nobody has asked for. The client and both servers
 * share the machine's cores: what a second worker brings shows only where there are more of them than two.
 */
export async function rows({ engines }: BenchContext): Promise<BenchRow[]> {
  const client = child<Load, Loaded>(new URL('../children/load-client.js', import.meta.url))
  const found: BenchRow[] = []
  try {
    for (const engine of engines) {
      const options = await engine.fresh()
      const store = await openStore(options)
      await saveEvidence(store, { ...NO_EVIDENCE, ...hostEvidence(HOST) })
      await store.close()
      const set = options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }
      const start = (workers: number) => ownServer(options.dataDir, { ...set, WEB_WORKERS: String(workers) })
      const [two, one] = [await start(2), await start(1)]
      try {
        const cached = [requestText(`/hosts/${HOST}`)]
        found.push(await compare('cached', () => cached))
        found.push(await compare('uncached', () => uncachedRequests(HOST, ADDRESSES)))
      } finally {
        await two.stop()
        await one.stop()
      }

      async function compare(kind: keyof typeof HOW, requests: () => readonly string[]): Promise<BenchRow> {
        const { connections, rounds, roundMs } = HOW[kind]
        const what = `${kind} host view, 2 web workers, ${engine.name}`
        const sending = (port: number, ms: number): Promise<Loaded> =>
          client.ask({ port, request: requests(), status: 200, connections, ms })
        for (const { port } of [two, one]) await sending(port, WARM_UP_MS)
        const rate = (port: number) => async (): Promise<number> => {
          const { answers, ms } = await sending(port, roundMs)
          return answers / (ms / 1000)
        }
        const { measured, limit, ratio } = await interleaved(rounds, rate(two.port), rate(one.port))
        return { what, measured: perSecond(measured), limit: `${perSecond(limit)} 1 web worker`, ratio, aim: null }
      }
    }
  } finally {
    await client.end()
  }
  return found
}
