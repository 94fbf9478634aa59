import { openStore } from '../../src/store/open.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { type Asked, askOnce, BesideBare } from '../rigs/beside-bare.ts'
import { hostEvidence, hostName, probeOf, routeOf } from '../rigs/data.ts'
import { ownServer } from '../rigs/own-server.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOST = hostName(0)
const PAGE = `/hosts/${HOST}`
const TILE = '/log/tile/0/000'
const TILE_WIDTH = 256
const HOW = { connections: 32, rounds: 61, roundMs: 100 } as const

/** What an agent's client sends, and the same without compression. */
const WAYS = [
  { name: 'gzip', headers: { accept: 'application/json', 'accept-encoding': 'gzip, deflate' } },
  { name: 'identity', headers: { accept: 'application/json' } },
] as const

/** Cached answers for an ordinary host page (25 routes, 450 entries), held against a bare server that sends the same. */
export async function rows({ folder, note }: BenchContext): Promise<BenchRow[]> {
  const dataDir = folder()
  const store = await openStore({ dataDir, databaseUrl: undefined })
  await saveEvidence(store, { ...NO_EVIDENCE, ...hostEvidence(HOST) })
  for (let n = 0; n < TILE_WIDTH; n += 1) await saveProbes(store, { probes: [probeOf(routeOf(HOST, 0), 0, 1000 + n)] })
  await store.close()
  const server = await ownServer(dataDir)
  await until(async () => (await fetch(`http://127.0.0.1:${server.port}${TILE}`)).status === 200)
  const beside = new BesideBare(note)
  const compare = (asked: Pick<Asked, 'what' | 'headers'> & Partial<Asked>): Promise<BenchRow> =>
    beside.compare(server.port, { ...HOW, paths: [PAGE], atLeast: 0.9, ...asked })
  const found: BenchRow[] = []
  try {
    for (const { name, headers } of WAYS) {
      const { etag } = await askOnce(server.port, PAGE, headers)
      found.push(await compare({ what: `cached host view, ${name}`, headers }))
      found.push(
        await compare({ what: `cached host view, 304, ${name}`, headers: { ...headers, 'if-none-match': etag } }),
      )
    }
    found.push(await compare({ what: 'tile of the evidence log, 8 kB', headers: {}, paths: [TILE], atLeast: 0.85 }))
  } finally {
    await beside.end()
    await server.stop()
  }
  return found
}

/** The log has everything within ten seconds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries === 100) throw new Error('the log does not grow')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
