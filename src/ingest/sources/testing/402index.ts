import type { SourceSample } from '../../testing/source-sample.ts'

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

export const sample: SourceSample = {
  items: index402Page.services,
  documentOf: (service) => ({ services: [service], total: 1 }),
}
