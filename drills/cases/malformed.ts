import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { startTempo } from '../../sandbox/chain/tempo.ts'
import { inParallel } from '../../src/async/in-parallel.ts'
import { ENDPOINTS } from '../../src/http/endpoints.ts'
import { EXAMPLES } from '../../src/http/openapi/parameters.ts'
import { openStore } from '../../src/store/open.ts'
import { importFile } from '../../src/store/transfer/import.ts'
import { createDrill, info, kept, none } from '../drill.ts'
import { isReady, until } from '../rigs/asking.ts'
import { startMoney } from '../rigs/money.ts'
import { type RawAnswer, type RawRequest, sendRaw } from '../rigs/raw-request.ts'
import { startServe } from '../rigs/serve.ts'
import { spoiledRequests } from '../rigs/spoiled.ts'

const AT_ONCE = 4
const MINUTE_MS = 60_000

const LISTED = JSON.stringify({
  ...{ kind: 'listing', source: 'sample', method: 'GET', url: EXAMPLES.url, rail: 'x402', price: '0.010000' },
  ...{ network: 'base', label: 'directory-observed' },
  first_observed: '2026-11-01T00:00:00.000000Z',
  last_observed: '2026-11-14T00:00:00.000000Z',
})

export const malformed = createDrill({
  about: 'every route with malformed, too large, wrong type, wrong method and duplicate keys',
  mostS: 900,
  full: { percent: 100, extra: 40 },
  small: { percent: 3, extra: 1 },
  run: async ({ sizes: { percent, extra }, random, folder, progress }) => {
    const place = folder()
    const [money, tempo] = await Promise.all([startMoney(), startTempo()])
    const till = money.till()
    const file = `${place}/listed.ndjson`
    writeFileSync(file, `${LISTED}\n`)
    const store = await openStore({ dataDir: `${place}/data`, databaseUrl: undefined })
    await importFile(store, file, [])
    await store.close()
    const served = await startServe({
      ...{ DATA_DIR: `${place}/data`, LOG_LEVEL: 'error', ...till.env },
      ...{ MPP_RECIPIENT: EXAMPLES.wallet, MPP_CURRENCY: tempo.currency, MPP_RPC_URL: tempo.url },
      MPP_SECRET_KEY: 'a secret of at least thirty-two bytes',
    })
    try {
      await until(() => isReady(served.address), MINUTE_MS)
      const requests = ENDPOINTS.flatMap((endpoint) => spoiledRequests(endpoint, extra, random)).filter(
        () => random.between(1, 100) <= percent,
      )
      const statuses = new Map<number, number>()
      const faults: string[] = []
      const failures: string[] = []
      let done = 0
      await inParallel(requests, AT_ONCE, undefined, async (request) => {
        const answer = await sendRaw(served.port, request)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status >= 500 || (answer.status === 0 && !isCutRightly(request))) {
          failures.push(`${request.what}: ${answer.status}`)
        }
        if (answer.status < 500 && !isWellRefused(request, answer))
          faults.push(`${request.what}: ${answer.status} ${answer.contentType}`)
        progress('malformed requests', ++done, requests.length)
      })
      const shown = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
      const isAlive = await isReady(served.address)
      const income = await till.income()
      return [
        info(`requests to ${ENDPOINTS.length} endpoints`, requests.length),
        info('answers by status', shown.join(', ')),
        none('5xx, or no answer', failures),
        none('refusals that are no problem document with a hint', faults),
        none(
          'errors in the log',
          served.lines.filter((line) => line.includes('"error"')),
        ),
        kept('ready afterwards', isAlive ? 'yes' : 'no', 'yes', isAlive),
        kept('paid for', String(income), 'nothing', income === 0n),
      ]
    } finally {
      await served.kill()
      await Promise.all([money.stop(), tempo.stop()])
    }
  },
})

/** Whoever breaks off in the middle of its own body is cut off: nobody could tell an answer from the rest of another. */
const isCutRightly = ({ headers }: RawRequest): boolean => headers.some(([name]) => name === 'Transfer-Encoding')

const problem = z.looseObject({ type: z.string(), title: z.string(), status: z.int(), hint: z.string().min(1) })

const rpcError = z.looseObject({ jsonrpc: z.literal('2.0'), error: z.looseObject({ message: z.string().min(1) }) })

/** Whatever is refused says why, and what to do next; the Model Context Protocol has words of its own for it. */
function isWellRefused({ method }: RawRequest, { status, contentType, body }: RawAnswer): boolean {
  if (status < 400 || method === 'HEAD') return true
  if (contentType.startsWith('text/html')) return body.includes('<html')
  if (contentType === 'application/json') return rpcError.safeParse(JSON.parse(body)).success
  if (!contentType.startsWith('application/problem+json')) return false
  return problem.safeParse(JSON.parse(body)).success
}
