import { USDC_ON_BASE, WALLET } from '../sources/testing/accounts.ts'

/** Where an amount, an asset, decimals and a network may stand in a seller's document. */
export const AMOUNT_PLACES = ['entry', 'price', 'payment', 'accept', 'root', 'root-accept'] as const
export const BESIDE_PLACES = ['same', 'entry', 'root'] as const
type AmountPlace = (typeof AMOUNT_PLACES)[number]
type BesidePlace = (typeof BESIDE_PLACES)[number]

export const AMOUNTS = [
  { field: 'price', value: '$0.01', form: 'signed' },
  { field: 'price', value: '0.01', form: 'decimal' },
  { field: 'price', value: 0.01, form: 'decimal' },
  { field: 'price', value: '10000', form: 'whole' },
  { field: 'amount', value: '10000', form: 'whole' },
  { field: 'maxAmountRequired', value: 10_000, form: 'whole' },
  { field: 'price', value: 2, form: 'few' },
  { field: 'amount', value: '2', form: 'few' },
  { field: 'maxAmountRequired', value: '2', form: 'few' },
  { field: 'price_usd', value: 0.01, form: 'named' },
] as const

export const ASSETS = {
  none: undefined,
  symbol: 'USDC',
  known: USDC_ON_BASE,
  caip: `eip155:8453/erc20:${USDC_ON_BASE}`,
  unknown: `0x${'12'.repeat(20)}`,
} as const

export const DECIMALS = [undefined, 6, 18] as const
export const CURRENCIES = [undefined, 'USDC', 'USD', 'EUR'] as const
export const NETWORKS = [undefined, 'base', 'eip155:8453', 'Base Mainnet', 8453, 'polygon'] as const
export const ROUTES = ['path', 'text', 'url', 'keyed', 'named', 'wrapped', 'by method'] as const

/** One route as a seller might state it. */
export interface Statement {
  readonly amount: (typeof AMOUNTS)[number]
  readonly amountAt: AmountPlace
  readonly asset: keyof typeof ASSETS
  readonly assetAt: BesidePlace
  readonly decimals: (typeof DECIMALS)[number]
  readonly decimalsAt: BesidePlace
  /** Stands with the amount. */
  readonly currency: (typeof CURRENCIES)[number]
  readonly network: (typeof NETWORKS)[number]
  readonly networkAt: BesidePlace
  readonly route: (typeof ROUTES)[number]
  readonly method: 'GET' | 'POST' | undefined
}

const CENT = 10_000
const MILLION = 1_000_000

/** The price that it states, in millionths of a dollar; `null` where reading one into it would be a guess. */
export function statedPrice({ amount, amountAt, asset, decimals, currency, network }: Statement): number | null {
  const isOnBase = network === undefined ? asset === 'caip' : network !== 'polygon'
  const isAddress = asset === 'known' || asset === 'caip' || asset === 'unknown'
  const isKnown = isOnBase && (asset === 'known' || asset === 'caip')
  if (amount.form === 'named') return CENT
  if (currency === 'EUR') return null
  if (amount.form === 'signed') return CENT
  if (amount.form === 'decimal') return isAddress && !isKnown ? null : CENT
  const isOfX402 = amountAt === 'accept' || amountAt === 'root-accept'
  const isBase = amount.field === 'maxAmountRequired' || (isOfX402 && amount.field === 'amount')
  const isFew = amount.form === 'few'
  if (currency === 'USD' && decimals === undefined && !isBase) return isAddress ? null : (isFew ? 2 : 10_000) * MILLION
  const saysUnits = amount.field !== 'price' || amountAt === 'price' || decimals !== undefined
  // A few of the smallest units, or a few dollars?
  if (!saysUnits || (isFew && !isBase)) return null
  const inUnits = isFew ? 2 : CENT
  if (isKnown) return decimals === 18 ? null : inUnits
  if (isAddress || decimals === undefined || (asset !== 'symbol' && currency === undefined)) return null
  if (decimals === 18) return isBase ? 1 : null
  return inUnits
}

export const statedNetwork = ({ network, asset }: Statement): string | null => {
  if (network !== undefined) return String(network)
  return asset === 'caip' ? 'eip155:8453' : null
}

type Draft = Record<string, unknown>

/** Says nothing of prices, and has numbers in it. */
const NOISE: Draft = {
  version: 2,
  description: 'About 5 dollars of data, 100 rows',
  maxTimeoutSeconds: 60,
  rateLimit: 1000,
  latency_ms: 20,
  timeout: '30',
  protocol: 'https',
}

/** The document that states it, for `https://shop.example/v1/route`. */
export function documentOf(statement: Statement, noise = false): unknown {
  const { amount, amountAt, asset, assetAt, decimals, decimalsAt, currency, network, networkAt } = statement
  const root: Draft = noise ? { ...NOISE } : {}
  const entry: Draft = noise ? { ...NOISE } : {}
  const at: Draft = amountAt === 'root' ? root : amountAt === 'entry' ? entry : {}
  if (amountAt === 'price') entry.price = at
  if (amountAt === 'payment') entry.payment = at
  if (amountAt === 'accept') entry.accepts = [Object.assign(at, { scheme: 'exact', payTo: WALLET })]
  if (amountAt === 'root-accept') root.accepts = [Object.assign(at, { scheme: 'exact', payTo: WALLET })]
  const placeOf = (place: BesidePlace): Draft => (place === 'same' ? at : place === 'entry' ? entry : root)
  at[amountAt === 'price' && amount.field === 'price' ? 'amount' : amount.field] = amount.value
  if (currency !== undefined) at.currency = currency
  if (ASSETS[asset] !== undefined) placeOf(assetAt).asset = ASSETS[asset]
  if (decimals !== undefined) placeOf(decimalsAt).decimals = decimals
  if (network !== undefined) placeOf(networkAt).network = network
  return { ...root, ...routesOf(statement, entry) }
}

function routesOf({ route, method }: Statement, entry: Draft): Draft {
  const stated = method === undefined ? {} : { method }
  const inText = method === undefined ? '' : `${method} `
  switch (route) {
    case 'path':
      return { endpoints: [{ path: '/v1/route', ...stated, ...entry }] }
    case 'text':
      return { resources: [{ resource: `${inText}/v1/route`, ...entry }] }
    case 'url':
      return { paid_endpoints: [{ url: 'https://shop.example/v1/route', ...stated, ...entry }] }
    case 'keyed':
      return { routes: { [`${inText}/v1/route`]: entry } }
    case 'named':
      return { apis: { first: { endpoint: '/v1/route', ...stated, ...entry } } }
    case 'wrapped':
      return { service: { endpoints: [{ path: '/v1/route', ...stated, ...entry }] } }
    case 'by method':
      return { routes: { '/v1/route': { [(method ?? 'GET').toLowerCase()]: entry } } }
  }
}
