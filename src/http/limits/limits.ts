import type { Rate } from './rates.ts'
import { type Budget, MOST_KEYS, Windows } from './windows.ts'

export type { Budget } from './windows.ts'

/** Hears of every request that is counted, and for how much longer it counts. */
export type OnTaken = (key: string, leftMs: number) => void

/** Fixed windows, one per key, each starting with its first request. */
export class RateLimiter {
  readonly #windows: Windows
  readonly policy: string
  #onTaken: OnTaken | undefined

  constructor(
    /** As the headers call it. */
    readonly name: string,
    readonly rate: Rate,
    /** Milliseconds, from any fixed moment on. */
    private readonly now: () => number,
    mostKeys = MOST_KEYS,
  ) {
    this.#windows = new Windows(mostKeys)
    this.policy = `"${name}";q=${rate.count};w=${Math.ceil(rate.windowMs / 1000)}`
  }

  /** Counts one request; `allows` says whether it is within the budget. */
  take(key: string): Budget {
    const nowMs = this.now()
    const budget = this.#windows.add(key, 1, nowMs, nowMs + this.rate.windowMs)
    this.#onTaken?.(key, budget.endsMs - nowMs)
    return budget
  }

  /** Counts what another process took. */
  takenElsewhere(key: string, n: number, leftMs: number): void {
    const nowMs = this.now()
    this.#windows.add(key, n, nowMs, nowMs + leftMs)
  }

  tell(onTaken: OnTaken): void {
    this.#onTaken = onTaken
  }

  allows(budget: Budget): boolean {
    return budget.used <= this.rate.count
  }

  /** Whole seconds until the window ends, at least one. */
  retryAfterSeconds(budget: Budget): number {
    return Math.max(1, Math.ceil((budget.endsMs - this.now()) / 1000))
  }

  /** The `RateLimit` field of draft-ietf-httpapi-ratelimit-headers. */
  state(budget: Budget): string {
    return `"${this.name}";r=${Math.max(0, this.rate.count - budget.used)};t=${this.retryAfterSeconds(budget)}`
  }

  get size(): number {
    return this.#windows.size
  }
}
