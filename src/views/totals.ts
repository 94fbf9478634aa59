import { readTotals, type Totals } from '../store/read-hosts.ts'
import type { Store } from '../store/store.ts'

/** Counting must not cost more than this part of the time. */
const SHARE = 0.02

/**
 * The totals of the whole directory. Counting reads a row per host, so on a large directory they are counted less often
 * than it changes. Whoever was told totals that had become old is told so later: `renewals` is part of the directory's
 * epoch, and grows when pages that show them should be made again.
 */
export class RememberedTotals {
  renewals = 0
  readonly #store: Store
  #last: { readonly epoch: number; readonly untilMs: number; readonly totals: Totals } | undefined
  #renewing = false

  constructor(store: Store) {
    this.#store = store
  }

  async read(): Promise<Totals> {
    const epoch = this.#store.epoch()
    const startMs = performance.now()
    if (this.#last?.epoch === epoch) return this.#last.totals
    if (this.#last && startMs < this.#last.untilMs) {
      this.#renewAfter(this.#last.untilMs - startMs)
      return this.#last.totals
    }
    const totals = await readTotals(this.#store)
    const endMs = performance.now()
    this.#last = { epoch, untilMs: endMs + (endMs - startMs) / SHARE, totals }
    return totals
  }

  #renewAfter(ms: number): void {
    if (this.#renewing) return
    this.#renewing = true
    setTimeout(() => {
      this.#renewing = false
      this.renewals += 1
    }, ms).unref()
  }
}
