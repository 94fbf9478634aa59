import { ALGORAND, USDC_ON_BASE, USDC_ON_TEMPO, WALLET } from '../sources/testing/accounts.ts'

/** A document, or the part of it that matters, in a shape that sellers and facilitators really use, under invented hosts. */
export interface DialectSample {
  readonly source: 'well-known' | 'openapi' | 'bazaar'
  /** What is said in it, and where; fit for a table. */
  readonly what: string
  /** Of `openapi` the operation `GET /x`. */
  readonly document: unknown
  /** Each row as method, path, rail, price and network; or the reason for which it was refused. */
  readonly gives: readonly string[]
  /** What the version before gave. */
  readonly before: readonly string[]
}

const asset = USDC_ON_BASE
const accept = { scheme: 'exact', network: 'base', amount: '10000', asset, payTo: WALLET }
const inBitcoin = { scheme: 'L402', network: 'lightning', amount: '10', asset: 'BTC', payTo: WALLET }
const EACH_NAMED = [
  { ...accept, resource: 'https://shop.example/a' },
  { ...accept, amount: '20000', resource: '/b' },
]
const charge = { method: 'tempo', intent: 'charge', currency: USDC_ON_TEMPO, amount: '10000' }
const PRICE_LOST = ['GET /a x402 no data base']
const ALL_LOST = ['GET /a x402 no data no data']
const CENT = ['GET /a x402 0.010000 no data']
const CENT_ON_BASE = ['GET /a x402 0.010000 base']
const CENT_OF_MPP = ['GET /a mpp 0.010000 no data']
const CENT_OF_X = ['GET /x x402 0.010000 base']
const X_PRICE_LOST = ['GET /x x402 no data base']
const NO_ROUTE = ['refused no_route']

const wellKnown = (
  what: string,
  document: unknown,
  gives: readonly string[],
  before: readonly string[],
): DialectSample => ({ source: 'well-known', what, document, gives, before })

const openapi = (
  what: string,
  document: unknown,
  gives: readonly string[],
  before: readonly string[],
): DialectSample => ({ source: 'openapi', what, document, gives, before })

const paid = (what: string, info: unknown, gives: readonly string[], before: readonly string[]): DialectSample =>
  openapi(what, { 'x-payment-info': info }, gives, before)

const endpoint = (entry: object): object => ({ endpoints: [{ path: '/a', ...entry }] })
const FIVE_MILLS = ['GET /x x402 0.005000 no data']
const FREE = ['GET /x x402 0.000000 no data']

