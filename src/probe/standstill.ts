const BEAT_MS = 500
/** Between two beats; a program that is merely busy comes back sooner. */
const MOST_MS = 2_500

/**
 * Whether this program itself stood still: frozen, or kept from running by its machine. How long a seller took meanwhile, and whether
 * it answered in time, nobody saw.
 */
export class Standstill {
  #beatMs: number
  #endedMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly nowMs: () => number,
    private readonly onEnd: (ms: number) => void = () => undefined,
  ) {
    this.#beatMs = nowMs()
  }

  /** Beats until the work is over. */
  async during(work: Promise<void>): Promise<void> {
    const beating = setInterval(() => this.beat(), BEAT_MS).unref()
    try {
      await work
    } finally {
      clearInterval(beating)
    }
  }

  /** The time, after a look at how long the last beat is ago. */
  beat(): number {
    const nowMs = this.nowMs()
    const stillMs = nowMs - this.#beatMs
    this.#beatMs = nowMs
    if (stillMs <= MOST_MS) return nowMs
    this.#endedMs = nowMs
    this.onEnd(Math.round(stillMs))
    return nowMs
  }

  /** Whether it stood still at any time after that beat. */
  since(beatMs: number): boolean {
    this.beat()
    return this.#endedMs > beatMs
  }
}
