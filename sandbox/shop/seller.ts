import type { Method, Rail } from '../../src/domain/route.ts'
import type { Lie, OddTerms } from './terms.ts'

/** How a route answers a request without payment; with a payment, `sells`, `late` and `walled` deliver. */
export type Manner =
  | 'sells'
  /** Like `sells`, after a while. */
  | 'late'
  /** By turns: sells, fails, hangs up, gives it away. */
  | 'flaky'
  /** Sells, and has a wall before it that turns away whoever comes from abroad. */
  | 'walled'
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
  /** In the words of those who list it. */
  readonly about?: string
  readonly terms?: OddTerms
  readonly lie?: Lie
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

export const bazaar = (price: string, network = BASE): SampleListing => ({
  source: 'sample-bazaar',
  rail: 'x402',
  price,
  network,
})
export const index = (price: string | null, network: string | null = 'base-sepolia'): SampleListing => ({
  source: 'sample-index',
  rail: 'x402',
  price,
  network,
})
export const mpp = (price: string | null, network = TEMPO): SampleListing => ({
  source: 'sample-mpp',
  rail: 'mpp',
  price,
  network,
})
export const own = (source: 'openapi' | 'well-known', price: string): SampleListing => ({
  source,
  rail: 'x402',
  price,
  network: BASE,
})

export const route = (
  method: Method,
  path: string,
  asks: string,
  listings: readonly SampleListing[],
  more: Partial<Pick<SampleRoute, 'rails' | 'manner' | 'about' | 'terms' | 'lie'>> = {},
): SampleRoute => ({ method, path, asks, listings, rails: ['x402'], manner: 'sells', ...more })

export const seller = (name: string, routes: readonly SampleRoute[], version: 1 | 2 = 2): SampleSeller => ({
  host: `${name}.seller.test`,
  version,
  routes,
})
