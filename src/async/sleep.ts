import { setMaxListeners } from 'node:events'

/** Resolves after so many milliseconds, or as soon as the signal says stop. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
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
