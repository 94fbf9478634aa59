import type { Now } from '../../domain/now/now.ts'
import { RAILS } from '../../domain/route.ts'
import { jsonSha256 } from '../../wire/log/logged-record.ts'
import { fillPath, PATHS } from '../../wire/paths.ts'
import { compareOffers, compareSeller } from './compare-sellers.ts'
import { compareDays } from './figures/days.ts'
import { compareNow, nowsOf, type PlacedEntry } from './figures/now.ts'
import { callsIn } from './figures/paid-calls.ts'
import { compareRetired, ReplayedRetirements } from './figures/retired.ts'
import { compareFacts, NewestChallenges } from './figures/route-facts.ts'
import { type Counted, type HostReplay, listingKey, probeKey, type ReplayedListing, routeText } from './replay.ts'
import type { SaidWords } from './replayed-sellers.ts'
import { Differences, type Documents, isShown, itemsOf, listIn, only, type Shown, shownIn } from './shown.ts'
import { sameWords } from './words.ts'

const REVIEW = ['method', 'rail', 'rating', 'wallet', 'signature', 'signed_at', 'payment', 'directory', 'submitted_at']
const OUTCOME = ['http_status', 'latency_ms', 'bytes', 'content_sha256']
const POST = ['wallet', 'signature', 'signed_at', 'posted_at', 'rail']
/** Of one route a directory shows so many rows, the newest. */
const LISTINGS_SHOWN = 20
/** What the price of a route and how it was checked are told by. */
const FACTS = [
  ...['rail', 'price', 'network', 'probe_status', 'sources_say', 'challenge_matches', 'now'],
  ...['listings', 'listings_total'],
]
const PAYMENT = ['network', 'transaction', 'payer']

/** Holds what a directory shows of one host against what the log gives. The replay is used up by it. */
export class HostComparison {
  readonly #found: Differences
  /** At every place since. */
  readonly #retirements: readonly ReplayedRetirements[]
  readonly #entries: ReadonlyMap<string, readonly PlacedEntry[]>
  readonly #challenges: NewestChallenges
  /** What its rows and its newest challenge give, by the names of routes. */
  readonly #facts = new Map<string, Shown>()
  /** Entries from here on are kept. */
  #keptSince = ''
  /** Nothing is shown to be retired of a host for which nobody speaks. */
  #hasSeller = false

  constructor(
    readonly documents: Documents,
    readonly host: string,
    readonly replay: HostReplay,
  ) {
    this.#found = new Differences(host, replay.since)
    const routes = new Set(replay.routes.keys())
    this.#entries = replay.entries()
    this.#challenges = new NewestChallenges(replay.probes, replay.since)
    this.#retirements = replay.seller.said.map((said) => new ReplayedRetirements(host, said, routes))
  }

  async run(): Promise<Differences> {
    await this.#found.read(() => this.#compare())
    return this.#found
  }

