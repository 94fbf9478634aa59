import { type LatencyCount, latencyLine, latencyOf } from '../../domain/latency.ts'
import { NO_VANTAGE, SHIELDS } from '../../domain/now/vantage.ts'
import { classify, type ProbeResult, summaryLine } from '../../domain/probe.ts'
import { EXCLUSIONS, type ReviewStanding, type SupportLevel } from '../../domain/review.ts'
import { parseTimestamp } from '../../domain/time/timestamp.ts'
import type { EntryRecord } from '../../wire/log/entry.ts'
import { ReplayedDays, type ToldDays } from './figures/days.ts'
import type { PlacedEntry } from './figures/now.ts'
import { ReplayedCalls } from './figures/paid-calls.ts'
import { type SaidWords, SellerReplay, within } from './replayed-sellers.ts'
import { States } from './states.ts'

/** A probe entry as the log has it. */
export interface ReplayedProbe {
  readonly index: number
  readonly route: string
  readonly atUs: number
  readonly httpStatus: number | null
  readonly error: unknown
  readonly challengeSha256: unknown
  readonly vantage: unknown
  readonly shield: unknown
}

/** How long a listing row went on. */
export interface Interval {
  readonly first: string
  readonly last: string
  readonly gone: string | null
}

export interface ReplayedListing {
  readonly index: number
  readonly intervals: States<Interval>
}

export interface ReplayedReview extends SaidWords {
  readonly standings: States<ReviewStanding>
}

/** What is counted of a host, by the words for it. */
export type Counted = Readonly<Record<string, unknown>>

/** What is counted of a host at one place of the log. */
export interface CountedOnce {
  readonly counted: Counted
  readonly days: ToldDays
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const count = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** By what routes and rows are told apart, in the log and in what is shown. */
export const routeText = (route: Readonly<Record<string, unknown>>, url: unknown): string =>
  `${route.method} ${url} ${route.rail}`
export const probeKey = (route: string, probe: Readonly<Record<string, unknown>>): string =>
  `${route}\n${probe.date}\n${probe.http_status}\n${probe.latency_ms}`
export const listingKey = (row: Readonly<Record<string, unknown>>): string =>
  `${row.source}\n${row.price}\n${row.network}`

/**
 * A host as the log alone gives it: nothing of the server's own counting has a part in it. Of what changes, everything is kept
 * that the log gave from the place `since` on.
 */
export class HostReplay {
  /** With the place at which each is first named. */
  readonly routes = new Map<string, number>()
  readonly probes = new Map<string, ReplayedProbe>()
  /** By their routes. */
  readonly listings = new Map<string, Map<string, ReplayedListing>>()
  readonly reviews = new Map<string, ReplayedReview>()
  readonly posts = new Map<string, SaidWords>()
  readonly seller: SellerReplay
  readonly paidCalls = new ReplayedCalls()
  /** Those of which an import brought what entries counted for, without the entries. */
  readonly foldedRoutes = new Set<string>()
  readonly #results: Record<ProbeResult, number> = { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }
  readonly #latency = new Map<number, number>()
  readonly #days = new ReplayedDays()
  readonly #countedBefore: CountedOnce[] = []
  #newest: string | null = null
  #place = -1

  constructor(readonly since = Number.POSITIVE_INFINITY) {
    this.seller = new SellerReplay(since)
  }

  take(record: EntryRecord, index: number): void {
    if (this.#isLate(index) && index !== this.#place) this.#countedBefore.push(this.#countedOnce())
    this.#place = index
    const route = record.url === undefined ? undefined : routeText(record, record.url)
    if (route !== undefined && !this.routes.has(route)) this.routes.set(route, index)
    this.#takers[record.kind]?.(record, index)
  }

  /** Kinds that nothing here follows from are passed over. */
  readonly #takers: Readonly<Record<string, (record: EntryRecord, index: number) => void>> = {
    probe: (record, index) => this.#probe(record, index),
    listing: (record, index) => this.#listing(record, index),
    review: (record, index) => this.#review(record, index),
    review_level: (record, index) => this.#level(record, index),
    review_withdrawn: (record, index) => this.#withdrawn(this.reviews, record, index),
    post: (record, index) => this.#post(record, index),
    post_withdrawn: (record, index) => this.#withdrawn(this.posts, record, index),
    post_restored: ({ id }, index) => this.posts.get(text(id))?.hidden.add(null, this.#isLate(index)),
    claim: (record, index) => this.seller.claim(record, index),
    statement: (record, index) => this.seller.statement(record, index),
    statement_withdrawn: (record, index) => this.seller.withdrawn(record, index),
    signed_offer: (record, index) => this.seller.offer(routeText(record, record.url), record, index),
    offer_key: (record, index) => this.seller.key(record, index),
    folded: (record) => this.#folded(record),
    folded_latency: (record) => this.#add(count(record.latency_ms), count(record.entries)),
  }

  #isLate(index: number): boolean {
    return index >= this.since
  }

  #withdrawn(
    all: ReadonlyMap<string, { readonly hidden: States<unknown> }>,
    { id, at, reason }: EntryRecord,
    index: number,
  ): void {
    all.get(text(id))?.hidden.add({ at, reason }, this.#isLate(index))
  }

  #probe(record: EntryRecord, index: number): void {
    const key = probeKey(routeText(record, record.url), record)
    if (this.probes.has(key)) return
    const { error, vantage, shield, challenge_sha256: challengeSha256 } = record
    const httpStatus = record.http_status === null ? null : count(record.http_status)
    const atUs = parseTimestamp(text(record.date)) ?? 0
    const route = routeText(record, record.url)
    this.probes.set(key, { index, route, atUs, httpStatus, error, challengeSha256, vantage, shield })
    this.#results[classify(httpStatus)] += 1
    this.#add(count(record.latency_ms), 1)
    this.#days.add(text(record.date), httpStatus, count(record.latency_ms))
    this.#seen(text(record.date))
  }

