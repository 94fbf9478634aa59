import { sleep } from '../../async/sleep.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { keepTotals, readKeptTotals } from '../../store/search/kept-totals.ts'
import { readTotals, type Totals } from '../../store/search/read-totals.ts'
import type { Store } from '../../store/store.ts'

/** Counting must not cost more than this part of the time. */
const SHARE = 0.02

const LIMITS = {
  /** Up to here a reader waits for a count. */
  shortMs: 20,
  /** A count that takes so long is kept for the next start. */
  longMs: 1000,
}

interface Counted {
  /** `null`: counted before the program was started. */
  readonly epoch: number | null
  readonly tookMs: number
  readonly untilMs: number
  readonly totals: Totals
}

/**
 * The totals of the whole directory. Counting reads a row per host, so on a large directory they are counted less often
 * than it changes. Whoever was told totals that had become old is told so later: `renewals` is part of the directory's
 * epoch, and grows when pages that show them should be made again. After a start those that were kept are the old ones.
 */
export class RememberedTotals {
  renewals = 0
  readonly #store: Store
  #started: Promise<void> | undefined
  #soon: Promise<void> | undefined
  #last: Counted | undefined
  #counting: Promise<Totals> | undefined
  #renewing = false

  constructor(
    store: Store,
    private readonly nowUs: () => TimestampUs,
    private readonly limits: Readonly<typeof LIMITS> = LIMITS,
  ) {
    this.#store = store
  }

  async read(): Promise<Totals> {
    this.#started ??= this.#start()
    await this.#started
    const epoch = this.#store.epoch()
    const startMs = performance.now()
    if (this.#last?.epoch === epoch) return this.#last.totals
    if (this.#last && startMs < this.#last.untilMs) {
      const waitMs = this.#last.untilMs - startMs
      this.#renewOnce((renew) => setTimeout(renew, waitMs).unref())
      return this.#last.totals
    }
    const counting = this.#count(epoch)
    if (this.#last === undefined || this.#last.tookMs < this.limits.shortMs) return counting
    if (this.#last.epoch === null) {
      this.#soon ??= sleep(this.limits.shortMs)
      await Promise.race([counting, this.#soon])
      if (this.#last.epoch !== null) return this.#last.totals
    }
    // Nobody waits for a long count: those who are told the old totals are told so when it is done.
    this.#renewOnce((renew) => void counting.then(renew, renew))
    return this.#last.totals
  }

  /** Whoever cannot read them counts. */
  async #start(): Promise<void> {
    const totals = await readKeptTotals(this.#store, this.nowUs()).catch(() => undefined)
    if (totals !== undefined) this.#last = { epoch: null, tookMs: this.limits.longMs, untilMs: 0, totals }
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
    const nowUs = this.nowUs()
    const totals = await readTotals(this.#store, nowUs)
    const endMs = performance.now()
    const tookMs = endMs - startMs
    this.#last = { epoch, tookMs, untilMs: endMs + tookMs / SHARE, totals }
    // What cannot be kept is counted again after the next start.
    if (tookMs >= this.limits.longMs) void keepTotals(this.#store, totals, nowUs).catch(() => undefined)
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
