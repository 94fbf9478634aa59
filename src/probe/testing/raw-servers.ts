import { createServer, type Server, type Socket } from 'node:net'

/** Servers on loopback that say whatever bytes a test wants; `close` ends them with all that is connected. */
export class RawServers {
  readonly servers: Server[] = []
  readonly sockets = new Set<Socket>()

  /** The port that it listens on. */
  async listen(server: Server, host = '127.0.0.1'): Promise<number> {
    this.servers.push(server)
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket)
      socket.on('error', () => socket.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    return address.port
  }

  /** A seller that says these bytes to whatever arrives first. */
  speaking(speak: (socket: Socket) => void, host?: string): Promise<number> {
    return this.listen(
      createServer((socket) => socket.once('data', () => speak(socket))),
      host,
    )
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.sockets.clear()
    await Promise.all(this.servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
  }
}
