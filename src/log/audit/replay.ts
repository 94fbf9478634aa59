import { latencyLine, medianOf, middleRanks } from '../../domain/latency.ts'
import { classify, type ProbeResult, summaryLine } from '../../domain/probe.ts'
import type { SupportLevel } from '../../domain/review.ts'
import type { EntryRecord } from '../../wire/log/entry.ts'
import { type SaidWords, SellerReplay, within } from './replayed-sellers.ts'

/** A probe entry as the log has it. */
export interface ReplayedProbe {
  readonly index: number
  readonly error: unknown
  readonly challengeSha256: unknown
  readonly vantage: unknown
  readonly shield: unknown
}

export interface ReplayedListing {
  readonly index: number
  first: string
  last: string
  gone: string | null
}

export interface ReplayedReview {
  readonly index: number
  readonly record: EntryRecord
  level: SupportLevel
  excluded: string | null
  superseded: boolean
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

/** A host as the log alone gives it: nothing of the server's own counting has a part in it. */
export class HostReplay {
  readonly routes = new Set<string>()
  readonly probes = new Map<string, ReplayedProbe>()
  /** By their routes. */
  readonly listings = new Map<string, Map<string, ReplayedListing>>()
  readonly reviews = new Map<string, ReplayedReview>()
  readonly posts = new Map<string, SaidWords>()
  readonly seller = new SellerReplay()
  readonly #results: Record<ProbeResult, number> = { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }
  readonly #latency = new Map<number, number>()
  newest: string | null = null

  take(record: EntryRecord, index: number): void {
    if (record.url !== undefined) this.routes.add(routeText(record, record.url))
    this.#takers[record.kind]?.(record, index)
  }

  /** Kinds that nothing here follows from are passed over. */
  readonly #takers: Readonly<Record<string, (record: EntryRecord, index: number) => void>> = {
    probe: (record, index) => this.#probe(record, index),
    listing: (record, index) => this.#listing(record, index),
    review: (record, index) => this.#review(record, index),
    review_level: (record) => this.#level(record),
    post: (record, index) => this.#post(record, index),
    post_withdrawn: (record) => this.#withdrawn(record),
    claim: (record, index) => this.seller.claim(record, index),
    statement: (record, index) => this.seller.statement(record, index),
    statement_withdrawn: (record) => this.seller.withdrawn(record),
    signed_offer: (record, index) => this.seller.offer(routeText(record, record.url), record, index),
    offer_key: (record) => this.seller.key(record),
    folded: (record) => this.#folded(record),
    folded_latency: (record) => this.#add(count(record.latency_ms), count(record.entries)),
  }

  #withdrawn({ id, at, reason }: EntryRecord): void {
    const post = this.posts.get(text(id))
    if (post !== undefined) post.hidden = { at, reason }
  }

  #probe(record: EntryRecord, index: number): void {
    const key = probeKey(routeText(record, record.url), record)
    if (this.probes.has(key)) return
    const { error, vantage, shield, challenge_sha256: challengeSha256 } = record
    this.probes.set(key, { index, error, challengeSha256, vantage, shield })
    const status = record.http_status === null ? null : count(record.http_status)
    this.#results[classify(status)] += 1
    this.#add(count(record.latency_ms), 1)
    this.#seen(text(record.date))
  }

  #listing(record: EntryRecord, index: number): void {
    const rows = within(this.listings, routeText(record, record.url))
    const key = listingKey(record)
    const [first, last] = [text(record.first_observed), text(record.last_observed)]
    const known = rows.get(key)
    const gone = textOrNull(record.no_longer_named_since)
    if (known === undefined) rows.set(key, { index, first, last, gone })
    else {
      if (first < known.first) known.first = first
      if (last >= known.last) known.last = last
      known.gone = gone
    }
  }

  #review(record: EntryRecord, index: number): void {
    const standing = {
      level: levelOf(record.level),
      excluded: textOrNull(record.excluded),
      superseded: record.superseded === true,
    }
    if (!this.reviews.has(text(record.id))) this.reviews.set(text(record.id), { index, record, ...standing })
  }

  #level(record: EntryRecord): void {
    const review = this.reviews.get(text(record.id))
    if (review === undefined) return
    review.level = levelOf(record.level)
    review.excluded = textOrNull(record.excluded)
    review.superseded = record.superseded === true
  }

  #post(record: EntryRecord, index: number): void {
    if (!this.posts.has(text(record.id)))
      this.posts.set(text(record.id), { places: [index], record, hidden: record.hidden })
  }

  #folded(record: EntryRecord): void {
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
    if (this.newest === null || date > this.newest) this.newest = date
  }

  get entries(): number {
    return Object.values(this.#results).reduce((sum, n) => sum + n, 0)
  }

  get summary(): string {
    return summaryLine(this.#results)
  }

  get latency(): string {
    const rows = [...this.#latency].sort(([a], [b]) => a - b)
    const samples = rows.reduce((sum, [, n]) => sum + n, 0)
    const [lowest, highest] = [rows[0], rows.at(-1)]
    if (lowest === undefined || highest === undefined) return latencyLine(null)
    const at = (rank: number): number => {
      let passed = 0
      for (const [latencyMs, n] of rows) {
        passed += n
        if (passed >= rank) return latencyMs
      }
      return 0
    }
    const [low, high] = middleRanks(samples)
    return latencyLine({ samples, minMs: lowest[0], medianMs: medianOf(at(low), at(high)), maxMs: highest[0] })
  }

  /** Counted ones by level, and how many are shown and never counted. */
  get reviewCounts(): {
    readonly verified_buyer: number
    readonly signed: number
    readonly unsigned: number
    readonly excluded: number
  } {
    const all = [...this.reviews.values()]
    const of = (level: SupportLevel): number =>
      all.filter((review) => review.level === level && review.excluded === null && !review.superseded).length
    return {
      verified_buyer: of('Verified buyer'),
      signed: of('Signed'),
      unsigned: of('Unsigned'),
      excluded: all.filter(({ excluded }) => excluded !== null).length,
    }
  }
}

const levelOf = (level: unknown): SupportLevel =>
  level === 'Verified buyer' || level === 'Signed' ? level : 'Unsigned'
