import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LocalServer {
  readonly port: number
  readonly url: string
  stop(): Promise<void>
}

/**
 * Answers on loopback. It never ends a connection that its client keeps: client and server may be one program, and one
 * that was busy asks on a connection that has ended meanwhile before it notices, and gets no answer.
 */
export async function openLocalServer(answer: RequestListener, wanted = 0): Promise<LocalServer> {
  const server = createServer({ keepAliveTimeout: 0 }, answer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', resolve)
  })
  const port = portOf(server.address())
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0
