import { setMaxListeners } from 'node:events'

/** Resolves after so many milliseconds, or as soon as the signal says stop. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

/** Resolves when the work is done, or as soon as the signal says stop; what the work does later is ignored. */
export function untilStopped(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve()
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Says stop so long after another signal did. */
export function later(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController()
  const start = (): void => {
    setTimeout(() => controller.abort(), ms).unref()
  }
  if (signal.aborted) start()
  else signal.addEventListener('abort', start, { once: true })
  // Every call under way listens.
  setMaxListeners(0, signal, controller.signal)
  return controller.signal
}

/** Wakes the one who waits for something to have changed. A ring that nobody hears is kept for the next who waits. */
export class Bell {
  #isRung = false
  #wake: (() => void) | null = null

  ring(): void {
    this.#isRung = true
    this.#wake?.()
  }

  /** Resolves at the next ring, after so many milliseconds, or when the signal says stop. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          this.#wake = null
          resolve()
        }
        const timer = setTimeout(end, ms)
        signal.addEventListener('abort', end)
        this.#wake = end
      })
    }
    this.#isRung = false
  }
}
