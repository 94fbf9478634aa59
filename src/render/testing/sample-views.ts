import { askedFor, type Challenge } from '../../domain/challenge.ts'
import { latencyOf, medianIn } from '../../domain/latency.ts'
import type { Listing } from '../../domain/listing.ts'
import { type Now, resultOf } from '../../domain/now/now.ts'
import { continueRun } from '../../domain/now/run.ts'
import { classify, RESULTS, type ResultCounts } from '../../domain/probe.ts'
import type { Method, Rail } from '../../domain/route.ts'
import { DAY_US, type Day, dayOf } from '../../domain/time/day.ts'
import type { DayView } from '../../views/host/day-view.ts'
import type { HostView, PostView, ProbeView, ReviewView, RouteView } from '../../views/host/host-view.ts'
import type { HostNow } from '../../views/host/now-view.ts'
import type { RoutePageView } from '../../views/route/route-view.ts'
import type { ListedHome, ListedHost } from '../../views/seller/listed-hosts.ts'
import { NO_SELLER, type StatementView } from '../../views/seller/seller-view.ts'
import type { Site } from '../site.ts'

/** Invented views under example names, for the tests of this room. */
export const SITE: Site = { baseUrl: 'https://tollbook.example' }
export const HOST = 'api.weather.example'

export const NOON_US = Date.UTC(2026, 10, 14, 12, 34, 56) * 1000 + 123_456

export const TODAY: Day = dayOf(NOON_US)

export const aDay = (
  daysAgo: number,
  counts: Partial<ResultCounts> = {},
  meanLatencyMs: number | null = 90,
): DayView => ({
  day: TODAY - daysAgo,
  results: { answers: 0, '402-correct': 0, failed: 0, unreachable: 0, ...counts },
  meanLatencyMs,
})

export const listing = (more: Partial<Listing> = {}): Listing => ({
  source: 'bazaar',
  price: 10_000,
  network: 'base',
  firstUs: NOON_US - 30 * DAY_US,
  lastUs: NOON_US,
  ...more,
})

export const probe = (httpStatus: number | null, more: Partial<ProbeView> = {}): ProbeView => ({
  atUs: NOON_US,
  httpStatus,
  latencyMs: 80,
  error: null,
  challenge: null,
  ...more,
})