  async #compare(): Promise<void> {
    const { host } = this
    const view = await this.documents.json(fillPath(PATHS.apiHost, { host }))
    if (view === undefined) {
      const [first] = this.replay.routes.values()
      this.#found.notShown('the host', first, `${this.replay.routes.size} routes`)
      return
    }
    const keptSince = shownIn(view, 'probe_history').entries_kept_since
    this.#keptSince = typeof keptSince === 'string' ? keptSince : ''
    this.#counters(view)
    this.#hostNow(view)
    this.#priceCheck(view)
    this.#hasSeller = isShown(view) && isShown(view.seller)
    this.#found.sameAsOne(this.#retirements, (retirements, within) =>
      compareRetired('the host', shownIn(view, 'seller').retired, () => this.#ifSpoken(retirements.of()), within),
    )
    for (const route of listIn(view, 'routes')) this.#summary(route)
    for await (const route of itemsOf(this.documents, fillPath(PATHS.apiHostRoutes, { host }), 'routes'))
      this.#route(route)
    for (const [name, place] of this.replay.routes) this.#found.notShown(`route ${name}`, place)
    await this.#probes()
    for (const [name, facts] of this.#facts) compareFacts(name, facts, this.#challenges.of(name), this.#found)
    await this.#reviews()
    await this.#posts()
    await compareSeller(this.documents, this.replay.seller, this.#found)
  }

  /** All of them are of one moment. */
  #counters(view: unknown): void {
    const counters = shownIn(view, 'counters')
    const history = shownIn(view, 'probe_history')
    const byLevel = shownIn(view, 'reviews_by_level')
    const shown: Counted = {
      routes: counters.routes,
      'machine evidence rows': counters.machine_evidence_rows,
      'newest evidence': counters.newest_evidence,
      'agent reviews': counters.agent_reviews,
      'summary line': history.summary,
      'latency line': history.latency_line,
      'reviews of level verified_buyer': byLevel.verified_buyer,
      'reviews of level signed': byLevel.signed,
      'reviews of level unsigned': byLevel.unsigned,
      'reviews that do not count': isShown(view) ? view.reviews_excluded : undefined,
      posts: shownIn(view, 'thread').total,
      'paid calls': isShown(view) ? callsIn(view) : undefined,
    }
    this.#found.sameAsOne(this.replay.counted, ({ counted, days }, found) => {
      compareDays(history, days, this.#keptSince, found)
      for (const [what, n] of Object.entries(counted)) found.same(what, shown[what], n)
    })
  }

  /** What the page of the host shows of a route is what the lists show, and no more. */
  #summary(route: Shown): void {
    const name = routeText(route, route.address)
    this.#figures(name, route)
    this.#listings(name, route)
    for (const entry of listIn(route, 'probes')) this.#probe(`${name}: ${entry.line}`, name, entry)
  }

  #route(route: Shown): void {
    const name = routeText(route, route.address)
    if (!this.replay.routes.delete(name)) this.#found.notLogged(`route ${name}`)
    if (!this.replay.foldedRoutes.has(name))
      this.#facts.set(name, Object.fromEntries(FACTS.map((one) => [one, route[one]])))
    this.#figures(name, route)
    this.#listings(name, route)
    compareOffers(name, route, this.replay.seller, this.#found)
  }

  /** What is worked out of a route's rows. */
  #figures(name: string, route: Shown): void {
    if (!this.replay.foldedRoutes.has(name)) compareNow(name, route.now, this.#nows(name), this.#keptSince, this.#found)
    this.#found.sameAsOne(this.replay.paidCalls.of(name), (calls, within) =>
      within.same(`${name}: paid calls`, callsIn(route), calls),
    )
    this.#found.sameAsOne(this.#retirements, (retirements, within) =>
      compareRetired(name, route.retired, (id) => this.#ifSpoken(retirements.by(id, name)), within),
    )
  }

  #nows(name: string): readonly (Now | null)[] {
    return nowsOf(this.#entries.get(name) ?? [], this.replay.since)
  }

  /** Of a host whose routes are all on its page: it counts no more than there are; which are left out is not in the log. */
  #priceCheck(view: unknown): void {
    if (!isShown(view) || view.next !== null) return
    const check = shownIn(view, 'price_check')
    for (const status of ['verified', 'differs']) {
      const most = listIn(view, 'routes').filter((route) => route.probe_status === status).length
      if (Number(check[status]) > most) this.#found.same(`price check: ${status}`, check[status], most)
    }
  }

  /** It is that of one of its routes, whichever that is. */
  #hostNow(view: unknown): void {
    const now = shownIn(view, 'now')
    const names = RAILS.map((rail) => routeText({ ...now, rail }, now.address))
    if (now.address === undefined || names.some((name) => this.replay.foldedRoutes.has(name))) return
    const nows = names.flatMap((name) => this.#nows(name)).filter((one) => one !== null)
    compareNow('the host', now, nows.length === 0 ? [null] : nows, this.#keptSince, this.#found)
  }

  #ifSpoken<T>(logged: T | undefined): T | undefined {
    return this.#hasSeller ? logged : undefined
  }

  #listings(name: string, route: Shown): void {
    const rows: ReadonlyMap<string, ReplayedListing> = this.replay.listings.get(name) ?? new Map()
    const left = new Set(rows.keys())
    for (const row of listIn(route, 'listings')) {
      left.delete(listingKey(row))
      this.#listing(`${name}: ${row.line}`, row, rows.get(listingKey(row)))
    }
    if (rows.size > LISTINGS_SHOWN) return
    for (const key of left) this.#found.notShown(`${name}: row of ${key.replaceAll('\n', ', ')}`, rows.get(key)?.index)
  }

  #listing(what: string, row: Shown, logged: ReplayedListing | undefined): void {
    const found = this.#found
    if (logged === undefined) {
      found.notLogged(what)
      return
    }
    const shown = String(row.last_observed)
    found.sameAsOne(logged.intervals.all, ({ first, last, gone }, within) => {
      within.same(`${what}: first observed`, row.first_observed, first)
      within.same(`${what}: no longer named since`, row.no_longer_named_since ?? null, gone)
      // The log says once a day that a row goes on, with its first sighting of that day.
      if (shown < last || shown.slice(0, 10) !== last.slice(0, 10)) within.add(`${what}: last observed`, shown, last)
    })
    found.samePlace(what, row, [logged.index])
  }

  async #probes(): Promise<void> {
    const { host, replay, documents } = this
    for await (const entry of itemsOf(documents, fillPath(PATHS.apiHostProbes, { host }), 'probes')) {
      const name = routeText(entry, entry.address)
      this.#probe(`${name}: ${entry.line}`, name, entry)
      replay.probes.delete(probeKey(name, entry))
    }
    for (const [key, { index }] of replay.probes) {
      const [route = '', date = ''] = key.split('\n')
      if (date >= this.#keptSince) this.#found.notShown(`${route}: entry of ${date}`, index)
    }
  }

  #probe(what: string, route: string, entry: Shown): void {
    const found = this.#found
    const logged = this.replay.probes.get(probeKey(route, entry))
    if (logged === undefined) {
      found.notLogged(what)
      return
    }
    const { error, vantage, shield } = logged
    found.sameMembers(what, entry, { error, vantage, shield }, ['error', 'vantage', 'shield'])
    const challenge = challengeHash(entry.challenge)
    found.same(`${what}: challenge`, challenge, logged.challengeSha256)
    if (challenge === logged.challengeSha256) this.#challenges.see(route, probeKey(route, entry), entry.challenge)
    found.samePlace(what, entry, [logged.index])
  }

  #reviews(): Promise<void> {
    const found = this.#found
    const path = fillPath(PATHS.apiHostReviews, { host: this.host })
    return this.#writings('review', path, this.replay.reviews, (what, review, { record, standings }) => {
      found.sameAsOne(standings.all, (standing, within) =>
        within.sameMembers(what, review, { ...standing }, ['level', 'excluded', 'superseded']),
      )
      found.sameMembers(what, review, record, REVIEW)
      found.same(`${what}: address`, review.url, record.concrete_url ?? record.url)
      found.same(`${what}: outcome`, only(review.outcome, OUTCOME), record.outcome)
    })
  }

  #posts(): Promise<void> {
    const path = fillPath(PATHS.thread, { host: this.host })
    return this.#writings('post', path, this.replay.posts, (what, post, { record }) => {
      this.#found.sameMembers(what, post, record, POST)
      this.#found.same(`${what}: payment`, only(post.payment, PAYMENT), record.payment)
    })
  }

  /** All that was written of one kind, whether it is shown or logged. */
  async #writings<T extends SaidWords>(
    noun: 'review' | 'post',
    path: string,
    logged: ReadonlyMap<string, T>,
    compare: (what: string, shown: Shown, said: T) => void,
  ): Promise<void> {
    const left = new Set(logged.keys())
    for await (const shown of itemsOf(this.documents, path, `${noun}s`)) {
      const id = String(shown.id)
      const what = `${noun} ${id}`
      const said = logged.get(id)
      left.delete(id)
      if (said === undefined) {
        this.#found.notLogged(what)
        continue
      }
      compare(what, shown, said)
      sameWords(what, shown, said, this.#found)
    }
    for (const id of left) this.#found.notShown(`${noun} ${id}`, logged.get(id)?.places[0])
  }
}

function challengeHash(shown: unknown): string | undefined {
  if (!isShown(shown)) return undefined
  const offers = listIn(shown, 'offers').map((offer) => only(offer, ['rail', 'network', 'price', 'asset', 'payee']))
  return jsonSha256({ offers, warnings: shown.warnings })
}
