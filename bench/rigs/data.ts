import type { Challenge } from '../../src/domain/challenge.ts'
import { DIRECTORY_OBSERVED } from '../../src/domain/listing.ts'
import { formatPrice } from '../../src/domain/money/price.ts'
import { addressOf } from '../../src/domain/route.ts'
import { formatTimestamp } from '../../src/domain/time/timestamp.ts'
import type { ListingInput } from '../../src/store/facts/listings.ts'
import type { RouteRef } from '../../src/store/hosts/route-ref.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import type { WrittenRecord } from '../../src/wire/records.ts'

// Invented evidence in the shapes and proportions of real sweeps; the same numbers give the same evidence on every run.

/** 2026-06-01T00:00:00Z. Everything below stays within a few months of it. */
const START_US = Date.UTC(2026, 5, 1) * 1000
const SECOND_US = 1_000_000

export const hostName = (n: number): string => `seller-${n}.bench.example`

export const routeOf = (host: string, n: number): RouteRef => ({
  host,
  scheme: 'https',
  method: n % 3 === 0 ? 'POST' : 'GET',
  path: `/v1/tools/${String(n).padStart(5, '0')}/{id}`,
  rail: n % 5 === 0 ? 'mpp' : 'x402',
})

const networkOf = (route: RouteRef): string => (route.rail === 'mpp' ? 'tempo:4217' : 'base')
const priceOf = (n: number): number => 1000 * (1 + (n % 40))

/** What the `nth` route's listing source says of it. */
export const listingOf = (route: RouteRef, n: number, source = 'bazaar'): ListingInput => ({
  ...route,
  source,
  price: priceOf(n),
  network: networkOf(route),
  firstUs: START_US,
  lastUs: START_US + n * SECOND_US,
})

/** Six of ten entries ask for payment, as most probed routes do. */
const STATUSES = [402, 402, 402, 402, 402, 402, 200, 200, 404, null] as const

const challengeOf = (route: RouteRef, n: number): Challenge => ({
  offers: [
    {
      rail: route.rail,
      network: route.rail === 'mpp' ? 'tempo:4217' : 'eip155:8453',
      price: priceOf(n),
      asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      payee: `0x${String(n).padStart(40, '0')}`,
    },
  ],
  warnings: [],
})

/** The `entry`th probe of the `nth` route of its host, 37 s after the one before. */
export function probeOf(route: RouteRef, n: number, entry: number, latencyMs = latencyOf(n, entry)): ProbeInput {
  const httpStatus = STATUSES[(n + entry) % STATUSES.length] ?? null
  const reached = httpStatus !== null
  const { host, scheme, method, path, rail } = route
  // Written out, as the prober does.
  return {
    host,
    scheme,
    method,
    path,
    rail,
    atUs: START_US + entry * 37 * SECOND_US + n * 11,
    httpStatus,
    latencyMs,
    error: reached ? null : 'connection refused',
    challenge: httpStatus === 402 ? challengeOf(route, n) : null,
    timings: { dnsMs: 3, connectMs: reached ? 21 : null, tlsMs: reached ? 24 : null, firstByteMs: reached ? 40 : null },
    remoteAddress: reached ? `203.0.113.${n % 250}` : null,
    vantage: null,
    shield: null,
  }
}

/** 20 to 1,520 ms, in no order. */
const latencyOf = (n: number, entry: number): number => 20 + ((n * 7919 + entry * 104_729) % 1501)

export const ROUTES_PER_HOST = 25
const SOURCES = ['bazaar', 'index']
const PROBES_PER_ROUTE = 18
/** 50 listings and 450 probe entries. */
export const RECORDS_PER_HOST = ROUTES_PER_HOST * (SOURCES.length + PROBES_PER_ROUTE)

/** One host's evidence, as an export has it: its listings, then its entries. */
export function hostEvidence(host: string): { listings: ListingInput[]; probes: ProbeInput[] } {
  const routes = Array.from({ length: ROUTES_PER_HOST }, (_, n) => routeOf(host, n))
  return {
    listings: routes.flatMap((route, n) => SOURCES.map((source) => listingOf(route, n, source))),
    probes: routes.flatMap((route, n) =>
      Array.from({ length: PROBES_PER_ROUTE }, (_, entry) => probeOf(route, n, entry)),
    ),
  }
}

const refOf = (input: RouteRef) => ({
  method: input.method,
  url: addressOf(input.scheme, input.host, input.path),
  rail: input.rail,
})

const priceText = (price: number | null): string | null => (price === null ? null : formatPrice(price))

export const listingRecord = (input: ListingInput): WrittenRecord => ({
  kind: 'listing',
  source: input.source,
  ...refOf(input),
  price: priceText(input.price),
  network: input.network,
  label: DIRECTORY_OBSERVED,
  first_observed: formatTimestamp(input.firstUs),
  last_observed: formatTimestamp(input.lastUs),
})

export const probeRecord = (input: ProbeInput): WrittenRecord => ({
  kind: 'probe',
  ...refOf(input),
  date: formatTimestamp(input.atUs),
  http_status: input.httpStatus,
  latency_ms: input.latencyMs,
  error: input.error,
  challenge: input.challenge && {
    offers: input.challenge.offers.map((offer) => ({ ...offer, price: priceText(offer.price) })),
    warnings: [...input.challenge.warnings],
  },
  timings: input.timings && {
    dns_ms: input.timings.dnsMs,
    connect_ms: input.timings.connectMs,
    tls_ms: input.timings.tlsMs,
    first_byte_ms: input.timings.firstByteMs,
  },
  remote_address: input.remoteAddress,
})
