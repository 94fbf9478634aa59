import { createServer, type Server } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import type { Site } from '../../render/site.ts'
import { IdleSockets } from './idle-sockets.ts'
import { createListener, type Listener } from './listener.ts'
import type { ListenerOptions } from './options.ts'
import { hangUp, isBehindLast, parserProblem, rawProblem } from './raw-answer.ts'

export interface ServerOptions extends Omit<ListenerOptions, 'site'> {
  /** 0 takes any free port. */
  readonly port: number
  /** All addresses of the machine when left out. */
  readonly bind?: string | undefined
  /** The site's own address may hold the port, which is known only once it is open. */
  readonly siteAt: (port: number) => Site
}

export interface WebServer {
  readonly port: number
  readonly site: Site
  cacheBytes(): number
  /** Stops accepting, lets what is under way finish within `mostMs`, and resolves when the last connection is closed. */
  drain(mostMs: number): Promise<void>
}

const TIMES = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  // Ours to do.
  keepAliveTimeout: 0,
  // Node looks at slow clients only this often; at its default of 30 s the two limits above mean little (measured). Those that
  // it ends at once hold everybody else up: at a second that was half of one with 5,000 of them (measured).
  connectionsCheckingInterval: 250,
}
/** Payment headers are long; everything beyond is refused by the parser. */
const MOST_HEADER_BYTES = 32 * 1024
const IDLE_SWEEP_MS = 50

/** Opens the port and answers on it. Rejects with Node's own error when the port cannot be opened. */
export async function startServer(options: ServerOptions): Promise<WebServer> {
  // A missing Host is refused by the edges, with a problem instead of Node's empty answer.
  const server = createServer({ ...TIMES, maxHeaderSize: MOST_HEADER_BYTES, requireHostHeader: false })
  // Node acts on all lines and shows the first thousand: a second Host, a body or what a proxy says of the client stood behind them.
  server.maxHeadersCount = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: options.port, host: options.bind }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const port = portOf(server.address())
  const site = options.siteAt(port)
  const listener = createListener({ ...options, site })
  const sockets = attach(server, listener, options, site)
  return {
    port,
    site,
    cacheBytes: () => listener.cacheBytes(),
    drain: (mostMs) => drain(server, listener, sockets, mostMs),
  }
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0

function attach(server: Server, listener: Listener, { log, nowMs }: ServerOptions, site: Site): IdleSockets {
  const sockets = new IdleSockets((socket) => listener.isAnswering(socket), nowMs)
  const hungUp = new WeakSet<object>()
  const refuse = (socket: Duplex, found: Problem, id = listener.nextId()): void => {
    log.info({ request_id: id, status: found.status, reason: found.detail }, 'connection refused')
    hungUp.add(socket)
    hangUp(socket, rawProblem(site, found, id))
  }
  server.on('connection', (socket) => sockets.add(socket))
  server.on('timeout', (socket) => {
    // Node comes here only when nothing was taken of what waits to be sent; with nothing to send the answer is ours to make.
    if (socket.writableLength > 0 || !listener.isAnswering(socket)) socket.destroy()
  })
  server.on('request', (incoming, outgoing) => listener.handle(incoming, outgoing, 'none'))
  server.on('checkContinue', (incoming, outgoing) => listener.handle(incoming, outgoing, 'continue'))
  server.on('checkExpectation', (incoming, outgoing) => listener.handle(incoming, outgoing, 'unknown'))
  server.on('connect', (_incoming, socket) => {
    refuse(socket, problem('method-not-allowed', 'CONNECT is not answered.', { headers: { Allow: 'GET, HEAD' } }))
  })
  const fail = (error: Error, socket: Duplex): void => {
    // What comes after the last request of a connection is not read, and takes nothing from its answer, which closes it.
    if (hungUp.has(socket) || isBehindLast(error)) return
    const found = parserProblem(error)
    const unread = found !== undefined && socket.writable ? listener.unread(socket, found) : undefined
    if (unread !== undefined) {
      refuse(socket, unread.told, unread.id)
      // What still comes must not be taken for a whole request after all.
      socket.pause()
      return
    }
    // The parser refuses some requests after it has handed them over: what they were told is still on its way, and closes.
    if (found !== undefined && socket.writable && listener.isRefused(socket)) return
    // An answer under way must not be followed by one that nobody could tell apart from it.
    if (found === undefined || !socket.writable || listener.isAnswering(socket)) socket.destroy()
    else refuse(socket, found)
  }
  server.on('clientError', (error, socket) => {
    const isUnheard = (): boolean => socket instanceof Socket && socket.bytesRead === 0
    if (!isUnheard()) fail(error, socket)
    // Node looks who is late before it reads what has arrived. What is read by then has its time from there on.
    else setImmediate(() => isUnheard() && fail(error, socket))
  })
  return sockets
}

async function drain(server: Server, listener: Listener, sockets: IdleSockets, mostMs: number): Promise<void> {
  listener.retire()
  // What has arrived by now is read, and answered, before connections are closed on which nothing is asked.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Node counts a connection that never sent anything as busy.
  for (const socket of sockets.open) if (socket.bytesRead === 0) socket.destroy()
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
  const deadline = setTimeout(() => server.closeAllConnections(), mostMs)
  await closed
  clearInterval(sweep)
  clearTimeout(deadline)
  sockets.end()
}
