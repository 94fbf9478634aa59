import { createServer, type ServerResponse } from 'node:http'

/** What a host answers at a path. */
export interface Served {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Sellers on one loopback port: what each host serves is put in by name and path, and everything else is 404. */
export async function startSellers() {
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

export type SellerServer = Awaited<ReturnType<typeof startSellers>>
