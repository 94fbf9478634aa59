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
