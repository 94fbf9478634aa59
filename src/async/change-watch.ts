/** A look is begun so long after the one before. */
const EVERY_MS = 450
/** What nobody has looked at for so long may have changed. */
const MOST_AGE_MS = 950
/** Looks go on for so long after the last question, so that whoever asks now and then is answered by one. */
const GOES_ON_MS = 30_000

/**
 * Counts the changes of something that has to be asked for, such as the state of a server. The count is given at once and
 * is at most `MOST_AGE_MS` late: where no look is as young as that, it counts one more to be safe.
 */
export class ChangeWatch {
  #changes = 0
  /** What the last look saw; `undefined` where something may have changed since. */
  #seen: string | undefined
  /** Up to here every change is counted. */
  #knownMs = Number.NEGATIVE_INFINITY
  #askedMs = Number.NEGATIVE_INFINITY
  #beganMs = Number.NEGATIVE_INFINITY
  #isLooking = false
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly look: () => Promise<string>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  changes(): number {
    const now = this.nowMs()
    this.#askedMs = now
    if (now - this.#knownMs > MOST_AGE_MS) {
      this.#changes += 1
      this.#seen = undefined
      this.#knownMs = now
    }
    if (now - this.#beganMs >= EVERY_MS) void this.#renew()
    return this.#changes
  }

  close(): void {
    this.#askedMs = Number.NEGATIVE_INFINITY
    clearTimeout(this.#timer)
  }

  async #renew(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    clearTimeout(this.#timer)
    const began = this.nowMs()
    this.#beganMs = began
    try {
      const found = await this.look()
      if (found !== this.#seen) this.#changes += 1
      this.#seen = found
      this.#knownMs = began
    } catch {
      // What cannot be looked at is taken to change.
    }
    this.#isLooking = false
    if (this.nowMs() - this.#askedMs < GOES_ON_MS) this.#timer = setTimeout(() => void this.#renew(), EVERY_MS).unref()
  }
}
