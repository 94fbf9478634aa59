import { sha256Hex } from '../../domain/keys.ts'
import { jsonSha256 } from '../../wire/log/logged-record.ts'
import { fillPath, PATHS } from '../../wire/paths.ts'
import { type Reading, UnreadableError } from './reading.ts'
import { type HostReplay, listingKey, probeKey, routeText } from './replay.ts'

/** Something that is shown otherwise than the log gives it. */
export interface Difference {
  readonly host: string
  /** The counter, line or row. */
  readonly what: string
  readonly shown: string
  readonly logged: string
}

type Shown = Readonly<Record<string, unknown>>

const NOT_THERE = 'nothing'

const isShown = (value: unknown): value is Shown => typeof value === 'object' && value !== null && !Array.isArray(value)
const shownIn = (value: unknown, name: string): Shown => {
  const found = isShown(value) ? value[name] : undefined
  return isShown(found) ? found : {}
}
const listIn = (value: unknown, name: string): readonly Shown[] => {
  const found = isShown(value) ? value[name] : undefined
  return Array.isArray(found) ? found.filter(isShown) : []
}
const said = (value: unknown): string => (value === undefined ? NOT_THERE : JSON.stringify(value))

/** Holds what a directory shows of one host against what the log gives. */
export class HostComparison {
  readonly differences: Difference[] = []

  constructor(
    readonly reading: Reading,
    readonly host: string,
    readonly replay: HostReplay,
  ) {}

  async run(): Promise<readonly Difference[]> {
    const { host } = this
    const view = await this.reading.json(fillPath(PATHS.apiHost, { host }))
    if (view === undefined) {
      this.#differ('the host', NOT_THERE, `${this.replay.routes.size} routes`)
      return this.differences
    }
    this.#counters(view)
    const keptSince = shownIn(view, 'probe_history').entries_kept_since
    for (const route of await this.#all(fillPath(PATHS.apiHostRoutes, { host }), 'routes')) this.#route(route)
    await this.#probes(typeof keptSince === 'string' ? keptSince : '')
    await this.#reviews()
    await this.#posts()
    return this.differences
  }

  #differ(what: string, shown: string, logged: string): void {
    this.differences.push({ host: this.host, what, shown, logged })
  }

