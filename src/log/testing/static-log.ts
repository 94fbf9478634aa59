import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SmallLog } from '../tlog/testing/small-log.ts'

export interface ServedLog {
  readonly address: string
  close(): Promise<void>
}

/** The files of a log as any web server would serve them, below `/log`; read anew for every request. */
export async function serveLog({ files }: Pick<SmallLog, 'files'>): Promise<ServedLog> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/log\//, '')
    const bytes = files.get(path)
    response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': typeOf(path) }).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    address: `http://localhost:${isOpen(address) ? address.port : 0}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const typeOf = (path: string): string =>
  path.endsWith('.mjs') ? 'text/javascript' : path.startsWith('tile/') ? 'application/octet-stream' : 'text/plain'

const isOpen = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null
