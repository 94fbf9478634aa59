import { type EgressError, EgressFault } from './errors.ts'

/** The one time limit of a call: whatever stage it is in when the limit strikes (lookup, connection, handshake, answer) ends then. */
export class Deadline {
  #isOver = false
  /** What the stage under way does when the time is up. Not an `AbortSignal`: making one costs more than the request. */
  #strike: (() => void) | null = null
  readonly #timer: NodeJS.Timeout

  constructor(ms: number) {
    this.#timer = setTimeout(() => {
      this.#isOver = true
      this.#strike?.()
    }, ms)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * Settles like `work`, one stage at a time. When the time is up first: rejects as `kind` and calls `cancel`; what
   * `work` does later is ignored.
   */
  within<T>(work: Promise<T>, kind: EgressError = 'deadline', cancel: () => void = () => {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const strike = (): void => {
        reject(new EgressFault(kind, 'the time of this call is up'))
        cancel()
      }
      this.#strike = strike
      work.then(resolve, reject).finally(() => {
        if (this.#strike === strike) this.#strike = null
      })
      if (this.#isOver) strike()
    })
  }

  /** To be called when the call is over, so that nothing waits for the timer. */
  clear(): void {
    clearTimeout(this.#timer)
  }
}
