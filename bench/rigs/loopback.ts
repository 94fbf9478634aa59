import type { Server } from 'node:net'

/** Opens any free port on 127.0.0.1 and says which. `backlog`: connections that may wait to be taken. */
export async function listenOnLoopback(server: Server, backlog = 511): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', backlog, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}
