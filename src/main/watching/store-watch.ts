import { inTime } from '../../async/in-time.ts'
import { countHistory } from '../../log/stored/history.ts'
import { countPending, readTreeHead } from '../../log/stored/tree.ts'
import { type Standing, sourceStandings } from '../../store/facts/source-standings.ts'
import { oldestPendingUs, type PaymentTotal, paymentTotals } from '../../store/posts/payments.ts'
import { type FirstTurn, firstTurns } from '../../store/schedule/overdue.ts'
import type { Reader } from '../../store/schema.ts'
import { type SellerTotals, sellerTotals } from '../../store/sellers/totals.ts'
import type { Store } from '../../store/store.ts'

/** What is counted in the store for those who watch it. Times, not ages: these go on growing while the store is away. */
export interface StoreCounts {
  readonly payments: readonly PaymentTotal[]
  readonly oldestPendingUs: number | null
  readonly firstTurns: readonly FirstTurn[]
  readonly sources: readonly Standing[]
  readonly sellers: SellerTotals
  readonly log: { readonly size: number; readonly pending: number; readonly history: number }
}

export interface Looked {
  readonly isUp: boolean
  /** As they were last read; `null` before the first time. */
  readonly counts: StoreCounts | null
  readonly ageMs: number
}

/** A scrape within this time of another reads nothing. */
const FRESH_MS = 10_000
/** A store that needs longer counts as down, and the scrape is answered without it. */
const MOST_MS = 1_000

/** Looks at the store for scrapes: one look at a time, never waited for longer than a second, and never rejecting. */
export class StoreWatch {
  #counts: StoreCounts | null = null
  #readAtMs = 0
  #isUp = false
  #looking: Promise<void> | null = null
  #lookedAtMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly store: Store,
    private readonly sources: readonly string[],
    private readonly nowMs: () => number,
  ) {}

  async look(): Promise<Looked> {
    if (this.#looking === null && this.nowMs() - this.#lookedAtMs >= FRESH_MS) {
      this.#lookedAtMs = this.nowMs()
      this.#looking = this.#read().finally(() => {
        this.#looking = null
      })
    }
    if (this.#looking !== null) await inTime(this.#looking, MOST_MS, undefined)
    return { isUp: this.#isUp && this.#looking === null, counts: this.#counts, ageMs: this.nowMs() - this.#readAtMs }
  }

  async #read(): Promise<void> {
    try {
      await this.store.ping()
      this.#counts = await countsOf(this.store, this.sources)
      this.#readAtMs = this.nowMs()
      this.#isUp = true
    } catch {
      this.#isUp = false
      // Somebody watches how long it is away: the next scrape looks again.
      this.#lookedAtMs = Number.NEGATIVE_INFINITY
    }
  }
}

const countsOf = async (store: Store, sources: readonly string[]): Promise<StoreCounts> => ({
  payments: await paymentTotals(store),
  oldestPendingUs: await oldestPendingUs(store.read),
  firstTurns: await firstTurns(store.read),
  sources: await sourceStandings(store.read, sources),
  sellers: await sellerTotals(store.read),
  log: await logCounts(store.read),
})

const MOST_PENDING = 10_000

async function logCounts(reader: Reader): Promise<StoreCounts['log']> {
  const { size, settledId } = await readTreeHead(reader)
  return { size, pending: await countPending(reader, settledId, MOST_PENDING), history: await countHistory(reader) }
}
