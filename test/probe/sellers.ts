import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress, type Egress, parseConnectTo } from '../../src/probe/egress.ts'

/** One request as a seller saw it. */
export interface Seen {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Requests of the same host that were under way when it arrived. */
  readonly underWay: number
  /** Milliseconds from the end of the answer before it, of the same host. */
  readonly sinceLastMs: number
}

export interface Sellers {
  readonly port: number
  readonly seen: readonly Seen[]
  /** The door to them: every name under `example` leads here. */
  readonly egress: Egress
  close(): Promise<void>
}

export type Answer = (request: Seen, response: ServerResponse) => void

export const USER_AGENT = 'tollbook-test/1 (+https://directory.example/probing)'

export const connectTo = (port: number): string => `*.example::127.0.0.1:${port}`

export const doorTo = (port: number): Egress =>
  createEgress({ connectTo: parseConnectTo(connectTo(port)), userAgent: USER_AGENT })

/** A door on a machine without a network: no name server answers. */
export const doorToNobody = (): Egress =>
  createEgress({
    connectTo: [],
    userAgent: USER_AGENT,
    lookup: () => Promise.reject(Object.assign(new Error('no name server'), { code: 'ETIMEOUT' })),
  })

/** A 402 as an x402 seller sends it. */
export function payment(response: ServerResponse): void {
  const accepts = [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '10000',
      resource: 'http://api.example/v1/x',
      description: '',
      mimeType: '',
      payTo: '0x1111111111111111111111111111111111111111',
      maxTimeoutSeconds: 60,
      asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      extra: { name: 'USD Coin', version: '2' },
    },
  ]
  response.writeHead(402, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ x402Version: 1, error: 'payment required', accepts }))
}

/** Sellers of any name on one loopback port, which keep what they were asked. Without a word about robots. */
export async function startSellers(answer: Answer, port = 0): Promise<Sellers> {
  const seen: Seen[] = []
  const underWay = new Map<string, number>()
  const lastEnd = new Map<string, number>()
  const server = createServer((request, response) => {
    const host = request.headers.host ?? ''
    underWay.set(host, (underWay.get(host) ?? 0) + 1)
    response.once('close', () => {
      underWay.set(host, (underWay.get(host) ?? 1) - 1)
      lastEnd.set(host, performance.now())
    })
    const sinceLastMs = performance.now() - (lastEnd.get(host) ?? Number.NEGATIVE_INFINITY)
    const others = (underWay.get(host) ?? 1) - 1
    void bodyOf(request).then((body) => {
      const { method = '', url = '', headers } = request
      const one: Seen = { method, host, path: url, headers, body, underWay: others, sinceLastMs }
      seen.push(one)
      answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    seen,
    egress: doorTo(address.port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Like `answer`, with a 404 for robots.txt. */
export const withoutRobots =
  (answer: Answer): Answer =>
  (request, response) =>
    request.path === '/robots.txt' ? void response.writeHead(404).end() : answer(request, response)

export const always402: Answer = withoutRobots((_, response) => payment(response))

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
