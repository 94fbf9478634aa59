import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** What a host answers at a path. */
export interface Served {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Sellers on one loopback port: what each host serves is put in by name and path, and everything else is 404. */
async function startSellers() {
  const files = new Map<string, Served>()
  const asked: string[] = []
  const answer = (response: ServerResponse, { status = 200, headers = {}, body = '' }: Served): void => {
    response.writeHead(status, headers)
    response.end(body)
  }
  const server = createServer((request, response) => {
    const place = `${request.headers.host}${request.url}`
    asked.push(place)
    answer(response, files.get(place) ?? { status: 404 })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    files,
    /** Every request, as host and path. */
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type SellerServer = Awaited<ReturnType<typeof startSellers>>

/** Sellers for the tests of a file, which serve nothing and were asked for nothing when one begins. */
export function freshSellers(): Pick<SellerServer, 'port' | 'files' | 'asked'> {
  let sellers: SellerServer
  beforeAll(async () => {
    sellers = await startSellers()
  })
  afterAll(() => sellers.close())
  beforeEach(() => {
    sellers.files.clear()
    sellers.asked.length = 0
  })
  return {
    get port() {
      return sellers.port
    },
    get files() {
      return sellers.files
    },
    get asked() {
      return sellers.asked
    },
  }
}
