import { type EgressError, EgressFault } from './errors.ts'

/** The one time limit of a call: whatever stage it is in when the limit strikes (lookup, connection, handshake, answer) ends then. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), ms)
  }

  get isOver(): boolean {
    return this.#controller.signal.aborted
  }

  /** Settles like `work`. When the time is up first: rejects as `kind` and calls `cancel`; what `work` does later is ignored. */
  async within<T>(work: Promise<T>, kind: EgressError = 'deadline', cancel: () => void = () => {}): Promise<T> {
    const { signal } = this.#controller
    let strike = (): void => {}
    const struck = new Promise<never>((_, reject) => {
      strike = () => {
        reject(new EgressFault(kind, 'the time of this call is up'))
        cancel()
      }
    })
    if (this.isOver) strike()
    else signal.addEventListener('abort', strike)
    try {
      return await Promise.race([struck, work])
    } finally {
      signal.removeEventListener('abort', strike)
    }
  }

  /** To be called when the call is over, so that nothing waits for the timer. */
  clear(): void {
    clearTimeout(this.#timer)
  }
}
