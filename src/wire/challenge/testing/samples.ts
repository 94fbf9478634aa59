import { type LiveAnswer, readChallenge } from '../challenge.ts'

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const TEMPO_USDC = '0x20c000000000000000000000b9537d11c60e8b50'
export const PATH_USD = '0x20c0000000000000000000000000000000000000'
export const SELLER = '0x1111111111111111111111111111111111111111'
export const ADDRESS = 'https://api.example/v1/x'
const NOW_US = Date.UTC(2026, 10, 14) * 1000

/** What is signed besides: of USDC on Base. */
const SIGNED = { maxTimeoutSeconds: 60, extra: { name: 'USD Coin', version: '2' } }

export const V1 = {
  ...SIGNED,
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '10000',
  resource: ADDRESS,
  payTo: SELLER,
  asset: USDC,
}
export const V2 = { ...SIGNED, scheme: 'exact', network: 'eip155:8453', amount: '10000', payTo: SELLER, asset: USDC }
export const version1 = (...accepts: unknown[]) => ({ x402Version: 1, error: 'pay', accepts })
export const version2 = (...accepts: unknown[]) => ({ x402Version: 2, resource: { url: ADDRESS }, accepts })

export const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
export const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export const read = (parts: { headers?: LiveAnswer['headers']; body?: unknown; status?: number; url?: string }) =>
  readChallenge({
    url: parts.url ?? `${ADDRESS}?q=1`,
    status: parts.status ?? 402,
    headers: parts.headers ?? [],
    body: Buffer.from(typeof parts.body === 'string' ? parts.body : JSON.stringify(parts.body ?? '')),
    nowUs: NOW_US,
  })
export const inHeader = (value: unknown) => read({ headers: [['PAYMENT-REQUIRED', base64(value)]] })
export const inBody = (value: unknown) => read({ body: value })

export const BASE_OFFER = { rail: 'x402', network: 'base', price: 10_000, asset: USDC, payee: SELLER }
export const CAIP_OFFER = { ...BASE_OFFER, network: 'eip155:8453' }

export const REQUEST = { amount: '10000', currency: TEMPO_USDC, recipient: SELLER, methodDetails: { chainId: 4217 } }
export const MPP_OFFER = { rail: 'mpp', network: 'tempo:4217', price: 10_000, asset: TEMPO_USDC, payee: SELLER }
export const payment = (request: unknown, more: Record<string, string> = {}): string => {
  const params = {
    id: 'x',
    realm: 'api.example',
    method: 'tempo',
    intent: 'charge',
    request: base64url(request),
    ...more,
  }
  return `Payment ${Object.entries(params)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`
}
export const NO_STORE = ['Cache-Control', 'private, no-store'] as const
export const asked = (...lines: string[]) =>
  read({ headers: [NO_STORE, ...lines.map((line) => ['WWW-Authenticate', line] as const)] })