  #listing(record: EntryRecord, index: number): void {
    const rows = within(this.listings, routeText(record, record.url))
    const key = listingKey(record)
    const [first, last] = [text(record.first_observed), text(record.last_observed)]
    const known = rows.get(key)
    const before = known?.intervals.last
    const gone = textOrNull(record.no_longer_named_since)
    const interval = {
      first: before !== undefined && before.first < first ? before.first : first,
      last: before !== undefined && before.last > last ? before.last : last,
      gone,
    }
    if (known === undefined) rows.set(key, { index, intervals: new States(interval) })
    else known.intervals.add(interval, this.#isLate(index))
  }

  #review(record: EntryRecord, index: number): void {
    if (this.reviews.has(text(record.id))) return
    const hidden = new States<unknown>(record.hidden)
    const after = standingOf(record)
    this.reviews.set(text(record.id), { places: [index], record, standings: new States(after), hidden })
    this.#stands(record, { before: null, after }, index)
  }

  #level(record: EntryRecord, index: number): void {
    const known = this.reviews.get(text(record.id))
    if (known === undefined) return
    const after = standingOf(record)
    this.#stands(known.record, { before: known.standings.last ?? null, after }, index)
    known.standings.add(after, this.#isLate(index))
  }

  #stands(
    review: EntryRecord,
    standings: { readonly before: ReviewStanding | null; readonly after: ReviewStanding },
    index: number,
  ): void {
    const route = routeText(review, review.url)
    this.paidCalls.stands({ route, outcome: review.outcome }, standings, this.#isLate(index))
  }

  #post(record: EntryRecord, index: number): void {
    const hidden = new States<unknown>(record.hidden)
    if (!this.posts.has(text(record.id))) this.posts.set(text(record.id), { places: [index], record, hidden })
  }

  /** Entries by their routes. */
  entries(): ReadonlyMap<string, readonly PlacedEntry[]> {
    const routes = new Map<string, PlacedEntry[]>()
    for (const { route, index, atUs, httpStatus, vantage, shield } of this.probes.values()) {
      const known = routes.get(route) ?? []
      routes.set(route, known)
      const stopped = SHIELDS.find((one) => one === shield) ?? null
      known.push({ index, atUs, httpStatus, vantage: textOrNull(vantage) ?? NO_VANTAGE, shield: stopped })
    }
    return routes
  }

  #folded(record: EntryRecord): void {
    this.foldedRoutes.add(routeText(record, record.url))
    this.#results.answers += count(record.answers)
    this.#results['402-correct'] += count(record['402_correct'])
    this.#results.failed += count(record.failed)
    this.#results.unreachable += count(record.unreachable)
    this.#seen(text(record.newest))
  }

  #add(latencyMs: number, n: number): void {
    this.#latency.set(latencyMs, (this.#latency.get(latencyMs) ?? 0) + n)
  }

  #seen(date: string): void {
    if (this.#newest === null || date > this.#newest) this.#newest = date
  }

  /** What is counted, at every place since. */
  get counted(): readonly CountedOnce[] {
    return [...this.#countedBefore, this.#countedOnce()]
  }

  #countedOnce(): CountedOnce {
    return { counted: this.#countedNow(), days: this.#days.told }
  }

  #countedNow(): Counted {
    const { excluded, levels } = this.#reviewCounts()
    return {
      routes: this.routes.size,
      'machine evidence rows': Object.values(this.#results).reduce((sum, n) => sum + n, 0),
      'newest evidence': this.#newest,
      'agent reviews': Object.values(levels).reduce((sum, n) => sum + n, 0),
      'summary line': summaryLine(this.#results),
      'latency line': latencyLine(latencyOf(this.#latencyCounts())),
      'reviews of level verified_buyer': levels['Verified buyer'],
      'reviews of level signed': levels.Signed,
      'reviews of level unsigned': levels.Unsigned,
      'reviews that do not count': excluded,
      posts: this.posts.size,
      'paid calls': this.paidCalls.host,
    }
  }

  #latencyCounts(): LatencyCount[] {
    const counts = [...this.#latency].map(([latencyMs, n]) => ({ latencyMs, n }))
    return counts.sort((a, b) => a.latencyMs - b.latencyMs)
  }

  /** Counted ones by level, and how many are shown and never counted. */
  #reviewCounts(): { readonly levels: Readonly<Record<SupportLevel, number>>; readonly excluded: number } {
    const levels = { 'Verified buyer': 0, Signed: 0, Unsigned: 0 }
    let excluded = 0
    for (const { standings } of this.reviews.values()) {
      const { last } = standings
      if (last === undefined) continue
      if (last.excluded !== null) excluded += 1
      else if (!last.superseded) levels[last.level] += 1
    }
    return { levels, excluded }
  }
}

const standingOf = (record: EntryRecord): ReviewStanding => ({
  level: levelOf(record.level),
  excluded: EXCLUSIONS.find((reason) => reason === record.excluded) ?? null,
  superseded: record.superseded === true,
})

const levelOf = (level: unknown): SupportLevel =>
  level === 'Verified buyer' || level === 'Signed' ? level : 'Unsigned'
