import type { SellerHost } from '../../domain/host.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { eventMessage } from '../../render/json/events.ts'
import type { Site } from '../../render/site.ts'
import type { Directory } from '../../views/directory.ts'
import type { EventView } from '../../views/events/events-view.ts'
import { type Batch, EventHub } from './event-hub.ts'
import { type SeatLimits, Seats, type SharedSeats, type Sitter } from './seats.ts'

export interface StreamSettings extends SeatLimits {
  readonly pollMs: number
  /** A comment is sent after so long a silence, so that nobody on the way takes the connection for dead. */
  readonly heartbeatMs: number
  /** A client that has not taken what it was sent after so long is let go. */
  readonly slowMs: number
}

export const STREAM_SETTINGS: StreamSettings = {
  mostClients: 256,
  mostPerAddress: 8,
  pollMs: 500,
  heartbeatMs: 15_000,
  slowMs: 30_000,
}

/** Where a client comes from, in the two widths that seats are shared by. */
export type Origin = Pick<Sitter, 'address' | 'network'>

export interface Following {
  readonly host: SellerHost | null
  /** Empty: all. */
  readonly kinds: readonly string[]
  /** The id of the last announcement they have; `null`: only what is new. */
  readonly after: string | null
}

const PAGE = 200
/** Tells clients how long to wait before they come back, and after what to go on then, although nothing was announced yet. */
const greeting = (after: string): string => `retry: 3000\nid: ${after}\n\n`
const heartbeat = (after: string): string => `: still here\nid: ${after}\n\n`

interface Client extends Sitter {
  /** When something was handed over that has not been taken yet. */
  waitingSinceMs: number | null
  /** For a client that does not read: what it was sent is given up. */
  readonly drop: () => void
}

/**
 * Streams of announcements. A client is handed one piece at a time and nothing more until it has taken that, so what is
 * held for it is bounded; it may fall behind as far as it likes and reads on from the store.
 */
export class EventStreams {
  readonly #clients: Seats<Client>
  readonly #hub: EventHub
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(
    private readonly site: Site,
    private readonly directory: Pick<Directory, 'arrivals' | 'lastArrival' | 'epoch'>,
    private readonly nowMs: () => number,
    onTrouble: (error: unknown) => void,
    private readonly settings: StreamSettings = STREAM_SETTINGS,
    shared?: SharedSeats,
  ) {
    this.#clients = new Seats(settings, shared)
    this.#hub = new EventHub(directory, onTrouble)
  }

  get size(): number {
    return this.#clients.size
  }

  /** The body of an answer. `drop` ends a connection whose client does not read. */
  async open(following: Following, origin: Origin, drop: () => void): Promise<ReadableStream<Uint8Array>> {
    this.#clients.makeRoom(origin)
    const after = await this.#start(following)
    // Others may have sat down meanwhile, and the server may have been told to stop.
    if (this.#isClosed) throw problem('too-many-streams', 'No more streams are opened.')
    this.#clients.makeRoom(origin)
    return this.#stream({ ...following, after }, origin, drop)
  }

  /** Ends every stream; no more are opened. */
  close(): void {
    this.#isClosed = true
    for (const client of this.#clients) client.end()
    this.#stop()
  }

  /** Refuses an id that is not ours before anything is sent. */
  async #start({ host, after }: Following): Promise<string> {
    if (after === null) return this.#hub.end()
    await this.directory.arrivals({ host, limit: 1, after })
    return after
  }

  #stream(
    following: Following & { readonly after: string },
    origin: Origin,
    drop: () => void,
  ): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder()
    let after = following.after
    let isOpen = true
    let greeted = false
    const client: Client = { ...origin, waitingSinceMs: this.nowMs(), end: () => undefined, drop }
    const leave = (): void => {
      isOpen = false
      this.#clients.delete(client)
      this.#hub.wake()
      if (this.#clients.size === 0) this.#stop()
    }
    const next = async (): Promise<string> => {
      if (!greeted) {
        greeted = true
        return greeting(after)
      }
      // What is announced to others alone is silence.
      const heartbeatAtMs = this.nowMs() + this.settings.heartbeatMs
      while (isOpen) {
        const { version } = this.#hub
        const batch = this.#hub.after(after) ?? (await this.#read(following.host, after))
        after = batch.last
        const text = batch.events.filter(wanted(following)).map((event) => eventMessage(this.site, event))
        if (text.length > 0) return text.join('')
        const leftMs = heartbeatAtMs - this.nowMs()
        if (leftMs <= 0) return heartbeat(after)
        if (batch.events.length === 0) await this.#hub.wait(version, leftMs)
      }
      return ''
    }
    this.#clients.add(client)
    this.#watch()
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          client.end = () => {
            leave()
            controller.close()
          }
        },
        pull: async (controller) => {
          client.waitingSinceMs = null
          const text = await next()
          if (!isOpen) return
          client.waitingSinceMs = this.nowMs()
          controller.enqueue(encoder.encode(text))
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    )
  }

  async #read(host: SellerHost | null, after: string): Promise<Batch> {
    const page = await this.directory.arrivals({ host, limit: PAGE, after })
    const events = page?.items ?? []
    return { events, last: events.at(-1)?.id ?? after }
  }

  #watch(): void {
    this.#timer ??= setInterval(() => {
      void this.#hub.poll()
      this.#dropSlow()
    }, this.settings.pollMs).unref()
  }

  #dropSlow(): void {
    const sinceMs = this.nowMs() - this.settings.slowMs
    for (const client of this.#clients) {
      if (client.waitingSinceMs === null || client.waitingSinceMs >= sinceMs) continue
      client.end()
      client.drop()
    }
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#hub.rest()
  }
}

const wanted =
  ({ host, kinds }: Following) =>
  (event: EventView): boolean =>
    (host === null || event.host === host) && (kinds.length === 0 || kinds.includes(event.kind))
