import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Threads } from '../../acts/posts/threads.ts'
import type { Reviews } from '../../acts/reviews/reviews.ts'
import type { Sellers } from '../../acts/sellers/sellers.ts'
import type { SellerHost } from '../../domain/host.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { LEVELS } from '../../domain/review.ts'
import { METHODS, type RouteKey } from '../../domain/route.ts'
import { dayOf } from '../../domain/time/day.ts'
import { FULL_HOST, homeView, hostRow, NOON_US, routePageView } from '../../render/testing/sample-views.ts'
import { knownOf } from '../../views/decision/known.ts'
import type { Directory, OnVersion, PageRequest, RoutesRequest } from '../../views/directory.ts'
import type { ArrivalQuery, EventQuery, EventView } from '../../views/events/events-view.ts'
import type { HostView, Page, RouteView } from '../../views/host/host-view.ts'
import type { HostQuery } from '../../views/host/hosts-view.ts'
import { reviewPageOf } from '../../views/review-page.ts'
import type { RouteRequest } from '../../views/route/route-view.ts'
import type { WhyAsked } from '../../views/why/why-view.ts'
import { statementDigestMessage } from '../../wire/sellers/lines.ts'
import { type ServerOptions, startServer, type WebServer } from '../server/server.ts'

/** An in-memory directory, for the tests of this room: views are put in, every put is a write. */
export class MemoryDirectory implements Directory {
  readonly #views = new Map<SellerHost, { view: HostView; version: number }>()
  /** How often each method was called. */
  readonly calls = { hostVersion: 0, hostView: 0, hosts: 0, home: 0 }
  readonly queries: HostQuery[] = []
  #epoch = 1

  put(host: SellerHost, view: HostView = { ...FULL_HOST, host }): void {
    const version = (this.#views.get(host)?.version ?? 0) + 1
    this.#views.set(host, { view, version })
    this.#epoch += 1
  }

  /** Somebody wrote something that concerns no host in particular. */
  touch(): void {
    this.#epoch += 1
  }

  remove(host: SellerHost): void {
    this.#views.delete(host)
    this.#epoch += 1
  }

  switches() {
    return 0
  }

  async hostVersion(host: SellerHost) {
    this.calls.hostVersion += 1
    return this.#views.get(host)?.version
  }

  async hostView(host: SellerHost, _page?: RoutesRequest, onVersion?: OnVersion) {
    this.calls.hostView += 1
    return this.#viewOf(host, onVersion)
  }

  #viewOf(host: SellerHost, onVersion?: OnVersion): HostView | undefined {
    const found = this.#views.get(host)
    if (found !== undefined) onVersion?.(found.version)
    return found?.view
  }

  async route(host: SellerHost, asked: RouteRequest, _page?: PageRequest, onVersion?: OnVersion) {
    const view = this.#viewOf(host, onVersion)
    const same = (route: RouteView): boolean =>
      route.method === asked.method && route.path === asked.path && route.rail === asked.rail
    const route = view?.routes.find(same)
    return route && routePageView(route, { host })
  }

  async decision(host: SellerHost, asked: RouteKey, onVersion?: OnVersion) {
    const found = await this.route(host, asked, undefined, onVersion)
    const byLevel = LEVELS.map((level) => ({ level, ratings: [0, 0, 0, 0, 0] }))
    if (found === undefined) return undefined
    const known = knownOf(found, [])
    return { ...found, asked, windows: [], reviews: { byLevel, excluded: 0 }, known }
  }

  async routes(host: SellerHost, { limit }: { readonly limit: number }) {
    return this.#list(host, (view) => view.routes, limit)
  }

  async probes(host: SellerHost, { limit }: { readonly limit: number }) {
    const entries = (view: HostView) =>
      view.routes.flatMap(({ method, rail, address, probes }) =>
        probes.map((one) => ({ ...one, method, rail, address })),
      )
    return this.#list(host, entries, limit)
  }

  async reviews(host: SellerHost, { limit }: { readonly limit: number }) {
    return this.#list(host, (view) => view.routes.flatMap((route) => route.reviews), limit)
  }

  async thread(host: SellerHost, { limit }: { readonly limit: number }) {
    return this.#list(host, (view) => view.thread.posts, limit)
  }

  async review(id: string) {
    for (const [host, { view }] of this.#views) {
      const review = view.routes.flatMap((route) => route.reviews).find((one) => one.id === id)
      if (review) return reviewPageOf({ ...review, host, receipt: null }, [])
    }
    return undefined
  }

  async post(id: string) {
    for (const [host, { view }] of this.#views) {
      const post = view.thread.posts.find((one) => one.id === id)
      const textSha256 = 'ab'.repeat(32)
      if (post) return { host, post, textSha256, message: `thread\n${host}\n${textSha256}\n${post.signedAt}` }
    }
    return undefined
  }

  async statements(host: SellerHost, { limit }: { readonly limit: number }) {
    const page = this.#list(host, (view) => view.seller.said, limit)
    const { claims = [], claimsTotal = 0 } = this.#views.get(host)?.view.seller ?? {}
    return page && { ...page, claims, claimsTotal, nextOfBoth: page.next }
  }

