import type { Socket } from 'node:net'
import { KEEP_ALIVE_MS } from '../cache/send-known.ts'

interface Seen {
  bytesRead: number
  atMs: number
}

export interface IdleSettings {
  /** Looks at all connections so often. */
  readonly everyMs: number
  readonly afterMs: number
}

/** Somewhat longer than promised: a request that is on its way just then is still answered, and a slow one is told so before. */
const IDLE_SETTINGS: IdleSettings = { everyMs: 500, afterMs: KEEP_ALIVE_MS + 500 }

/**
 * Ends connections on which nothing more is asked. Node would start and stop a timer for every answer, which is a
 * fourteenth of what a cached one costs (measured); here all are looked at together, now and then.
 */
export class IdleSockets {
  readonly #open = new Map<Socket, Seen>()
  readonly #sweeps: NodeJS.Timeout

  constructor(
    private readonly isAnswering: (socket: Socket) => boolean,
    private readonly nowMs: () => number,
    private readonly settings = IDLE_SETTINGS,
  ) {
    this.#sweeps = setInterval(() => this.#sweep(), settings.everyMs).unref()
  }

  get open(): Iterable<Socket> {
    return this.#open.keys()
  }

  add(socket: Socket): void {
    this.#open.set(socket, { bytesRead: 0, atMs: this.nowMs() })
    socket.once('close', () => this.#open.delete(socket))
  }

  end(): void {
    clearInterval(this.#sweeps)
  }

  #sweep(): void {
    const nowMs = this.nowMs()
    for (const [socket, seen] of this.#open) {
      const { bytesRead } = socket
      // Who never said anything is Node's to tell that the headers are late.
      if (bytesRead !== seen.bytesRead || bytesRead === 0 || socket.writableLength > 0 || this.isAnswering(socket)) {
        seen.bytesRead = bytesRead
        seen.atMs = nowMs
      } else if (nowMs - seen.atMs >= this.settings.afterMs) socket.destroy()
    }
  }
}
