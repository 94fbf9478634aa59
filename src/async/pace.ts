import { sleep } from './sleep.ts'

/** Too many wait already. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
}

/**
 * Work that costs much of the one thread, one piece at a time and with a rest after each in proportion to what it took:
 * whoever comes alone waits for nothing, and any number together take a bounded share.
 */
export class Pace {
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()
  #freeMs = Number.NEGATIVE_INFINITY

  constructor(
    /** Of the time, between 0 and 1. */
    private readonly share: number,
    private readonly mostWaiting: number,
    private readonly nowMs: () => number = () => performance.now(),
    private readonly rest: (ms: number) => Promise<void> = (ms) => sleep(ms),
  ) {}

  /** Rejects with `TooManyWaiting` at once when too many are before it. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.mostWaiting) throw new TooManyWaiting('too many are waiting for their turn')
    this.#waiting += 1
    const turn = this.#last.then(() => this.#turn(work))
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.#waiting -= 1
    }
  }

  async #turn<T>(work: () => Promise<T>): Promise<T> {
    const waitMs = this.#freeMs - this.nowMs()
    if (waitMs > 0) await this.rest(waitMs)
    const startedMs = this.nowMs()
    try {
      return await work()
    } finally {
      const endedMs = this.nowMs()
      this.#freeMs = endedMs + (endedMs - startedMs) * (1 / this.share - 1)
    }
  }
}
