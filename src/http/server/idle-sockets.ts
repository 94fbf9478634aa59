import type { Socket } from 'node:net'
import { KEEP_ALIVE_MS } from '../cache/send-known.ts'

interface Seen {
  bytesRead: number
  /** When it was first seen that nothing is asked; `null` while something was under way at the last look. */
  idleSinceMs: number | null
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
    this.#open.set(socket, { bytesRead: 0, idleSinceMs: null })
    socket.once('close', () => this.#open.delete(socket))
  }

  end(): void {
    clearInterval(this.#sweeps)
  }

  #sweep(): void {
    const nowMs = this.nowMs()
    const idle: [Socket, Seen][] = []
    for (const [socket, seen] of this.#open) {
      if (this.#isUnderWay(socket, seen)) {
        seen.bytesRead = socket.bytesRead
        seen.idleSinceMs = null
        continue
      }
      // Not from the last look on: an answer may have ended since, and looks are late when the program is busy.
      seen.idleSinceMs ??= nowMs
      if (nowMs - seen.idleSinceMs >= this.settings.afterMs) idle.push([socket, seen])
    }
    // Timers come before what has arrived: a request that waited for a busy program is read first.
    if (idle.length > 0) setImmediate(() => this.#destroy(idle))
  }

  #destroy(idle: readonly [Socket, Seen][]): void {
    for (const [socket, seen] of idle) if (!this.#isUnderWay(socket, seen)) socket.destroy()
  }

  #isUnderWay(socket: Socket, seen: Seen): boolean {
    const { bytesRead } = socket
    // Who never said anything is Node's to tell that the headers are late.
    return bytesRead !== seen.bytesRead || bytesRead === 0 || socket.writableLength > 0 || this.isAnswering(socket)
  }
}
