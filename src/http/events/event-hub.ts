import type { Announcements, EventView } from '../../views/events/events-view.ts'

/** Announcements that are kept at hand for those who follow. */
const MOST_KEPT = 2000
const PAGE = 500

/** What a follower gets next: announcements, and the id to go on after. */
export interface Batch {
  readonly events: readonly EventView[]
  readonly last: string
}

type Source = Pick<Announcements, 'arrivals' | 'lastArrival'> & { epoch(): number }

/**
 * Looks for new announcements once for all who follow, while somebody does. The newest stay at hand in their order;
 * whoever is further behind reads the store.
 */
export class EventHub {
  #kept: EventView[] = []
  readonly #places = new Map<string, number>()
  /** Places before this one are no longer kept. */
  #first = 0
  #last = ''
  #epoch = Number.NaN
  #version = 0
  #looking: Promise<void> | undefined
  readonly #waiting = new Set<() => void>()

  constructor(
    private readonly source: Source,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  /** Grows with every announcement seen, and whenever some may have been passed over. */
  get version(): number {
    return this.#version
  }

  /** Where somebody begins who wants what is new; rejects when that could not be looked up. */
  async end(): Promise<string> {
    await this.#lookOnce()
    return this.#last
  }

  /** What comes after this id; `undefined` when that is not known here. */
  after(id: string): Batch | undefined {
    const place = this.#places.get(id)
    if (place === undefined) return undefined
    const events = this.#kept.slice(place - this.#first, place - this.#first + PAGE)
    return { events, last: events.at(-1)?.id ?? id }
  }

  /** Resolves when something was announced after `version`, or the time is up. */
  wait(version: number, ms: number): Promise<void> {
    if (version !== this.#version) return Promise.resolve()
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#waiting.add(done)
    })
  }

  wake(): void {
    for (const done of [...this.#waiting]) done()
  }

  /** Forgets everything; the next look begins at the end. */
  rest(): void {
    this.#kept = []
    this.#places.clear()
    this.#epoch = Number.NaN
  }

  /** A failure is told, and the next look goes on where this one was. */
  poll(): Promise<void> {
    return this.#lookOnce().catch(() => undefined)
  }

  /** One look at a time. */
  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        this.onTrouble(error)
        throw error
      })
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const epoch = this.source.epoch()
    if (epoch === this.#epoch) return
    if (this.#places.size === 0) {
      this.#last = await this.source.lastArrival()
      this.#places.set(this.#last, this.#first)
      // Who came while it rested may be behind this, and reads the store.
      this.#wakeAll(1)
    }
    for (;;) {
      const page = await this.source.arrivals({ host: null, limit: PAGE, after: this.#last })
      this.#keep(page?.items ?? [])
      if (page === undefined || page.next === null) break
    }
    this.#epoch = epoch
  }

  #keep(events: readonly EventView[]): void {
    if (events.length === 0) return
    for (const event of events) {
      this.#kept.push(event)
      this.#places.set(event.id, this.#first + this.#kept.length)
      this.#last = event.id
    }
    const over = this.#kept.length - MOST_KEPT
    if (over > 0) {
      this.#kept.splice(0, over)
      this.#first += over
      for (const [id, place] of this.#places) if (place < this.#first) this.#places.delete(id)
    }
    this.#wakeAll(events.length)
  }

  #wakeAll(more: number): void {
    this.#version += more
    this.wake()
  }
}
