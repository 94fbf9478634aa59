import type { Rate } from './rates.ts'

/** What one address has used of its current window. */
export interface Budget {
  used: number
  endsMs: number
}

/**
 * Fixed windows, one per key, each starting with its first request. Memory is bounded by `mostKeys`: the window that
 * was opened first is forgotten first, which only ever gives somebody a fresh one.
 */
export class RateLimiter {
  readonly #budgets = new Map<string, Budget>()
  readonly policy: string

  constructor(
    /** As the headers call it. */
    readonly name: string,
    readonly rate: Rate,
    /** Milliseconds, from any fixed moment on. */
    private readonly now: () => number,
    private readonly mostKeys = 50_000,
  ) {
    this.policy = `"${name}";q=${rate.count};w=${Math.ceil(rate.windowMs / 1000)}`
  }

  /** Counts one request; `allows` says whether it is within the budget. */
  take(key: string): Budget {
    const nowMs = this.now()
    const known = this.#budgets.get(key)
    if (known !== undefined && nowMs < known.endsMs) {
      known.used += 1
      return known
    }
    const fresh = { used: 1, endsMs: nowMs + this.rate.windowMs }
    // Deleted first, so that the map stays in the order in which windows were opened.
    this.#budgets.delete(key)
    this.#budgets.set(key, fresh)
    if (this.#budgets.size > this.mostKeys) this.#forgetOldest()
    return fresh
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
    return this.#budgets.size
  }

  #forgetOldest(): void {
    const oldest = this.#budgets.keys().next()
    if (!oldest.done) this.#budgets.delete(oldest.value)
  }
}
