import { connect, createServer, type Socket } from 'node:net'
import { portOf } from '../../sandbox/local/local-server.ts'

/** Stands before a server and hands every byte on, until it is told to fall silent: nobody hears that it does. */
export interface TcpRelay {
  readonly port: number
  /** Connections stay, and new ones are taken; nothing is handed on. */
  fallSilent(): void
  speak(): void
  /** As a firewall that has lost its memory: nothing more comes of the connections that are there, and new ones are served. */
  forget(): void
  stop(): Promise<void>
}

export async function openRelay(target: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  const forgotten = new Set<Socket>()
  let isSilent = false
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    if (isSilent) socket.pause()
    return socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createServer((from) => {
    const to = keep(connect(target, '127.0.0.1'))
    keep(from)
    from.on('data', (chunk) => to.write(chunk)).once('close', () => to.destroy())
    to.on('data', (chunk) => from.write(chunk)).once('close', () => from.destroy())
    if (isSilent) for (const socket of [from, to]) socket.pause()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: portOf(server.address()),
    fallSilent: () => {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    speak: () => {
      isSilent = false
      for (const socket of sockets) if (!forgotten.has(socket)) socket.resume()
    },
    forget: () => {
      for (const socket of sockets) forgotten.add(socket.pause())
    },
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
