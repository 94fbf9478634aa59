import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { BareAnswer } from '../children/bare-server.ts'
import type { BenchRow } from '../row.ts'
import { type Child, child } from './child.ts'
import type { Load, Loaded } from './load/load.ts'
import { interleaved, perSecond } from './measure.ts'

type Headers = Readonly<Record<string, string>>

/** What is asked for, and how. */
export interface Asked {
  readonly what: string
  /** In turn; one address is always the same answer. */
  readonly paths: readonly string[]
  readonly headers: Headers
  readonly connections: number
  /** Many and short: what else the machine does then meets both sides alike. */
  readonly rounds: number
  readonly roundMs: number
  readonly atLeast: number
}

const WARM_UP_MS = 1000
/** Request ids may differ in length; anything more is another page. */
const SAME_BYTES = 16
/** Set by Node itself on every answer, there and here. */
const BY_NODE: readonly string[] = ['date', 'connection', 'keep-alive']

/**
 * Answers a second of a server beside those of a bare one, which sends the headers and body of the first address whatever it
 * is asked. Three processes on loopback: the server, the bare one, and the client.
 */
export class BesideBare {
  readonly #bare: Child<BareAnswer, { port: number }> = child(new URL('../children/bare-server.js', import.meta.url))
  readonly #client: Child<Load, Loaded> = child(new URL('../children/load-client.js', import.meta.url))

  constructor(private readonly note: (text: string) => void) {}

  async compare(serverPort: number, asked: Asked): Promise<BenchRow> {
    const { what, paths, headers, connections, roundMs, atLeast } = asked
    const { answer } = await askOnce(serverPort, paths[0] ?? '/', headers)
    const { port } = await this.#bare.ask(answer)
    const request = paths.map((path) => requestText(path, headers))
    const sending = (to: number, ms: number): Promise<Loaded> =>
      this.#client.ask({ port: to, request, status: answer.status, connections, ms })
    const [ours, theirs] = [await sending(serverPort, WARM_UP_MS), await sending(port, WARM_UP_MS)]
    if (paths.length === 1 && Math.abs(bytesEach(ours) - bytesEach(theirs)) > SAME_BYTES) {
      throw new Error(`${what}: ${bytesEach(ours)} bytes an answer, the bare server ${bytesEach(theirs)}`)
    }
    let busiest = 0
    const rate = (to: number) => async (): Promise<number> => {
      const { answers, ms, cpuMs } = await sending(to, roundMs)
      busiest = Math.max(busiest, cpuMs / ms)
      return answers / (ms / 1000)
    }
    const { measured, limit, ratio } = await interleaved(asked.rounds, rate(serverPort), rate(port))
    const [bytes, share] = [Math.round(bytesEach(ours)), Math.round(busiest * 100)]
    this.note(`${what}: ${bytes} bytes an answer, client at most ${share} % of a core`)
    const limitText = `${perSecond(limit)} bare node:http`
    return { what, measured: perSecond(measured), limit: limitText, ratio, aim: { atLeast } }
  }

  async end(): Promise<void> {
    await this.#client.end()
    await this.#bare.end()
  }
}

const bytesEach = ({ bytes, answers }: Loaded): number => bytes / answers

const requestText = (path: string, headers: Headers): string =>
  [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', ...Object.entries(headers).map((pair) => pair.join(': ')), '', ''].join(
    '\r\n',
  )

/** One answer, and how a bare server gives the same one. */
export async function askOnce(
  port: number,
  path: string,
  headers: Headers,
): Promise<{ answer: BareAnswer; etag: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const kept = { connection: 'keep-alive', ...headers }
    get({ port, host: '127.0.0.1', path, headers: kept, agent: false }, resolve).once('error', reject)
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
