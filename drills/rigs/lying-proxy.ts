import { createServer } from 'node:http'

export interface LyingProxy {
  readonly address: string
  /** What becomes of answers; `null`: they are passed on as they are. */
  lie: ((path: string, bytes: Buffer) => Buffer) | null
  stop(): Promise<void>
}

/** A directory as whoever stands before it shows it. */
export async function startLyingProxy(directory: string): Promise<LyingProxy> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    try {
      const answer = await fetch(`${directory}${path}`, { headers: { Accept: 'application/json, */*;q=0.5' } })
      const bytes = Buffer.from(await answer.arrayBuffer())
      response.writeHead(answer.status).end(answer.status === 200 ? (proxy.lie?.(path, bytes) ?? bytes) : bytes)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  const proxy: LyingProxy = {
    address: `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`,
    lie: null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}
