import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import type { Fetch, FetchAnswer, FetchReply } from '../sweep/fetch.ts'

/** A listing source on loopback, for tests. */
export interface Loopback {
  readonly url: string
  /** Host, path and query of every request, in order. */
  readonly asked: string[]
  /** Most requests that were ever in flight together. */
  mostAtOnce(): number
  readonly fetch: Fetch
  close(): Promise<void>
}

export type Answer = (url: URL, response: ServerResponse, request: IncomingMessage) => void

export const sendJson = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

export async function serve(answer: Answer): Promise<Loopback> {
  const asked: string[] = []
  let inFlight = 0
  let most = 0
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`)
    asked.push(`${url.host}${url.pathname}${url.search}`)
    inFlight += 1
    most = Math.max(most, inFlight)
    response.on('close', () => {
      inFlight -= 1
    })
    answer(url, response, incoming)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    mostAtOnce: () => most,
    fetch: fetchAt(port),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const wordFor = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'deadline'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'connection_refused'
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' ? 'connection_reset' : 'protocol_error'
}

/** Real requests, whatever the host, to one port of loopback, which sees the name in `Host`. */
function fetchAt(port: number): Fetch {
  return async ({ url, headers, maxBytes, deadlineMs }): Promise<FetchAnswer> => {
    const { host, pathname, search } = new URL(url)
    const chunks: Buffer[] = []
    let head: Omit<FetchReply, 'body'> | null = null
    try {
      const answer = await request(`http://127.0.0.1:${port}${pathname}${search}`, {
        headers: { ...headers, host },
        signal: AbortSignal.timeout(deadlineMs),
        reset: true,
      })
      const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const)
      head = { status: answer.statusCode, headers: pairs }
      let bytes = 0
      for await (const chunk of answer.body) {
        const piece = Buffer.from(chunk)
        bytes += piece.length
        if (bytes > maxBytes)
          return { ok: false, error: 'body_overflow', partial: { ...head, body: Buffer.concat(chunks) } }
        chunks.push(piece)
      }
      return { ok: true, ...head, body: Buffer.concat(chunks) }
    } catch (error) {
      const partial = head && { ...head, body: Buffer.concat(chunks) }
      return { ok: false, error: wordFor(error), partial }
    }
  }
}
