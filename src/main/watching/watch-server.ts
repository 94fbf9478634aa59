import { createServer, type ServerResponse } from 'node:http'
import { inTime } from '../../async/in-time.ts'
import { reasonOf } from '../../domain/store-trouble.ts'
import { PATHS } from '../../wire/paths.ts'
import type { Metrics } from './metrics.ts'

/** What is asked on the port of the metrics. */
export interface Answering {
  readonly metrics: Pick<Metrics, 'text'>
  /** Rejects with the reason when the store does not answer. */
  ping(): Promise<void>
  /** What `/readyz` adds, e.g. that the prober is offline. */
  condition(): Readonly<Record<string, unknown>>
}

export interface WatchServer {
  readonly port: number
  close(): Promise<void>
}

const MOST_MS = 3_000

const sendJson = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...(status === 503 && { 'Retry-After': '5' }) })
  response.end(`${JSON.stringify(body)}\n`)
}

/** Words for the operator, who alone reaches this port; an address of the database with its key is never among them. */
async function readiness({ ping, condition }: Answering): Promise<{ status: number; body: object }> {
  const late = `the store gives no answer within ${MOST_MS / 1000} s`
  const fault = await inTime(
    ping().then(() => null, reasonOf),
    MOST_MS,
    late,
  )
  if (fault === null) return { status: 200, body: { status: 'ready', ...condition() } }
  return { status: 503, body: { status: 'not ready', reason: fault, ...condition() } }
}

/** A port of its own, for every role: scrapes and health checks need no way through the public one, and some have none. */
export async function serveWatching(
  answering: Answering,
  port: number,
  bind: string | undefined,
): Promise<WatchServer> {
  const server = createServer(async ({ url }, response) => {
    try {
      if (url === '/metrics') {
        const text = await answering.metrics.text()
        response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
      } else if (url === PATHS.alive) sendJson(response, 200, { status: 'ok' })
      else if (url === PATHS.ready) {
        const { status, body } = await readiness(answering)
        sendJson(response, status, body)
      } else response.writeHead(404).end()
    } catch (error) {
      sendJson(response, 503, { status: 'failed', reason: reasonOf(error) })
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: bind }, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
