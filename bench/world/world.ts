import type { Challenge } from '../../src/domain/challenge.ts'
import { DAY_US } from '../../src/domain/time/day.ts'
import type { ListingInput } from '../../src/store/facts/listings.ts'
import type { RouteRef } from '../../src/store/hosts/route-ref.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import { described, inventedWord, searchedHost, searchedListings } from '../rigs/search-words.ts'

/** The same shape gives the same world on every machine. */
export interface WorldShape {
  readonly seed: number
  readonly hosts: number
  readonly entriesPerRoute: number
}

export interface WorldHost {
  readonly name: string
  readonly routes: readonly WorldRoute[]
  /** Its entries, one of each route in each round, in the order of the routes; oldest round first. */
  readonly rounds: readonly (readonly ProbeInput[])[]
}

export interface WorldRoute {
  readonly ref: RouteRef
  readonly listings: readonly ListingInput[]
  readonly challenge: Challenge
}

/** Of ten hosts: most sell little, few sell much. Ten on average. */
const ROUTES = [1, 1, 2, 2, 3, 5, 8, 13, 25, 40]
export const ROUTES_PER_HOST = ROUTES.reduce((sum, n) => sum + n) / ROUTES.length

/** 2026-06-01T00:00:00Z: the first round, one a day. */
const START_US = Date.UTC(2026, 5, 1) * 1000
const SECOND_US = 1_000_000

export function worldHost(shape: WorldShape, n: number): WorldHost {
  const routes = routesOf(shape, n)
  return {
    name: searchedHost(n),
    routes,
    rounds: Array.from({ length: shape.entriesPerRoute }, (_, round) => roundOf(shape, n, routes, round)),
  }
}

/** One more round of a host than it has, or a later one. */
export const laterRound = (shape: WorldShape, n: number, after: number): ProbeInput[] =>
  roundOf(shape, n, routesOf(shape, n), shape.entriesPerRoute + after)

/** What a number is drawn for: two questions about one thing have different answers. */
const ABOUT = {
  price: 1,
  second: 2,
  asked: 3,
  character: 4,
  moment: 5,
  latency: 6,
  slow: 7,
  status: 8,
  base: 9,
} as const

function routesOf(shape: WorldShape, n: number): WorldRoute[] {
  const first = searchedListings(n, shape.hosts)
  return Array.from({ length: ROUTES[n % ROUTES.length] ?? 1 }, (_, at) => {
    const draw = (about: number): number => drawn(shape.seed, n, at, 0, about)
    const price = 1000 * (1 + Math.floor(draw(ABOUT.price) * 40))
    const listing = { ...(first[at] ?? furtherListing(n, at)), price, lastUs: START_US + at * SECOND_US }
    const second = { ...listing, source: 'index', description: undefined }
    const { host, scheme, method, path, rail } = listing
    return {
      ref: { host, scheme, method, path, rail },
      listings: draw(ABOUT.second) < 0.3 ? [listing, second] : [listing],
      challenge: challengeOf(listing, draw(ABOUT.asked) < 0.05 ? price * 2 : price, n),
    }
  })
}

function furtherListing(n: number, at: number): ListingInput {
  const path = `/v1/${inventedWord(3_000_000 + ((n * 13 + at) % 20_000))}/${at}`
  const route = { host: searchedHost(n), scheme: 'https', method: 'GET', path, rail: 'x402' } as const
  const seen = { source: 'bazaar', price: null, network: 'base', firstUs: START_US, lastUs: START_US }
  return { ...route, ...seen, description: described(n, at) }
}

const challengeOf = ({ rail }: RouteRef, price: number, n: number): Challenge => ({
  offers: [
    {
      rail,
      network: rail === 'mpp' ? 'tempo:4217' : 'eip155:8453',
      price,
      asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      payee: `0x${n.toString(16).padStart(40, '0')}`,
    },
  ],
  warnings: [],
})

function roundOf(shape: WorldShape, n: number, routes: readonly WorldRoute[], round: number): ProbeInput[] {
  const hourUs = Math.floor(drawn(shape.seed, n, 0, round, ABOUT.moment) * 3600) * SECOND_US
  const baseMs = 30 + Math.floor(drawn(shape.seed, n, 0, 0, ABOUT.base) ** 2 * 800)
  return routes.map(({ ref, challenge }, at): ProbeInput => {
    const character = drawn(shape.seed, n, at, 0, ABOUT.character)
    const httpStatus = statusOf(character, drawn(shape.seed, n, at, round, ABOUT.status))
    const slowness = drawn(shape.seed, n, at, round, ABOUT.slow) < 0.02 ? 6 : 1
    const reached = httpStatus !== null
    return {
      host: ref.host,
      scheme: ref.scheme,
      method: ref.method,
      path: ref.path,
      rail: ref.rail,
      atUs: START_US + round * DAY_US + hourUs + at * 1_100_000,
      httpStatus,
      latencyMs: Math.floor(baseMs * (1 + drawn(shape.seed, n, at, round, ABOUT.latency) / 3) * slowness),
      error: reached ? null : 'connection refused',
      challenge: httpStatus === 402 ? challenge : null,
      timings: reached ? REACHED : UNREACHED,
      remoteAddress: reached ? `203.0.113.${n % 250}` : null,
      vantage: null,
      shield: null,
    }
  })
}

const REACHED = { dnsMs: 3, connectMs: 21, tlsMs: 24, firstByteMs: 40 }
const UNREACHED = { dnsMs: 3, connectMs: null, tlsMs: null, firstByteMs: null }

/** Most routes ask for payment each time; some answer, fail or are away for good, and some now and then. */
function statusOf(character: number, draw: number): number | null {
  if (character < 0.7) return 402
  if (character < 0.8) return 200
  if (character < 0.9) return 404
  if (character < 0.95) return null
  return draw < 0.5 ? 402 : draw < 0.8 ? 500 : null
}

/** From 0 to under 1, the same for the same numbers. */
export function drawn(seed: number, a: number, b: number, c: number, about: number): number {
  let state = turned(turned(turned(turned(turned(0x2545f491, seed), a), b), c), about)
  state = Math.imul(state ^ (state >>> 13), 0x85ebca6b)
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32
}

function turned(state: number, by: number): number {
  const next = Math.imul(state ^ by, 0x9e3779b1)
  return next ^ (next >>> 15)
}
