import { isIP, connect as netConnect, type Socket } from 'node:net'
import { type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import type { Deadline } from './deadline.ts'
import { EgressFault } from './errors.ts'

/** Opens a TCP connection to an IP address. The one call of this program that reaches a stranger's machine. */
export type Dial = (address: string, port: number) => Socket

export const dialTcp: Dial = (address, port) => netConnect({ host: address, port, noDelay: true })

/** Addresses that are tried before giving up, and for how long while another one is left. */
const MOST_ATTEMPTS = 4
const ATTEMPT_MS = 2000

/** Resolves at `event`; rejects with the socket's error or when it closes before. */
function until<S extends Socket>(socket: S, event: 'connect' | 'secureConnect'): Promise<S> {
  return new Promise((resolve, reject) => {
    // Stays for the socket's life: an error that nobody waits for any more must not end the program.
    socket.on('error', reject)
    const closed = (): void => reject(new EgressFault('connection_reset', `closed before ${event}`))
    socket.once('close', closed)
    socket.once(event, () => {
      // Every socket closes in the end: an error for each, with its stack, is a large part of a call.
      socket.off('close', closed)
      resolve(socket)
    })
  })
}

/** Connects to the first of these addresses that takes a connection, IPv4 first; the first one's failure speaks for all. */
export async function connectAny(
  addresses: readonly string[],
  port: number,
  dial: Dial,
  deadline: Deadline,
): Promise<Socket> {
  const order = [...addresses].sort((a, b) => isIP(a) - isIP(b)).slice(0, MOST_ATTEMPTS)
  let failure: unknown
  for (const [index, address] of order.entries()) {
    const socket = dial(address, port)
    const giveUp = (): void => {
      socket.destroy(new EgressFault('connect_timeout', 'another address is tried'))
    }
    const timer = index + 1 < order.length ? setTimeout(giveUp, ATTEMPT_MS) : undefined
    try {
      return await deadline.within(until(socket, 'connect'), 'connect_timeout', giveUp)
    } catch (error) {
      socket.destroy()
      failure ??= error
      if (deadline.isOver) break
    } finally {
      clearTimeout(timer)
    }
  }
  throw failure
}

/** The handshake, with the seller's name checked whatever address the connection goes to. HTTP/1.1 only. */
export async function secure(
  socket: Socket,
  hostname: string,
  secureContext: SecureContext,
  deadline: Deadline,
): Promise<TLSSocket> {
  const tls = tlsConnect({
    socket,
    host: hostname,
    // Server names are DNS names only; a certificate for an address is checked against `host`.
    servername: isIP(hostname) === 0 ? hostname : '',
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // Said although it is the default, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
    rejectUnauthorized: true,
  })
  return await deadline.within(until(tls, 'secureConnect'), 'deadline', () => tls.destroy())
}
