// Slow clients and readers of event streams, in a process of their own so that whoever measures is not slowed by them.
import { connect, type Socket } from 'node:net'
import { answering } from '../../bench/rigs/child.ts'

export interface CrowdOrder {
  readonly port: number
  readonly clients: number
  readonly readers: number
}

export interface CrowdCount {
  readonly clients: number
  readonly readers: number
  /** Connections that the server has ended, which were opened again. */
  readonly ended: number
}

const HEAD = 'Host: tollbook.example\r\n'
const EVERY_MS = 1000
const MOST_PAUSE_MS = 1000
/** A network has no more than 8 streams. */
const READERS_AN_ADDRESS = 8
/** Opened at once: a crowd that comes too fast is refused by the kernel, not by us. */
const STEP = 200

/** What a slow client says at first, and then byte by byte; each holds a connection for as long as it is let. */
const MANNERS = [
  { first: 'GET / HTTP/1.1\r\n', drip: 'X', reads: true },
  { first: `POST /v1/reviews HTTP/1.1\r\n${HEAD}Content-Length: 9000\r\n\r\n`, drip: ' ', reads: true },
  { first: `GET /openapi.json HTTP/1.1\r\n${HEAD}\r\n`, drip: '', reads: false },
  { first: '', drip: '', reads: true },
] as const

const open = { clients: 0, readers: 0, ended: 0 }

function beSlow(port: number, n: number): void {
  const manner = MANNERS[n % MANNERS.length] ?? MANNERS[0]
  const socket = connect({ port, host: '127.0.0.1' })
  const ticking = setInterval(() => manner.drip !== '' && socket.writable && socket.write(manner.drip), EVERY_MS)
  socket.once('connect', () => {
    open.clients += 1
    socket.write(manner.first)
    if (manner.reads) socket.resume()
    socket.once('close', () => {
      open.clients -= 1
      open.ended += 1
    })
  })
  again(socket, ticking, n, () => beSlow(port, n))
}

function follow(port: number, n: number): void {
  const localAddress = `127.0.1.${1 + Math.floor(n / READERS_AN_ADDRESS)}`
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.once('connect', () => socket.write(`GET /v1/events?format=stream HTTP/1.1\r\n${HEAD}\r\n`))
  socket.once('data', (chunk) => {
    if (!chunk.toString().startsWith('HTTP/1.1 200')) return
    open.readers += 1
    socket.once('close', () => {
      open.readers -= 1
      open.ended += 1
    })
  })
  again(socket, undefined, n, () => follow(port, n))
}

function again(socket: Socket, ticking: NodeJS.Timeout | undefined, n: number, next: () => void): void {
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    clearInterval(ticking)
    // Not all at once.
    setTimeout(next, (n * 37) % MOST_PAUSE_MS)
  })
}

let isGathered = false

answering<CrowdOrder, CrowdCount>(async ({ port, clients, readers }) => {
  if (!isGathered) {
    isGathered = true
    for (let n = 0; n < readers; n++) follow(port, n)
    for (let n = 0; n < clients; n++) {
      beSlow(port, n)
      if (n % STEP === 0) await new Promise((turn) => setTimeout(turn, 20))
    }
  }
  return { ...open }
})