  async statement(id: string) {
    const said = [...this.#views.values()].flatMap(({ view }) => view.seller.said).find((one) => one.id === id)
    const textSha256 = 'ab'.repeat(32)
    return said && { statement: said, textSha256, message: statementDigestMessage(said, textSha256) }
  }

  async excludedReviews() {
    return 0
  }

  async hosts(query: HostQuery) {
    this.calls.hosts += 1
    this.queries.push(query)
    return { items: [...this.#views.keys()].map((host) => hostRow(host)), next: null }
  }

  async home(query: HostQuery) {
    this.calls.home += 1
    return homeView(
      [...this.#views.keys()].map((host) => hostRow(host)),
      { query },
    )
  }

  async sources() {
    return { sources: [] }
  }

  async source() {
    return undefined
  }

  async listingHistory(host: SellerHost) {
    return this.#views.has(host) ? { host, sources: [], documents: [], routes: [], next: null } : undefined
  }

  async why({ host, path }: WhyAsked) {
    const nothing = { sources: [], refused: [], documents: [], routes: [], isCut: false }
    return { host, path, nowUs: 0, methods: METHODS, pauseUntilUs: null, visitUntilUs: null, ...nothing }
  }

  /** Announcements in the order in which they were written. */
  readonly events: EventView[] = []

  announce(event: EventView): void {
    this.events.push(event)
    this.#epoch += 1
  }

  async announcements({ host, limit }: EventQuery) {
    const items = this.events.filter((event) => host === null || event.host === host).toReversed()
    return { items: items.slice(0, limit), next: items.length > limit ? 'next-page' : null }
  }

  async arrivals({ host, kinds = [], after, limit, order }: ArrivalQuery) {
    const all = order === 'newest' ? this.events.toReversed() : this.events
    const items = all
      .slice(all.findIndex((event) => event.id === after) + 1)
      .filter((event) => host === null || event.host === host)
      .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    return { items: items.slice(0, limit), next: items.length > limit ? (items[limit - 1]?.id ?? null) : null }
  }

  async lastArrival() {
    return this.events.at(-1)?.id ?? 'event-0'
  }

  async recentResults(host: SellerHost, days: number) {
    const view = this.#views.get(host)?.view
    return view && { host, days, results: view.results, now: view.now }
  }

  async catalogueParts() {
    return 1
  }

  async *cataloguePart() {
    yield [...this.#views].map(([host, { view }]) => ({ host, newestEvidenceUs: view.counters.newestEvidenceUs }))
  }

  async nearHosts(host: string) {
    return [...this.#views.keys()].filter((known) => known.slice(-8) === host.slice(-8))
  }

  async nearRoutes(host: string) {
    const routes = this.#views.get(host)?.view.routes ?? []
    return routes.slice(0, 1).map(({ method, address, rail }) => ({ method, url: address, rail }))
  }

  today(): number {
    return dayOf(NOON_US)
  }

  epoch(): number {
    return this.#epoch
  }

  async ping(): Promise<void> {}

  #list<T>(
    host: SellerHost,
    all: (view: HostView) => readonly T[],
    limit: number,
  ): (Page<T> & { total: number }) | undefined {
    const known = this.#views.get(host)
    if (known === undefined) return undefined
    const items = all(known.view)
    return { items: items.slice(0, limit), total: items.length, next: items.length > limit ? 'next-page' : null }
  }
}

/** Takes no reviews. */
export const NO_REVIEWS: Reviews = {
  submit: async () => {
    throw problem('unknown-route', 'Nothing is listed.')
  },
}

/** Takes nothing from sellers. */
export const NO_SELLERS: Sellers = {
  claim: async () => {
    throw problem('claim-unproven', 'Nothing is listed.')
  },
  state: async () => {
    throw problem('seller-unproven', 'Nothing is listed.')
  },
}

const noPast = (): never => {
  throw new Error('nobody has paid')
}

/** Threads of a directory whose operator has set up no rail. */
export const UNSET_THREADS: Threads = {
  rails: {
    x402: { name: 'x402', missing: ['X402_PAY_TO'], past: async () => noPast() },
    mpp: { name: 'mpp', missing: ['MPP_RECIPIENT'], past: async () => noPast() },
  },
  post: async () => {
    throw problem('rail-not-configured', 'The rail is not set up.', { more: { charged: false } })
  },
}

/** A real server on a free loopback port. `lines` are the log lines it has written. */
export async function startSample(
  more: Partial<ServerOptions> = {},
): Promise<WebServer & { readonly lines: string[] }> {
  const lines: string[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(...chunk.toString().trim().split('\n'))
      done()
    },
  })
  const web = await startServer({
    port: 0,
    bind: '127.0.0.1',
    siteAt: () => ({ baseUrl: 'https://tollbook.example' }),
    directory: new MemoryDirectory(),
    allow: [],
    limits: null,
    trusted: null,
    log: pino({ level: 'info', base: null }, destination),
    nowMs: () => performance.now(),
    random: () => 'sample',
    probing: { userAgent: 'Tollbook', everyHours: 6, gapSeconds: 1, methods: ['GET', 'POST'] },
    threads: UNSET_THREADS,
    reviews: NO_REVIEWS,
    sellers: NO_SELLERS,
    policy: () => ({ postPrice: 50_000, rails: [], founderWallets: [], limits: null }),
    nowUs: () => NOON_US,
    ...more,
  })
  return { ...web, lines }
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

/** One request as Node's own client sends it, nothing decoded. */
export const ask = (
  port: number,
  path: string,
  headers: RequestOptions['headers'] = {},
  method = 'GET',
  body: string | Buffer = '',
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, text: bytes.toString() })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })

/** Everything that comes back on a connection until the server closes it. */
export const exchange = (port: number, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })

/** The status of the first answer in what `exchange` gave. */
export const statusIn = (answer: string): number => Number(answer.split(' ')[1])

/** Its JSON body. */
export function problemIn(answer: string): Record<string, unknown> {
  const document: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4).split('\n')[0] ?? '')
  return typeof document === 'object' && document !== null ? { ...document } : {}
}
