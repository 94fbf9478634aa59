import type { SourceSample } from '../../testing/source-sample.ts'
import { USDC_ON_TEMPO } from './accounts.ts'

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

export const sample: SourceSample = {
  items: mppDirectory.services,
  documentOf: (service) => ({ version: 1, services: [service] }),
  real: { at: 'mpp-services-30.json', list: 'services' },
}
