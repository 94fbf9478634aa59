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

/** What the work gives, or `null` when the signal says stop first; what the work does later is ignored. */
export function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(null)
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

/** Wakes who waits for something to have changed. A ring that nobody hears is kept for the next who waits. */
export class Bell {
  #rung = false
  #wake: () => void = () => undefined

  ring(): void {
    this.#rung = true
    this.#wake()
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung) {
      const heard = new AbortController()
      this.#wake = () => heard.abort()
      const stop = (): void => heard.abort()
      signal.addEventListener('abort', stop)
      await wait(signal.aborted ? 0 : ms, heard.signal)
      signal.removeEventListener('abort', stop)
    }
    this.#rung = false
  }
}
