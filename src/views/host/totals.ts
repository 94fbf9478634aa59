import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { readTotals, type Totals } from '../../store/search/read-totals.ts'
import type { Store } from '../../store/store.ts'

/** Counting must not cost more than this part of the time. */
const SHARE = 0.02

/** Up to here a reader waits for a count. */
const SHORT_MS = 20

interface Counted {
  readonly epoch: number
  readonly tookMs: number
  readonly untilMs: number
  readonly totals: Totals
}

/**
 * The totals of the whole directory. Counting reads a row per host, so on a large directory they are counted less often
 * than it changes. Whoever was told totals that had become old is told so later: `renewals` is part of the directory's
 * epoch, and grows when pages that show them should be made again.
 */
export class RememberedTotals {
  renewals = 0
  readonly #store: Store
  #last: Counted | undefined
  #counting: Promise<Totals> | undefined
  #renewing = false

  constructor(
    store: Store,
    private readonly nowUs: () => TimestampUs,
  ) {
    this.#store = store
  }

  async read(): Promise<Totals> {
    const epoch = this.#store.epoch()
    const startMs = performance.now()
    if (this.#last?.epoch === epoch) return this.#last.totals
    if (this.#last && startMs < this.#last.untilMs) {
      const waitMs = this.#last.untilMs - startMs
      this.#renewOnce((renew) => setTimeout(renew, waitMs).unref())
      return this.#last.totals
    }
    const counting = this.#count(epoch)
    if (this.#last === undefined || this.#last.tookMs < SHORT_MS) return counting
    // Nobody waits for a long count: those who are told the old totals are told so when it is done.
    this.#renewOnce((renew) => void counting.then(renew, renew))
    return this.#last.totals
  }

  /** One at a time. */
  #count(epoch: number): Promise<Totals> {
    this.#counting ??= this.#counted(epoch).finally(() => {
      this.#counting = undefined
    })
    return this.#counting
  }

  async #counted(epoch: number): Promise<Totals> {
    const startMs = performance.now()
    const totals = await readTotals(this.#store, this.nowUs())
    const endMs = performance.now()
    const tookMs = endMs - startMs
    this.#last = { epoch, tookMs, untilMs: endMs + tookMs / SHARE, totals }
    return totals
  }

  #renewOnce(start: (renew: () => void) => void): void {
    if (this.#renewing) return
    this.#renewing = true
    start(() => {
      this.#renewing = false
      this.renewals += 1
    })
  }
}
