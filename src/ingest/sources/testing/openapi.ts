import type { SourceSample } from '../../testing/source-sample.ts'
import { USDC_ON_TEMPO } from './accounts.ts'

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

export const sample: SourceSample = {
  items: [openapiDocument],
  documentOf: (document) => document,
  real: { at: 'openapi', most: 1 },
}
