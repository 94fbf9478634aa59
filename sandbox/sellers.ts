/** A sample seller: what sources list of it and how it has been answering. Invented; all under `seller.test`. */
export interface SampleSeller {
  readonly host: string
  readonly routes: readonly SampleRoute[]
  /** Statuses its probes have met, in turn; `null` is no answer. */
  readonly answers: readonly (number | null)[]
  readonly error: string | null
  /** Around which its latencies lie, in milliseconds. */
  readonly typicalMs: number
}

export interface SampleRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly listings: readonly SampleListing[]
  /** What its live 402 asks for, in dollars; absent where it never asked. */
  readonly asks?: string
}

export interface SampleListing {
  readonly source: string
  readonly rail: 'x402' | 'mpp'
  readonly price: string | null
  readonly network: string | null
}

const x402 = (price: string | null, source = 'sample-bazaar', network: string | null = 'base'): SampleListing => ({
  source,
  rail: 'x402',
  price,
  network,
})
const mpp = (price: string | null): SampleListing => ({
  source: 'sample-mpp',
  rail: 'mpp',
  price,
  network: 'tempo:4217',
})

const get = (path: string, listings: readonly SampleListing[], asks?: string): SampleRoute => ({
  method: 'GET',
  path,
  listings,
  ...(asks === undefined ? {} : { asks }),
})

export const SELLERS: readonly SampleSeller[] = [
  {
    host: 'weather.seller.test',
    routes: [
      get('/v1/now', [x402('0.010000')], '0.010000'),
      get('/v1/forecast', [x402('0.020000'), x402('0.020000', 'sample-index', 'eip155:8453')], '0.020000'),
    ],
    answers: [402],
    error: null,
    typicalMs: 80,
  },
  {
    host: 'translate.seller.test',
    routes: [{ method: 'POST', path: '/translate', listings: [mpp('0.005000')] }],
    answers: [402, 402, 402, 500],
    error: null,
    typicalMs: 140,
  },
  {
    host: 'both-rails.seller.test',
    routes: [get('/search', [x402('0.050000'), mpp('0.050000')], '0.050000')],
    answers: [402],
    error: null,
    typicalMs: 60,
  },
  { host: 'free.seller.test', routes: [get('/ping', [x402('0.000000')])], answers: [200], error: null, typicalMs: 25 },
  {
    host: 'dearer.seller.test',
    routes: [get('/quote', [x402('0.010000')], '0.030000')],
    answers: [402],
    error: null,
    typicalMs: 95,
  },
  {
    host: 'disagree.seller.test',
    routes: [get('/data', [x402('0.010000'), x402('0.250000', 'sample-index', 'solana')])],
    answers: [402],
    error: null,
    typicalMs: 110,
  },
  {
    host: 'flaky.seller.test',
    routes: [get('/maybe', [x402('0.001000')])],
    answers: [402, 503, null, 402, 200],
    error: 'connection_reset',
    typicalMs: 400,
  },
  {
    host: 'slow.seller.test',
    routes: [get('/report', [x402('1.500000')])],
    answers: [402],
    error: null,
    typicalMs: 4200,
  },
  {
    host: 'locked.seller.test',
    routes: [get('/private', [x402(null, 'sample-index', null)])],
    answers: [401],
    error: null,
    typicalMs: 70,
  },
  { host: 'gone.seller.test', routes: [get('/old', [x402('0.010000')])], answers: [404], error: null, typicalMs: 50 },
  {
    host: 'picky.seller.test',
    routes: [{ method: 'POST', path: '/upload', listings: [x402('0.100000')] }],
    answers: [415],
    error: null,
    typicalMs: 65,
  },
  {
    host: 'unreachable.seller.test',
    routes: [get('/v1/x', [x402('0.010000')])],
    answers: [null],
    error: 'connect_timeout',
    typicalMs: 9990,
  },
  {
    host: 'templates.seller.test',
    routes: [get('/users/:id', [x402('0.010000')]), get('/mcp/files/__tool__/{name}', [x402('0.002000')])],
    answers: [],
    error: null,
    typicalMs: 0,
  },
  {
    host: 'catalogue.seller.test',
    routes: Array.from({ length: 300 }, (_, i) => get(`/items/${String(i + 1).padStart(3, '0')}`, [x402('0.000500')])),
    answers: [402],
    error: null,
    typicalMs: 45,
  },
]
