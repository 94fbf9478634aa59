import { setImmediate } from 'node:timers/promises'

/**
 * One turn of the event loop for each who asks, in the order of asking: a burst of work that costs much of the one
 * thread holds up neither those who read nor the transaction under way.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve()

  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate())
    return this.#last
  }
}
