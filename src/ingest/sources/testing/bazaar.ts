import type { SourceSample } from '../../testing/source-sample.ts'
import { SOLANA, SOLANA_WALLET, USDC_ON_BASE, USDC_ON_SOLANA, WALLET } from './accounts.ts'

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

export const sample: SourceSample = {
  items: [bazaarV1Item, bazaarV2Item],
  documentOf: (item) => bazaarPage([item]),
  real: { at: 'bazaar-500.json', list: 'items' },
}
