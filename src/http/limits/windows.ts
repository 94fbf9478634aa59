/** What one key has used of its current window. */
export interface Budget {
  used: number
  endsMs: number
}

/** So many keys of one limit are remembered at most. */
export const MOST_KEYS = 50_000

/**
 * Fixed windows, one per key. Memory is bounded by `mostKeys`: the window that was opened first is forgotten first, which
 * only ever gives somebody a fresh one.
 */
export class Windows {
  readonly #budgets = new Map<string, Budget>()

  constructor(private readonly mostKeys = MOST_KEYS) {}

  get size(): number {
    return this.#budgets.size
  }

  /** Counts so many against the open window of a key, or opens one that ends then. */
  add(key: string, n: number, nowMs: number, endsMs: number): Budget {
    const known = this.#budgets.get(key)
    if (known !== undefined && nowMs < known.endsMs) {
      known.used += n
      return known
    }
    const fresh = { used: n, endsMs }
    // Deleted first, so that the map stays in the order in which windows were opened.
    this.#budgets.delete(key)
    this.#budgets.set(key, fresh)
    if (this.#budgets.size > this.mostKeys) this.#forgetOldest()
    return fresh
  }

  /** Those that are still open. */
  *open(nowMs: number): Generator<[key: string, budget: Readonly<Budget>]> {
    for (const [key, budget] of this.#budgets) if (nowMs < budget.endsMs) yield [key, budget]
  }

  #forgetOldest(): void {
    const oldest = this.#budgets.keys().next()
    if (!oldest.done) this.#budgets.delete(oldest.value)
  }
}
