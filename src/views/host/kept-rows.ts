import { RAILS } from '../../domain/route.ts'
import type { Day } from '../../domain/time/day.ts'
import type { Description } from '../../domain/words/description.ts'
import { type HostListRow, readListRows, SAID, type Said } from '../../store/search/list-rows.ts'
import type { HostPlace } from '../../store/search/read-hosts.ts'
import type { Store } from '../../store/store.ts'
import { ROW_DAYS } from './day-view.ts'
import type { HostRow } from './hosts-view.ts'
import { hostNowOf, priceCheckOf } from './now-view.ts'
import { pastViewOf } from './past-view.ts'
import { dayViewOf, resultsOf, reviewCountsOf } from './rows.ts'

/** A host as it is listed where nobody looks for anything, and what a search may choose its description from. */
export interface ListedRow {
  /** The same one for the same version, so that what is made of it can be kept too. */
  readonly row: HostRow
  readonly said: readonly Description[]
}

interface Kept extends ListedRow {
  readonly version: number
  readonly most: Said
}

/** Of some 10 kB each, with what is written of them. */
const MOST_KEPT = 500

const all = new WeakMap<Store, KeptRows>()

/** Those of a store. */
export function keptRows(store: Store): KeptRows {
  const known = all.get(store) ?? new KeptRows(store)
  all.set(store, known)
  return known
}

/**
 * Rows of the hosts that were listed last. A list is made anew whenever anything was written, and few of its hosts have
 * changed by then: a row stands as long as its host's version does.
 */
export class KeptRows {
  /** The one that was used last at the end. */
  readonly #rows = new Map<number, Kept>()
  #today: Day | undefined

  constructor(private readonly store: Store) {}

  /** By the numbers of their hosts, in the order of these; of which there is none any more, none. */
  async read(places: readonly HostPlace[], today: Day, said: Said): Promise<ReadonlyMap<number, ListedRow>> {
    if (this.#today !== today) this.#rows.clear()
    this.#today = today
    const found = new Map(places.map((place) => [place.host_id, this.#standing(place, said)]))
    const missing = [...found].flatMap(([hostId, row]) => (row === undefined ? [hostId] : []))
    for (const row of await readListRows(this.store, missing, today - ROW_DAYS + 1, said)) {
      const kept: Kept = { version: row.version, most: said, row: rowOf(row), said: row.said }
      found.set(row.host_id, kept)
      // Another day may have begun meanwhile.
      if (this.#today === today) this.#keep(row.host_id, kept)
    }
    return new Map([...found].flatMap(([hostId, row]) => (row === undefined ? [] : [[hostId, row]])))
  }

  #standing({ host_id, version }: HostPlace, said: Said): ListedRow | undefined {
    const kept = this.#rows.get(host_id)
    if (kept === undefined || kept.version !== version || SAID[kept.most] < SAID[said]) return undefined
    this.#keep(host_id, kept)
    return kept.most === said ? kept : { ...kept, said: kept.said.slice(0, SAID[said]) }
  }

  #keep(hostId: number, kept: Kept): void {
    this.#rows.delete(hostId)
    this.#rows.set(hostId, kept)
    if (this.#rows.size <= MOST_KEPT) return
    const [oldest] = this.#rows.keys()
    if (oldest !== undefined) this.#rows.delete(oldest)
  }
}

function rowOf(row: HostListRow): HostRow {
  const now = hostNowOf(row.name, row.now[0] ?? null, row)
  return {
    host: row.name,
    routes: row.routes,
    rails: RAILS.filter((rail) => row[`has_${rail}`] !== null),
    priceMin: row.price_min,
    priceMax: row.price_max,
    now,
    past: pastViewOf(now, row.past, row),
    check: priceCheckOf(row, row.differing[0] ?? null),
    medianMs: row.median_sum_ms === null ? null : row.median_sum_ms / 2,
    results: resultsOf(row),
    newestEvidenceUs: row.newest_probe_us,
    days: row.days.map(dayViewOf),
    reviewCounts: reviewCountsOf(row),
    match: null,
    description: row.said[0] ?? null,
  }
}