/** Shapes that a version before did not read, or read wrongly. */
export const READ_ANEW: readonly DialectSample[] = [
  wellKnown(
    '`price: "$0.01"` beside the address of the asset',
    { resources: [{ resource: '/a', price: '$0.01', network: 'base', asset }] },
    CENT_ON_BASE,
    PRICE_LOST,
  ),
  wellKnown(
    '`amount` and `asset` without `accepts`',
    { resources: [{ resource: '/a', amount: '10000', asset, network: 'base' }] },
    CENT_ON_BASE,
    PRICE_LOST,
  ),
  wellKnown(
    '`price: { amount, currency, decimals }`',
    { resources: [{ resource: '/a', price: { amount: '10000', currency: 'USDC', decimals: 6 } }] },
    CENT,
    ALL_LOST,
  ),
  wellKnown(
    '`price: { amount, currency, network }`',
    { resources: [{ resource: '/a', price: { amount: '0.01', currency: 'USDC', network: 'base' } }] },
    CENT_ON_BASE,
    CENT,
  ),
  wellKnown(
    'routes under `payable_endpoints`',
    { payable_endpoints: [{ url: '/a', price_usd: 0.01 }] },
    CENT,
    NO_ROUTE,
  ),
  wellKnown('routes under `paid_endpoints`', { paid_endpoints: [{ path: '/a', price: '$0.01' }] }, CENT, NO_ROUTE),
  wellKnown('prices by path, under `paid_endpoints`', { paid_endpoints: { '/a': '$0.01' } }, CENT, NO_ROUTE),
  wellKnown('routes under `apis`', { apis: [{ endpoint: 'https://shop.example/a', cost: '$0.01' }] }, CENT, NO_ROUTE),
  wellKnown(
    '`endpoints: { name: address }`',
    { endpoints: { a: 'https://shop.example/a', b: '/b' }, price_usd: 0.01 },
    ['GET /a x402 0.010000 no data', 'GET /b x402 0.010000 no data'],
    NO_ROUTE,
  ),
  wellKnown(
    'prices by the names of routes',
    { endpoints: { a: '/a', b: 'POST /b' }, pricing: { a: '$0.01', b: { amount: '0.02', currency: 'USDC' } } },
    ['GET /a x402 0.010000 no data', 'POST /b x402 0.020000 no data'],
    NO_ROUTE,
  ),
  wellKnown('`accepts` of the document', { accepts: [accept], endpoints: ['/a'] }, CENT_ON_BASE, ALL_LOST),
  wellKnown(
    '`price_usd` of the document',
    { price_usd: 0.01, network: 'base', resources: ['/a'] },
    CENT_ON_BASE,
    PRICE_LOST,
  ),
  wellKnown(
    'methods under a path',
    { endpoints: { '/a': { get: { price: '$0.01' }, post: { price: '$0.02' } } } },
    ['GET /a x402 0.010000 no data', 'POST /a x402 0.020000 no data'],
    ALL_LOST,
  ),
  wellKnown(
    'prices by network',
    endpoint({ price: { base: '$0.01', solana: '$0.02' } }),
    ['GET /a x402 0.010000 base', 'GET /a x402 0.020000 solana'],
    ALL_LOST,
  ),
  wellKnown(
    'several networks in one field',
    endpoint({ price: '$0.01', network: ['base', 'Polygon'] }),
    ['GET /a x402 0.010000 base', 'GET /a x402 0.010000 Polygon'],
    CENT,
  ),
  wellKnown('all of it inside `x402`', { x402: { resources: [{ path: '/a', price: '$0.01' }] } }, CENT, NO_ROUTE),
  wellKnown('routes under `tools`', { tools: [{ name: 't', path: '/a', price: '$0.01' }] }, CENT, NO_ROUTE),
  wellKnown(
    '`resource: { url, method }`',
    { resources: [{ resource: { url: 'https://shop.example/a', method: 'POST' }, accepts: [accept] }] },
    ['POST /a x402 0.010000 base'],
    CENT_ON_BASE,
  ),
  wellKnown(
    '`network: "Base Sepolia"`',
    endpoint({ price: '$0.01', network: 'Base Sepolia' }),
    ['GET /a x402 0.010000 Base Sepolia'],
    CENT,
  ),
  paid(
    '`protocols: [{ name: "x402", version: 2 }]`',
    { price: { mode: 'fixed', currency: 'USD', amount: '0.005' }, protocols: [{ name: 'x402', version: 2 }] },
    FIVE_MILLS,
    ['refused unknown_rail', 'refused unknown_rail'],
  ),
  paid('`protocols: ["x402 v2"]`', { price: '0.005', protocols: ['x402 v2'] }, FIVE_MILLS, ['refused unknown_rail']),
  paid(
    '`{ intent: "charge", method: "x402", networks }`',
    { intent: 'charge', method: 'x402', amount: '0.005', currency: 'USDC', networks: ['base', 'solana'] },
    ['GET /x x402 0.005000 base', 'GET /x x402 0.005000 solana'],
    ['GET /x x402 no data no data'],
  ),
  openapi(
    '`x-pricing` with `supportedPaymentMethods`',
    { 'x-pricing': { price: '0.01', supportedPaymentMethods: ['x402'] } },
    ['refused private_dialect'],
    ['refused not_paid'],
  ),
  paid('`{ type: "free" }`', { type: 'free' }, FREE, ['refused bad_offer']),
  paid('`pricing: { type: "free" }`', { pricing: { type: 'free' } }, FREE, ['refused bad_offer']),
  paid('`{ required: false }`', { required: false }, ['refused not_paid'], ['refused bad_offer']),
  wellKnown(
    'one path with a method and without, each with its terms',
    {
      resources: [
        { path: '/a', accepts: [accept] },
        { path: '/a', method: 'POST', price: '$0.05' },
      ],
    },
    ['GET /a x402 0.010000 base', 'POST /a x402 0.050000 no data'],
    ['POST /a x402 0.050000 no data'],
  ),
  wellKnown(
    'terms without a method, and the method without terms',
    { resources: [{ resource: '/a', accepts: [accept] }], endpoints: ['POST /a'] },
    ['POST /a x402 0.010000 base'],
    ['POST /a x402 no data no data'],
  ),
  wellKnown('`protocol: "mpp"`', endpoint({ price: '$0.01', protocol: 'mpp' }), CENT_OF_MPP, CENT),
  wellKnown('`rail: "mpp"`', endpoint({ price: '$0.01', rail: 'mpp' }), CENT_OF_MPP, CENT),
  wellKnown(
    '`protocols: ["mpp", "x402"]`',
    endpoint({ price: '$0.01', protocols: ['mpp', 'x402'], network: 'base' }),
    [...CENT_ON_BASE, ...CENT_OF_MPP],
    CENT_ON_BASE,
  ),
  wellKnown(
    '`protocol: "mpp"` of the service',
    { services: [{ protocol: 'mpp', endpoints: [{ path: '/a', price: '$0.01' }] }] },
    CENT_OF_MPP,
    CENT,
  ),
  wellKnown(
    '`protocol: "mpp"` beside the `accepts` of the document',
    { accepts: [accept], endpoints: [{ path: '/a', price: '$0.01', protocol: 'mpp' }] },
    CENT_OF_MPP,
    CENT_ON_BASE,
  ),
  wellKnown('`protocol: "L402"`', endpoint({ price: '$0.01', protocol: 'L402' }), ['refused unknown_rail'], CENT),
  wellKnown(
    '`protocols: [{ x402: { network } }, { mpp: {} }]`',
    endpoint({ price: '$0.01', protocols: [{ x402: { network: 'base' } }, { mpp: {} }] }),
    [...CENT_ON_BASE, ...CENT_OF_MPP],
    [...CENT, ...CENT_OF_MPP],
  ),
  wellKnown(
    '`protocols: [{ x402: { network, amount, asset } }, { mpp: { method, currency, amount } }]`',
    endpoint({ protocols: [{ x402: accept }, { mpp: { ...charge, amount: '20000' } }] }),
    [...CENT_ON_BASE, 'GET /a mpp 0.020000 tempo:4217'],
    [...ALL_LOST, 'GET /a mpp no data no data'],
  ),
  wellKnown(
    '`protocols: ["x402", { mpp: { currency } }]`',
    endpoint({ price: '$0.01', network: 'base', protocols: ['x402', { mpp: { currency: USDC_ON_TEMPO } }] }),
    [...CENT_ON_BASE, 'GET /a mpp 0.010000 tempo:4217'],
    [...CENT_ON_BASE, ...CENT_OF_MPP],
  ),
  wellKnown(
    '`protocols: [{ mpp: { method, currency } }]`',
    endpoint({ price: '$0.01', protocols: [{ mpp: { method: 'tempo', currency: USDC_ON_TEMPO } }] }),
    ['GET /a mpp 0.010000 tempo:4217'],
    CENT_OF_MPP,
  ),
  wellKnown(
    '`protocols: [{ x402: { network } }]` of the document',
    { protocols: [{ x402: { network: 'base', payTo: WALLET } }], ...endpoint({ price: '$0.01' }) },
    CENT_ON_BASE,
    CENT,
  ),
  wellKnown(
    '`protocols: { x402: { accepts }, mpp: { method, currency, amount } }` of the document',
    { protocols: { x402: { accepts: [accept] }, mpp: { ...charge, amount: '20000' } }, resources: ['/a'] },
    [...CENT_ON_BASE, 'GET /a mpp 0.020000 tempo:4217'],
    ALL_LOST,
  ),
  wellKnown(
    '`protocols: { x402, mpp }` of the document, with a price of the route',
    {
      protocols: { x402: accept, mpp: { ...charge, amount: '20000' } },
      ...endpoint({ price: '$0.05' }),
    },
    ['GET /a x402 0.050000 base', 'GET /a mpp 0.050000 tempo:4217'],
    ['GET /a x402 0.050000 no data'],
  ),
  wellKnown(
    '`service_url` around paths',
    { service_url: 'https://shop.example/v1', ...endpoint({ price: '$0.01' }) },
    ['GET /v1/a x402 0.010000 no data'],
    CENT,
  ),
  wellKnown(
    'a way to pay by L402 in `accepts`',
    endpoint({ accepts: [inBitcoin, accept] }),
    [...CENT_ON_BASE, 'refused unknown_rail'],
    ['GET /a x402 no data lightning', ...CENT_ON_BASE],
  ),
  wellKnown(
    '`networks` with an id of Algorand',
    endpoint({ price: '$0.01', networks: ['base', ALGORAND] }),
    [...CENT_ON_BASE, `GET /a x402 0.010000 ${ALGORAND}`],
    CENT_ON_BASE,
  ),
  wellKnown('a route beside `services` in words', endpoint({ price: '$0.01', services: ['x', 'y'] }), CENT, [
    'GET /x x402 0.010000 no data',
    'GET /y x402 0.010000 no data',
  ]),
  wellKnown('a route beside an empty `resources`', endpoint({ price: '$0.01', resources: [] }), CENT, []),
  wellKnown('a route beside an empty `routes`', endpoint({ price: '$0.01', routes: {} }), CENT, []),
  wellKnown('a service with an empty list', { services: [{ name: 'Maps', endpoints: [] }] }, NO_ROUTE, []),
  wellKnown(
    'paid routes named `status` and `mcp`',
    {
      endpoints: {
        status: { path: '/a', price: '$0.01' },
        mcp: { path: '/mcp', accepts: [accept] },
        docs: { path: '/docs' },
        health: { path: '/health', price: 0 },
      },
    },
    [...CENT, 'GET /mcp x402 0.010000 base', 'refused not_paid', 'refused not_paid'],
    ['refused not_paid', 'refused not_paid', 'refused not_paid', 'refused not_paid'],
  ),
  wellKnown(
    'words with a number under a path',
    {
      price: '$0.01',
      endpoints: { '/a': 'Top 10 tokens', '/b': '24h volume', '/c': '0.02 ETH', '/d': '$0.03 a call' },
    },
    [...CENT, 'GET /b x402 0.010000 no data', 'GET /c x402 no data no data', 'GET /d x402 no data no data'],
    ALL_LOST.concat(['GET /b x402 no data no data', 'GET /c x402 no data no data', 'GET /d x402 no data no data']),
  ),
  wellKnown(
    '`method: ["GET", "POST"]`',
    endpoint({ price: '$0.01', method: ['GET', 'POST'] }),
    [...CENT, 'POST /a x402 0.010000 no data'],
    CENT,
  ),
  paid('`{ protocols, accepts }`', { protocols: ['x402'], accepts: [accept] }, CENT_OF_X, X_PRICE_LOST),
  paid(
    '`{ protocols: [{ x402: { accepts } }] }`',
    { protocols: [{ x402: { accepts: [accept] } }] },
    CENT_OF_X,
    X_PRICE_LOST,
  ),
  paid(
    '`{ protocols: [{ x402: { network, amount, asset } }] }`',
    { protocols: [{ x402: accept }] },
    CENT_OF_X,
    X_PRICE_LOST,
  ),
  paid('`{ protocols: { x402: { … } } }`', { protocols: { x402: accept } }, CENT_OF_X, X_PRICE_LOST),
  paid(
    '`{ protocols: [{ mpp: { method, currency, amount } }] }`',
    { protocols: [{ mpp: charge }] },
    ['GET /x mpp 0.010000 tempo:4217'],
    ['GET /x mpp no data tempo:4217'],
  ),
  paid(
    '`{ protocols: ["mpp"], offers }`',
    { protocols: ['mpp'], offers: [charge] },
    ['GET /x mpp 0.010000 tempo:4217'],
    ['GET /x mpp no data no data'],
  ),
  paid(
    '`price` beside `accepts` that ask for another',
    { price: '$0.05', protocols: ['x402'], accepts: [accept] },
    CENT_OF_X,
    ['GET /x x402 0.050000 base'],
  ),
  paid(
    '`price: "$0.00"` beside `accepts` that ask for one unit of an asset without a known value',
    { price: '$0.00', protocols: ['x402'], accepts: [{ ...accept, asset: 'usdc', amount: '1' }] },
    X_PRICE_LOST,
    ['GET /x x402 0.000000 base'],
  ),
  paid(
    'the same without `protocols`',
    { price: '$0.00', accepts: [{ ...accept, asset: 'usdc', amount: '1' }] },
    X_PRICE_LOST,
    FREE,
  ),
  wellKnown(
    'the same',
    endpoint({ price: '$0.00', accepts: [{ ...accept, asset: 'usdc', amount: '1' }] }),
    PRICE_LOST,
    ['GET /a x402 0.000000 base'],
  ),
  openapi(
    '`accepts` of the operation beside `x-payment-info`',
    { 'x-payment-info': { price: '$0.01', protocols: ['x402'] }, accepts: [accept] },
    CENT_OF_X,
    ['GET /x x402 0.010000 no data'],
  ),
  paid(
    '`accepts` of L402 alone',
    { accepts: [inBitcoin] },
    ['refused unknown_rail'],
    ['GET /x x402 no data lightning'],
  ),
  {
    source: 'bazaar',
    what: 'a way to pay by L402 in `accepts`',
    document: { items: [{ resource: 'https://shop.example/a', accepts: [inBitcoin, accept] }] },
    gives: [...CENT_ON_BASE, 'refused other_protocol'],
    before: ['GET /a x402 no data lightning', ...CENT_ON_BASE],
  },
  {
    source: 'bazaar',
    what: '`{ resources, total }` as a page',
    document: { resources: [{ resource: 'https://shop.example/a', accepts: [accept] }], total: 1 },
    gives: CENT_ON_BASE,
    before: ['refused not_a_page'],
  },
  wellKnown(
    'ways to pay that each name their route, beside the routes',
    { resources: ['/a', '/b'], accepts: EACH_NAMED },
    ['GET /a x402 0.010000 base', 'GET /b x402 0.020000 base'],
    ['/a', '/b'].flatMap((path) => ['0.010000', '0.020000'].map((price) => `GET ${path} x402 ${price} base`)),
  ),
  wellKnown(
    'the same without the routes',
    { accepts: EACH_NAMED },
    ['GET /a x402 0.010000 base', 'GET /b x402 0.020000 base'],
    ['GET /a x402 0.010000 base', 'GET /a x402 0.020000 base'],
  ),
  wellKnown(
    'routes under `paths`',
    { version: 1, paths: { '/a': { price: '$0.01' } } },
    ['GET /a x402 0.010000 no data'],
    [],
  ),
  wellKnown(
    '`accepts_payment: false` of the document',
    { accepts_payment: false, resources: [{ resource: '/a', accepts: [] }] },
    ['refused not_paid'],
    ALL_LOST,
  ),
]
