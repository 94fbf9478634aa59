/**
 * Documents in the shapes that listing sources send, under invented hosts, for tests to read, change and serve.
 */
export const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const USDC_ON_BASE_SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const USDC_ON_TEMPO = '0x20c000000000000000000000b9537d11c60e8b50'
export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const WALLET = '0x1111111111111111111111111111111111111111'
export const SOLANA_WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'

export const bazaarV1Item = {
  resource: 'https://api.quotes.example/v1/quote',
  type: 'http',
  x402Version: 1,
  lastUpdated: '2026-01-27T05:45:44.968Z',
  metadata: {},
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '10000',
      asset: USDC_ON_BASE,
      payTo: WALLET,
      maxTimeoutSeconds: 60,
      resource: 'https://api.quotes.example/v1/quote',
      description: 'One quote',
      mimeType: 'application/json',
      outputSchema: { input: { type: 'http', method: 'POST', discoverable: true }, output: { type: 'object' } },
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
}

export const bazaarV2Item = {
  resource: 'https://api.weather.example/forecast',
  type: 'http',
  x402Version: 2,
  lastUpdated: 1_766_458_335,
  description: 'Forecast',
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '2500',
      asset: USDC_ON_BASE,
      payTo: WALLET,
      maxTimeoutSeconds: 60,
    },
    { scheme: 'exact', network: SOLANA, amount: '2500', asset: USDC_ON_SOLANA, payTo: SOLANA_WALLET, extra: {} },
  ],
  extensions: {
    bazaar: { info: { input: { type: 'http', method: 'GET', queryParams: { city: 'Oslo' } } }, schema: {} },
  },
  quality: { l30DaysTotalCalls: 12, l30DaysUniquePayers: 3 },
}

export const bazaarPage = (items: readonly unknown[], offset = 0, total = items.length) => ({
  x402Version: 2,
  items,
  pagination: { limit: 100, offset, total },
})

const charge = { intent: 'charge', method: 'tempo', currency: USDC_ON_TEMPO, decimals: 6 }

export const mppDirectory = {
  version: 1,
  services: [
    {
      id: 'maps',
      name: 'Maps',
      url: 'https://maps.example',
      serviceUrl: 'https://pay.maps.example/gateway/',
      status: 'active',
      categories: ['data'],
      methods: { tempo: { intents: ['charge'], assets: [USDC_ON_TEMPO] } },
      realm: 'pay.maps.example',
      endpoints: [
        { method: 'GET', path: '/v1/tiles/:z/:x/:y', description: 'A tile', payment: { ...charge, amount: '1500' } },
        { method: 'POST', path: '/v1/route', payment: { ...charge, dynamic: true, amountHint: '1000 to 5000' } },
        { method: 'GET', path: '/v1/health', payment: null },
        {
          method: 'POST',
          path: '/v1/print',
          payment: { intent: 'charge', method: 'stripe', currency: 'usd', decimals: 2, amount: '50' },
        },
      ],
    },
  ],
}

export const openapiDocument = {
  openapi: '3.1.0',
  info: { title: 'Seller', version: '1' },
  servers: [{ url: '/api' }],
  paths: {
    '/health': { get: { responses: { 200: {} } } },
    '/draft/{id}': {
      get: {
        responses: { 402: {} },
        'x-payment-info': { offers: [{ intent: 'charge', method: 'tempo', amount: '10000', currency: USDC_ON_TEMPO }] },
      },
    },
    '/cash': {
      post: {
        'x-payment-info': {
          price: { mode: 'fixed', currency: 'USD', amount: '0.05' },
          protocols: [{ x402: {} }, { mpp: { method: 'tempo', intent: 'charge', currency: USDC_ON_TEMPO } }],
        },
      },
    },
    '/wild': {
      get: {
        'x-payment-info': {
          pricingMode: 'range',
          minPrice: '0.50',
          maxPrice: '1.30',
          protocols: ['x402'],
          chains: [{ network: 'eip155:8453', name: 'Base' }],
        },
      },
    },
  },
}

export const wellKnownDocument = {
  version: 1,
  network: 'base',
  payTo: WALLET,
  resources: [
    'https://api.shop.example/v1/a',
    'POST /v1/b',
    {
      resource: '/v1/c',
      price: '$0.003',
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          asset: 'USDC',
          assetAddress: USDC_ON_BASE,
          payTo: WALLET,
          maxAmountRequired: '3000',
        },
      ],
    },
  ],
  endpoints: { '/v1/d': { method: 'POST', price: '0.10' } },
  pricing: { free: { cost_usd: 0, endpoints: ['/v1/e'] } },
  ownershipProofs: [`0x${'ab'.repeat(65)}`],
}

export const index402Page = {
  services: [
    {
      id: '1',
      name: 'Prices',
      url: 'https://prices.example/v1/spot',
      protocol: 'x402',
      price_usd: 0.001,
      payment_asset: 'USDC',
      payment_network: 'base',
      http_method: 'GET',
      source: 'bazaar',
    },
  ],
  total: 1,
  limit: 200,
  offset: 0,
}

export const fileRecord = {
  kind: 'listing',
  source: 'mine',
  method: 'GET',
  url: 'https://api.mine.example/v1/x',
  rail: 'x402',
  price: '0.010000',
  network: 'base',
  label: 'directory-observed',
  first_observed: '2026-11-14T12:34:56.123456Z',
  last_observed: '2026-11-14T12:34:56.123456Z',
}
