import { createServer } from 'node:net'

/** A port that nobody has opened just now, for those who must know theirs before they open it. */
export function freePort(bind: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port: 0, host: bind }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
