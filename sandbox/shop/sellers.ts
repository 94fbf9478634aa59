import type { Method, Rail } from '../../src/domain/route.ts'

/** How a route answers a request without payment; with a payment, `sells` and `late` deliver. */
export type Manner =
  | 'sells'
  /** Like `sells`, after a while. */
  | 'late'
  /** By turns: sells, fails, hangs up, gives it away. */
  | 'flaky'
  /** Asks for payment in a way that nobody can read. */
  | 'garbled'
  /** Always this status, never for sale. */
  | 200
  | 401
  | 404
  | 415

/** One route of a sample seller: what it really does, and what each source says of it. */
export interface SampleRoute {
  readonly method: Method
  /** As sources list it; a parameter stands for any one segment. */
  readonly path: string
  /** What its live 402 asks for, in dollars. */
  readonly asks: string
  readonly rails: readonly Rail[]
  readonly manner: Manner
  readonly listings: readonly SampleListing[]
}

export const SOURCES = ['sample-bazaar', 'sample-index', 'sample-mpp', 'openapi', 'well-known'] as const
export type SampleSource = (typeof SOURCES)[number]

export interface SampleListing {
  readonly source: SampleSource
  readonly rail: Rail
  readonly price: string | null
  readonly network: string | null
}

/** A sample seller. Invented; all under `seller.test`. */
export interface SampleSeller {
  readonly host: string
  /** Of x402: what the challenge is written in. */
  readonly version: 1 | 2
  readonly routes: readonly SampleRoute[]
}

export const BASE = 'eip155:84532'
export const TEMPO = 'tempo:1337'

const bazaar = (price: string, network = BASE): SampleListing => ({
  source: 'sample-bazaar',
  rail: 'x402',
  price,
  network,
})
const index = (price: string | null, network: string | null = 'base-sepolia'): SampleListing => ({
  source: 'sample-index',
  rail: 'x402',
  price,
  network,
})
const mpp = (price: string | null): SampleListing => ({ source: 'sample-mpp', rail: 'mpp', price, network: TEMPO })
const own = (source: 'openapi' | 'well-known', price: string): SampleListing => ({
  source,
  rail: 'x402',
  price,
  network: BASE,
})

const route = (
  method: Method,
  path: string,
  asks: string,
  listings: readonly SampleListing[],
  more: Partial<Pick<SampleRoute, 'rails' | 'manner'>> = {},
): SampleRoute => ({ method, path, asks, listings, rails: ['x402'], manner: 'sells', ...more })

const seller = (name: string, routes: readonly SampleRoute[], version: 1 | 2 = 2): SampleSeller => ({
  host: `${name}.seller.test`,
  version,
  routes,
})

export const SELLERS: readonly SampleSeller[] = [
  seller('weather', [
    route('GET', '/v1/forecast', '0.02', [bazaar('0.02'), index('0.02'), own('openapi', '0.02')]),
    route('GET', '/v1/now', '0.01', [bazaar('0.01'), own('well-known', '0.01')]),
  ]),
  seller('quotes', [route('GET', '/v1/quote', '0.01', [bazaar('0.01', 'base-sepolia')])], 1),
  seller('translate', [route('POST', '/translate', '0.005', [mpp('0.005')], { rails: ['mpp'] })]),
  seller('both-rails', [route('GET', '/search', '0.05', [bazaar('0.05'), mpp('0.05')], { rails: ['x402', 'mpp'] })]),
  seller('free', [route('GET', '/ping', '0', [bazaar('0')], { manner: 200 })]),
  seller('dearer', [route('GET', '/quote', '0.03', [bazaar('0.01')])]),
  seller('disagree', [route('GET', '/data', '0.01', [bazaar('0.01'), index('0.25', 'solana')])]),
  seller(
    'flaky',
    ['one', 'two', 'three', 'four'].map((name) =>
      route('GET', `/maybe/${name}`, '0.001', [bazaar('0.001')], { manner: 'flaky' }),
    ),
  ),
  seller('slow', [route('GET', '/report', '1.5', [bazaar('1.5')], { manner: 'late' })]),
  seller('locked', [route('GET', '/private', '0', [index(null, null)], { manner: 401 })]),
  seller('gone', [route('GET', '/old', '0.01', [bazaar('0.01')], { manner: 404 })]),
  seller('picky', [route('POST', '/upload', '0.1', [index('0.1')], { manner: 415 })]),
  seller('garbled', [route('GET', '/odd', '0.01', [bazaar('0.01')], { manner: 'garbled' })]),
  seller('unreachable', [route('GET', '/v1/x', '0.01', [bazaar('0.01')])]),
  seller('templates', [
    route('GET', '/mcp/files/__tool__/{name}', '0.002', [bazaar('0.002')]),
    route('GET', '/users/:id', '0.01', [bazaar('0.01')]),
  ]),
  seller('insider', [route('GET', '/tips', '0.01', [bazaar('0.01')])]),
  seller(
    'catalogue',
    Array.from({ length: 300 }, (_, at) =>
      route('GET', `/items/${String(at + 1).padStart(3, '0')}`, '0.0005', [bazaar('0.0005')]),
    ),
  ),
]

/** Nobody listens for this one. */
export const UNREACHABLE = 'unreachable.seller.test'

const segmentsOf = (path: string): string[] => path.split('/')

const fits = (listed: string, given: string): boolean => {
  const parts = segmentsOf(listed)
  const said = segmentsOf(given)
  return parts.length === said.length && parts.every((part, at) => /^(?::|\{)/.test(part) || part === said[at])
}

/** The route that a request names, if the seller has it. */
export const routeAt = ({ routes }: SampleSeller, method: string, path: string): SampleRoute | undefined =>
  routes.find((candidate) => candidate.method === method && fits(candidate.path, path))