  #same(what: string, shown: unknown, logged: unknown): void {
    if (said(shown) !== said(logged)) this.#differ(what, said(shown), said(logged))
  }

  #counters(view: unknown): void {
    const { replay } = this
    const counters = shownIn(view, 'counters')
    const history = shownIn(view, 'probe_history')
    const byLevel = shownIn(view, 'reviews_by_level')
    const { excluded, ...levels } = replay.reviewCounts
    this.#same('routes', counters.routes, replay.routes.size)
    this.#same('machine evidence rows', counters.machine_evidence_rows, replay.entries)
    this.#same('newest evidence', counters.newest_evidence, replay.newest)
    this.#same('agent reviews', counters.agent_reviews, levels.verified_buyer + levels.signed + levels.unsigned)
    this.#same('summary line', history.summary, replay.summary)
    this.#same('latency line', history.latency_line, replay.latency)
    for (const [level, n] of Object.entries(levels)) this.#same(`reviews of level ${level}`, byLevel[level], n)
    this.#same('reviews that do not count', isShown(view) ? view.reviews_excluded : undefined, excluded)
    this.#same('posts', shownIn(view, 'thread').total, replay.posts.size)
  }

  #route(route: Shown): void {
    const name = routeText(route, route.address)
    if (!this.replay.routes.has(name)) this.#differ(`route ${name}`, 'there', NOT_THERE)
    for (const row of listIn(route, 'listings')) this.#listing(name, row)
  }

  #listing(route: string, row: Shown): void {
    const what = `${route}: ${row.line}`
    const logged = this.replay.listings.get(listingKey(route, row))
    if (logged === undefined) {
      this.#differ(what, 'there', NOT_THERE)
      return
    }
    this.#same(`${what}: first observed`, row.first_observed, logged.first)
    this.#same(`${what}: no longer named since`, row.no_longer_named_since ?? null, logged.gone)
    const shown = String(row.last_observed)
    // The log says once a day that a row goes on, with its first sighting of that day.
    if (shown < logged.last || shown.slice(0, 10) !== logged.last.slice(0, 10))
      this.#differ(`${what}: last observed`, shown, logged.last)
    this.#same(`${what}: place in the log`, shownIn(row, 'log').index, logged.index)
  }

  async #probes(keptSince: string): Promise<void> {
    const { host, replay } = this
    const seen = new Set<string>()
    for (const entry of await this.#all(fillPath(PATHS.apiHostProbes, { host }), 'probes')) {
      const key = probeKey(routeText(entry, entry.address), entry)
      const what = `${entry.method} ${entry.address} ${entry.rail}: ${entry.line}`
      const logged = replay.probes.get(key)
      seen.add(key)
      if (logged === undefined) {
        this.#differ(what, 'there', NOT_THERE)
        continue
      }
      this.#same(`${what}: error`, entry.error, logged.error)
      this.#same(`${what}: challenge`, challengeHash(entry.challenge), logged.challengeSha256)
      this.#same(`${what}: place in the log`, shownIn(entry, 'log').index, logged.index)
    }
    for (const key of replay.probes.keys()) {
      const [route = '', date = ''] = key.split('\n')
      if (!seen.has(key) && date >= keptSince) this.#differ(`${route}: entry of ${date}`, NOT_THERE, 'there')
    }
  }

  async #reviews(): Promise<void> {
    const { host, replay } = this
    const left = new Set(replay.reviews.keys())
    for (const review of await this.#all(fillPath(PATHS.apiHostReviews, { host }), 'reviews')) {
      const id = String(review.id)
      const logged = replay.reviews.get(id)
      left.delete(id)
      if (logged === undefined) {
        this.#differ(`review ${id}`, 'there', NOT_THERE)
        continue
      }
      for (const name of ['rating', 'wallet', 'level', 'excluded', 'superseded'] as const)
        this.#same(`review ${id}: ${name}`, review[name], logged[name])
      this.#same(`review ${id}: SHA-256 of its text`, sha256Hex(String(review.text)), logged.textSha256)
      this.#same(`review ${id}: place in the log`, shownIn(review, 'log').index, logged.index)
    }
    for (const id of left) this.#differ(`review ${id}`, NOT_THERE, 'there')
  }

  async #posts(): Promise<void> {
    const { host, replay } = this
    const left = new Set(replay.posts.keys())
    for (const post of await this.#all(fillPath(PATHS.thread, { host }), 'posts')) {
      const id = String(post.id)
      const logged = replay.posts.get(id)
      left.delete(id)
      if (logged === undefined) {
        this.#differ(`post ${id}`, 'there', NOT_THERE)
        continue
      }
      this.#same(`post ${id}: wallet`, post.wallet, logged.wallet)
      this.#same(`post ${id}: hidden`, post.hidden !== null, logged.isHidden)
      if (!logged.isHidden)
        this.#same(`post ${id}: SHA-256 of its text`, sha256Hex(String(post.text)), logged.textSha256)
      this.#same(`post ${id}: place in the log`, shownIn(post, 'log').index, logged.index)
    }
    for (const id of left) this.#differ(`post ${id}`, NOT_THERE, 'there')
  }

  /** Every item of a list, page after page. */
  async #all(path: string, name: string): Promise<Shown[]> {
    const items: Shown[] = []
    for (let next: string | null = `${path}?limit=200`; next !== null; ) {
      const document: unknown = await this.reading.json(next)
      items.push(...listIn(document, name))
      next = isShown(document) && typeof document.next === 'string' ? pathOf(document.next) : null
    }
    return items
  }
}

/** A server names its pages by its own address; they are asked for where it was found. */
export function pathOf(address: string): string {
  if (!URL.canParse(address)) throw new UnreadableError(`a list goes on at ${address}, which is no address`)
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

function challengeHash(shown: unknown): string | undefined {
  if (!isShown(shown)) return undefined
  const offers = listIn(shown, 'offers').map(({ rail, network, price, asset, payee }) => ({
    rail,
    network,
    price,
    asset,
    payee,
  }))
  return jsonSha256({ offers, warnings: shown.warnings })
}
