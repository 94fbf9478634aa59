export const PAGE = 100
const ITEMS_PER_HOST = 25

const hostOf = (n: number): string => `s${Math.floor(n / ITEMS_PER_HOST)}.bench.example`
const pathOf = (n: number): string => `/v1/items/${n % ITEMS_PER_HOST}`
const priceOf = (n: number): number => 1000 + (n % 50) * 100

/** An item in the Bazaar's shape. */
export const item = (n: number) => ({
  resource: `https://${hostOf(n)}${pathOf(n)}`,
  type: 'http',
  x402Version: 2,
  lastUpdated: '2026-11-14T00:00:00.000Z',
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: String(priceOf(n)),
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: `0x${String(n % 997).padStart(40, '0')}`,
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
  extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } } } },
})
