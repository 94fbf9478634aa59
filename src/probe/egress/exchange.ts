import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Method } from '../../domain/route.ts'
import type { HeaderPair } from './answer.ts'
import { EgressFault } from './errors.ts'
import { MOST_HEAD_BYTES, Reading } from './reading.ts'
import type { Target } from './target.ts'

export interface Exchange {
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
  readonly maxBodyBytes: number
  /** Whether a longer body is cut or is an error. */
  readonly overflow: 'cut' | 'error'
}

/** Told of what arrives while it arrives, so that a failure leaves what came before it. */
export interface Receiver {
  head(status: number, headers: readonly HeaderPair[]): void
  body(chunk: Uint8Array): void
  /** The body goes on beyond what is kept. */
  cut(): void
}

/**
 * One request and its answer over this connection, which ends with it. Redirects and encodings are left as they are.
 * Node's own client: with a connection for each call it costs half of what undici's does.
 */
export function exchange(socket: Socket, target: Target, call: Exchange, receiver: Receiver): Promise<void> {
  const reading = new Reading(socket)
  const answered = new Promise<void>((resolve, reject) => {
    const asked = request({
      createConnection: () => socket,
      method: call.method,
      path: target.path,
      headers: linesOf(target, call),
      maxHeaderSize: MOST_HEAD_BYTES,
      // Said although it is the default, because a flag of the process would change the default.
      insecureHTTPParser: false,
    })
    asked.on('error', reject)
    // Never asked for.
    asked.on('upgrade', () => reject(new EgressFault('protocol_error', 'the seller changes the protocol')))
    asked.on('response', (message) => {
      const status = message.statusCode ?? 0
      if (status < 200) return reject(new EgressFault('protocol_error', `${status} is no final answer`))
      reading.headDone()
      receiver.head(status, pairsOf(message.rawHeaders))
      message.on('error', reject)
      takeBody(message, call, receiver, reading, (fault) => {
        if (fault === undefined) resolve()
        else reject(fault)
        // At once: whatever has arrived beyond it is not looked at.
        socket.destroy()
      })
    })
    asked.end(call.body ?? undefined)
  })
  return answered.finally(() => socket.destroy())
}

/**
 * The parser hands each piece of body to the message's `push`. Taken there, at once: a stream would keep pieces for a
 * later turn, when the connection has long gone on reading.
 */
function takeBody(
  message: IncomingMessage,
  call: Exchange,
  receiver: Receiver,
  reading: Reading,
  ended: (fault?: EgressFault) => void,
): void {
  let size = 0
  message.push = (chunk: Uint8Array | null) => {
    if (chunk === null) {
      ended(message.complete ? undefined : new EgressFault('connection_reset', 'the body did not end'))
      return false
    }
    reading.bodyArrived()
    const kept = chunk.subarray(0, call.maxBodyBytes - size)
    size += kept.length
    receiver.body(kept)
    if (kept.length === chunk.length) return true
    receiver.cut()
    const isCut = call.overflow === 'cut'
    ended(isCut ? undefined : new EgressFault('body_overflow', `more than ${call.maxBodyBytes} bytes of body`))
    return false
  }
}

/** As a list, which Node sends as it is. */
function linesOf({ origin }: Target, { headers, body }: Exchange): string[] {
  const lines = ['host', origin.slice(origin.indexOf('//') + 2), 'connection', 'close']
  for (const [name, value] of Object.entries(headers)) lines.push(name, value)
  if (body !== null) lines.push('content-length', String(Buffer.byteLength(body)))
  return lines
}

const pairsOf = (raw: readonly string[]): HeaderPair[] =>
  Array.from({ length: raw.length >> 1 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''] as const)