export const challenge = (price: number | null, network = 'eip155:8453', rail: Rail = 'x402'): Challenge => ({
  offers: [{ rail, network, price, asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', payee: '0xpayee' }],
  warnings: [],
})

const NO_CALLS = { served: 0, notServed: 0 }
export const NO_PAID_CALLS = { 'Verified buyer': NO_CALLS, Signed: NO_CALLS, Unsigned: NO_CALLS }

export const review = (more: Partial<ReviewView> = {}): ReviewView => ({
  id: 'r-1',
  url: `https://${HOST}/v1/forecast`,
  method: 'GET',
  rail: 'x402',
  rating: 4,
  text: 'Paid once, got the forecast in 80 ms.',
  level: 'Verified buyer',
  levelReason: null,
  excluded: null,
  superseded: false,
  wallet: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  signature: '0xsignature',
  signedAt: '2026-11-14T12:30:00Z',
  payment: { network: 'eip155:8453', transaction: '0xtransaction' },
  paymentFound: null,
  directory: null,
  outcome: null,
  submittedUs: NOON_US,
  hidden: null,
  ...more,
})

/** Everything that verifies a payment. */
export const RECEIPT = { asset: '0xasset', amount: '50000', payee: '0xpayee', logIndex: 2, settledUs: NOON_US } as const

export const post = (more: Partial<PostView> = {}): PostView => ({
  id: 'p-1',
  text: 'Does the hourly route count calls per key?',
  wallet: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  signature: '0xsignature',
  signedAt: '2026-11-14T12:30:00Z',
  postedUs: NOON_US,
  rail: 'mpp',
  payment: {
    network: 'tempo:4217',
    transaction: '0xtransaction',
    payer: '0xpayer',
    settlement: 'verified on chain',
    ...RECEIPT,
  },
  hidden: null,
  ...more,
})

/** As the store would keep it. */
function nowOf(probes: readonly ProbeView[], asked: Now['asked']): Now | null {
  const run = continueRun(null, probes)
  return run && { ...run, checkedUs: Math.max(...probes.map(({ atUs }) => atUs)), asked }
}

/** Of the worst of these routes. */
function hostNowOf(routes: readonly RouteView[]): HostNow | null {
  const all = routes.flatMap(({ now, method, address }) => (now === null ? [] : [{ ...now, method, address }]))
  const rank = (now: Now): number => -RESULTS.indexOf(resultOf(now))
  const [worst] = all.filter(({ httpStatus }) => httpStatus !== 402).toSorted((a, b) => rank(a) - rank(b))
  const one = worst ?? all[0]
  return one === undefined
    ? null
    : { ...one, routes: all.filter((now) => resultOf(now) === resultOf(one)).length, of: all.length }
}

export function route(path: string, more: Partial<RouteView> = {}): RouteView {
  const method: Method = more.method ?? 'GET'
  const probes = more.probes ?? []
  const reviews = more.reviews ?? []
  const newest = probes.find((one) => one.challenge !== null)
  const live = newest?.challenge ? { challenge: newest.challenge, atUs: newest.atUs } : null
  const listed = { rail: more.rail ?? 'x402', network: more.network ?? 'base', price: more.price ?? 10_000 }
  return {
    scheme: 'https',
    method,
    path,
    rail: 'x402',
    address: `https://${HOST}${path}`,
    price: 10_000,
    network: 'base',
    now: nowOf(probes, live && probes[0] === newest ? askedFor(live.challenge, listed) : null),
    live,
    medianMs: medianIn(probes.map(({ latencyMs }) => latencyMs)),
    spread: null,
    matching: null,
    probeStatus: 'unverified',
    listings: [listing()],
    listingsTotal: more.listings?.length ?? 1,
    descriptions: [],
    probes,
    probesTotal: probes.length,
    reviews,
    reviewsTotal: reviews.length,
    paidCalls: NO_PAID_CALLS,
    notServed: [],
    signedOffers: [],
    contradictions: [],
    ...more,
  }
}

/** A host view whose counters follow from its routes, as the store would count them. */
export function hostView(routes: readonly RouteView[], more: Partial<HostView> = {}): HostView {
  const probes = routes.flatMap((one) => one.probes)
  const count = (result: string): number => probes.filter((one) => classify(one.httpStatus) === result).length
  const results: ResultCounts = {
    answers: count('answers'),
    '402-correct': count('402-correct'),
    failed: count('failed'),
    unreachable: count('unreachable'),
  }
  const latencies = probes.map(({ latencyMs }) => ({ latencyMs, n: 1 })).sort((a, b) => a.latencyMs - b.latencyMs)
  return {
    host: HOST,
    counters: {
      routes: routes.length,
      machineEvidenceRows: probes.length,
      newestEvidenceUs: probes.length === 0 ? null : Math.max(...probes.map((one) => one.atUs)),
      agentReviews: 0,
    },
    now: hostNowOf(routes),
    check: {
      verified: routes.filter(({ probeStatus }) => probeStatus === 'verified').length,
      differs: routes.filter(({ probeStatus }) => probeStatus === 'differs').length,
      asks: null,
    },
    results,
    keptSinceUs: null,
    latency: latencyOf(latencies),
    reviewCounts: { byLevel: { 'Verified buyer': 0, Signed: 0, Unsigned: 0 }, excluded: 0 },
    paidCalls: NO_PAID_CALLS,
    days: [],
    today: TODAY,
    nowUs: NOON_US + 180_000_000,
    filter: null,
    routes,
    contradicted: routes,
    nextRoutes: null,
    thread: { total: 0, posts: [], next: null },
    seller: NO_SELLER,
    ...more,
  }
}

export const EMPTY_HOST: HostView = hostView([])

/** Every kind of line at once. */
export const FULL_HOST: HostView = hostView(
  [
    route('/v1/forecast', {
      probeStatus: 'differs',
      listings: [
        listing(),
        listing({ source: 'x402 index', price: 12_000, network: 'eip155:8453', firstUs: NOON_US - DAY_US }),
        listing({ source: 'mirror', price: null, network: null }),
      ],
      probes: [
        probe(402, { challenge: challenge(20_000) }),
        probe(200, { atUs: NOON_US - 3_600_000_000, latencyMs: 121 }),
        probe(404, { atUs: NOON_US - 7_200_000_000, latencyMs: 1400, error: 'not found' }),
        probe(null, { atUs: NOON_US - 10_800_000_000, latencyMs: 10_000, error: 'deadline' }),
      ],
      probesTotal: 1204,
      reviews: [
        review(),
        review({ id: 'r-2', level: 'Signed', excluded: 'founder', payment: null, text: 'We built it.\nIt works.' }),
        review({
          id: 'r-3',
          level: 'Unsigned',
          wallet: null,
          signature: null,
          signedAt: null,
          payment: null,
          rating: 2,
        }),
      ],
      reviewsTotal: 7,
    }),
    route('/v1/history/:city', {
      method: 'POST',
      rail: 'mpp',
      price: null,
      network: null,
      listings: [listing({ price: null })],
    }),
  ],
  {
    days: [
      aDay(2, { '402-correct': 4 }, 80),
      aDay(0, { answers: 1, '402-correct': 1, failed: 1, unreachable: 1 }, 534),
    ],
    thread: {
      total: 2,
      posts: [post(), post({ id: 'p-2', text: '', hidden: { atUs: NOON_US, reason: 'personal data' } })],
      next: null,
    },
  },
)

export const hostRow = (host: string, more: Partial<ListedHost> = {}): ListedHost => ({
  host,
  routes: 3,
  rails: ['x402'],
  priceMin: 1000,
  priceMax: 50_000,
  now: {
    ...{ httpStatus: 402, sinceUs: NOON_US - DAY_US, last402Us: NOON_US, checkedUs: NOON_US },
    ...{ asked: { price: 1000, network: 'base' }, method: 'GET', address: `https://${host}/v1/x`, routes: 3, of: 3 },
  },
  check: { verified: 2, differs: 0, asks: null },
  medianMs: 120.5,
  results: { answers: 12, '402-correct': 240, failed: 3, unreachable: 1 },
  newestEvidenceUs: NOON_US,
  days: [aDay(1, { '402-correct': 4, failed: 1 })],
  reviewCounts: { byLevel: { 'Verified buyer': 2, Signed: 1, Unsigned: 0 }, excluded: 1 },
  match: null,
  description: null,
  ...more,
})

export const routePageView = (shown: RouteView, more: Partial<RoutePageView> = {}): RoutePageView => ({
  host: HOST,
  route: shown,
  windows: [],
  days: [],
  today: TODAY,
  nowUs: NOON_US + 180_000_000,
  nextProbes: null,
  keptSinceUs: null,
  asked: { prices: [], entries: 0, isCut: false },
  payees: [],
  payeesTotal: 0,
  ...more,
})

export const homeView = (rows: readonly ListedHost[], more: Partial<ListedHome> = {}): ListedHome => ({
  query: { q: null, rail: null, network: null, maxPrice: null, result: null, sort: 'newest', limit: 50, cursor: null },
  totals: { hosts: 1204, routes: 9031, probes: 402_117 },
  facets: {
    rails: [{ value: 'x402', hosts: 1100 }],
    networks: [{ value: 'eip155:8453', hosts: 900 }],
    ceilings: [{ value: 10_000, hosts: 700 }],
    checks: [
      { value: 'verified', hosts: 300 },
      { value: 'differs', hosts: 12 },
    ],
    requestedToday: 850,
  },
  rows,
  next: null,
  today: TODAY,
  nowUs: NOON_US + 180_000_000,
  ...more,
})

/** What a seller said of its host. */
export const statement = (more: Partial<StatementView> = {}): StatementView => ({
  ...{ host: HOST, id: 's-1', kind: 'contact', about: HOST, text: 'Questions: help@seller.example' },
  ...{ wallet: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', signature: '0xsignature' },
  ...{ signedAt: '2026-11-14T12:30:00Z', directory: null, submittedUs: NOON_US, hidden: null },
  ...more,
})
