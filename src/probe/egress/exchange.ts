import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
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

/** Given to every client when its call is over, because undici would make an error with a stack for each. */
const OVER = new EgressFault('connection_reset', 'the call is over')

type RawHeaders = Dispatcher.DispatchController['rawHeaders']

function pairsOf(raw: RawHeaders): HeaderPair[] {
  if (!Array.isArray(raw)) return []
  const texts = raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
  return Array.from({ length: texts.length >> 1 }, (_, at) => [texts[2 * at] ?? '', texts[2 * at + 1] ?? ''] as const)
}

/** One request and its answer over this connection, which ends with it. Redirects and encodings are left as they are. */
export function exchange(socket: Socket, target: Target, call: Exchange, receiver: Receiver): Promise<void> {
  const reading = new Reading(socket)
  const client = new Client(target.origin, {
    // Not at once: undici does not go on by itself after a connector that calls back while it is still being called.
    connect: (_, callback) => queueMicrotask(() => callback(null, socket)),
    allowH2: false,
    maxHeaderSize: MOST_HEAD_BYTES,
    // Idle timers, which a slow drip outlives: the call's own deadline covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const answered = new Promise<void>((resolve, reject) => {
    let size = 0
    const handler: Dispatcher.DispatchHandler = {
      // undici takes a handler without it for one of its older kind.
      onRequestStart: () => {},
      onResponseStart(controller, status) {
        if (status < 200) return
        reading.headDone()
        receiver.head(status, pairsOf(controller.rawHeaders))
      },
      onResponseData(controller, chunk) {
        reading.bodyArrived()
        const kept = chunk.subarray(0, call.maxBodyBytes - size)
        size += kept.length
        receiver.body(kept)
        if (kept.length === chunk.length) return
        receiver.cut()
        const fault = new EgressFault('body_overflow', `more than ${call.maxBodyBytes} bytes of body`)
        if (call.overflow === 'error') reject(fault)
        else resolve()
        controller.abort(fault)
      },
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => reject(error),
    }
    const { method, headers, body } = call
    client.dispatch({ path: target.path, method, headers: { ...headers }, body, reset: true }, handler)
  })
  return answered.finally(() => {
    socket.destroy()
    void client.destroy(OVER)
  })
}
