import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { openStore } from '../../src/store/open.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import type { BareAnswer } from '../children/bare-server.ts'
import { child } from '../rigs/child.ts'
import { hostEvidence, hostName, probeOf, routeOf } from '../rigs/data.ts'
import type { Load, Loaded } from '../rigs/load/load.ts'
import { interleaved, perSecond } from '../rigs/measure.ts'
import { ownServer } from '../rigs/own-server.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOST = hostName(0)
const PAGE = `/hosts/${HOST}`
const TILE = '/log/tile/0/000'
const TILE_WIDTH = 256
const CONNECTIONS = 32
/** Many and short: what else the machine does then meets both sides alike. */
const ROUNDS = 61
const ROUND_MS = 100
const WARM_UP_MS = 1000
/** Request ids may differ in length; anything more is another page. */
const SAME_BYTES = 16
/** Set by Node itself on every answer, there and here. */
const BY_NODE: readonly string[] = ['date', 'connection', 'keep-alive']

/** What an agent's client sends, and the same without compression. */
const WAYS = [
  { name: 'gzip', headers: { accept: 'application/json', 'accept-encoding': 'gzip, deflate' } },
  { name: 'identity', headers: { accept: 'application/json' } },
] as const

/**
 * Cached answers for an ordinary host page (25 routes, 450 entries), held against a bare server that sends the same
 * headers and body whatever it is asked. Three processes on loopback: ours, the bare one, and the client.
 */
export async function rows({ folder, note }: BenchContext): Promise<BenchRow[]> {
  const dataDir = folder()
  const store = await openStore({ dataDir, databaseUrl: undefined })
  await saveEvidence(store, { ...NO_EVIDENCE, ...hostEvidence(HOST) })
  for (let n = 0; n < TILE_WIDTH; n += 1) await saveProbes(store, { probes: [probeOf(routeOf(HOST, 0), 0, 1000 + n)] })
  await store.close()
  const server = await ownServer(dataDir)
  await until(async () => (await fetch(`http://127.0.0.1:${server.port}${TILE}`)).status === 200)
  const bare = child<BareAnswer, { port: number }>(new URL('../children/bare-server.js', import.meta.url))
  const client = child<Load, Loaded>(new URL('../children/load-client.js', import.meta.url))
  const found: BenchRow[] = []
  try {
    for (const { name, headers } of WAYS) {
      const first = await askOnce(server.port, headers)
      const again = { ...headers, 'if-none-match': first.etag }
      found.push(await compare(`cached host view, ${name}`, headers))
      found.push(await compare(`cached host view, 304, ${name}`, again))
    }
    found.push(await compare('tile of the evidence log, 8 kB', {}, TILE, 0.85))
  } finally {
    await client.end()
    await bare.end()
    await server.stop()
  }
  return found

  async function compare(
    what: string,
    headers: Readonly<Record<string, string>>,
    path = PAGE,
    atLeast = 0.9,
  ): Promise<BenchRow> {
    const { answer } = await askOnce(server.port, headers, path)
    const { port } = await bare.ask(answer)
    const request = requestText(headers, path)
    const sending = (to: number, ms: number): Promise<Loaded> =>
      client.ask({ port: to, request, status: answer.status, connections: CONNECTIONS, ms })
    const [ours, theirs] = [await sending(server.port, WARM_UP_MS), await sending(port, WARM_UP_MS)]
    if (Math.abs(bytesEach(ours) - bytesEach(theirs)) > SAME_BYTES) {
      throw new Error(`${what}: ${bytesEach(ours)} bytes an answer, the bare server ${bytesEach(theirs)}`)
    }
    let busiest = 0
    const rate = (to: number) => async (): Promise<number> => {
      const { answers, ms, cpuMs } = await sending(to, ROUND_MS)
      busiest = Math.max(busiest, cpuMs / ms)
      return answers / (ms / 1000)
    }
    const { measured, limit, ratio } = await interleaved(ROUNDS, rate(server.port), rate(port))
    note(
      `${what}: ${Math.round(bytesEach(ours))} bytes an answer, client at most ${Math.round(busiest * 100)} % of a core`,
    )
    return {
      what,
      measured: perSecond(measured),
      limit: `${perSecond(limit)} bare node:http`,
      ratio,
      aim: { atLeast },
    }
  }
}

const bytesEach = ({ bytes, answers }: Loaded): number => bytes / answers

const requestText = (headers: Readonly<Record<string, string>>, path: string): string =>
  [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', ...Object.entries(headers).map((pair) => pair.join(': ')), '', ''].join(
    '\r\n',
  )

/** One answer, and how a bare server gives the same one. */
async function askOnce(
  port: number,
  headers: Readonly<Record<string, string>>,
  path = PAGE,
): Promise<{ answer: BareAnswer; etag: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      {
        port,
        host: '127.0.0.1',
        path,
        headers: { connection: 'keep-alive', ...headers },
        agent: false,
      },
      resolve,
    ).once('error', reject)
  })
  const body = await buffer(response)
  const { statusCode = 0, rawHeaders } = response
  const seconds = Number(/timeout=(\d+)/.exec(String(response.headers['keep-alive']))?.[1] ?? 5)
  return {
    answer: {
      status: statusCode,
      headers: rawHeaders.filter((_, at) => !BY_NODE.includes((rawHeaders[at - (at % 2)] ?? '').toLowerCase())),
      bodyBase64: body.toString('base64'),
      keepAliveMs: seconds * 1000,
    },
    etag: response.headers.etag ?? '',
  }
}

/** The log has everything within ten seconds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries === 100) throw new Error('the log does not grow')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
