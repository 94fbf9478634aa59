import type { SourceSample } from '../../testing/source-sample.ts'
import { USDC_ON_BASE, WALLET } from './accounts.ts'

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

export const sample: SourceSample = {
  items: [wellKnownDocument],
  documentOf: (document) => document,
  real: { at: 'wellknown' },
}
