import { USDC_ON_BASE, WALLET } from '../sources/testing/accounts.ts'

/** Where the amount of an operation's `x-payment-info` may stand. */
export const INFO_FORMS = [
  'price',
  'price.amount',
  'amount',
  'x402',
  'offer',
  'accept',
  'accept beside',
  'keyed',
  'keyed accept',
] as const
export const INFO_AMOUNTS = ['0.01', '$0.01', 0.01, '10000', 10_000, 2] as const
export const INFO_CURRENCIES = [undefined, 'USD', 'USDC', 'EUR'] as const
export const INFO_DECIMALS = [undefined, 6, 18] as const
export const INFO_ASSETS = [undefined, USDC_ON_BASE] as const
export const INFO_NETWORKS = [undefined, 'base', 'Base Mainnet', 'polygon'] as const
export const PROTOCOLS = [
  ['x402'],
  [{ name: 'x402', version: 2 }],
  [{ x402: {} }],
  { x402: { version: 2 } },
  'x402',
  ['x402 v2'],
] as const

/** One way to pay, as an OpenAPI document might state it. */
export interface InfoStatement {
  readonly form: (typeof INFO_FORMS)[number]
  readonly amount: (typeof INFO_AMOUNTS)[number]
  readonly currency: (typeof INFO_CURRENCIES)[number]
  readonly decimals: (typeof INFO_DECIMALS)[number]
  readonly asset: (typeof INFO_ASSETS)[number]
  readonly network: (typeof INFO_NETWORKS)[number]
  readonly protocols: (typeof PROTOCOLS)[number]
}

const CENT = 10_000
const MILLION = 1_000_000

/**
 * The price that it states, in millionths of a dollar; `null` where reading one into it would be a guess. Beside `protocols` a
 * price is in dollars, whole ones too, unless decimals or a token beside it say that it may be base units.
 */
export function statedInfoPrice({ form, amount, currency, decimals, asset, network }: InfoStatement): number | null {
  if (currency === 'EUR') return null
  const isFew = amount === 2
  const isWhole = amount === '10000' || amount === 10_000 || isFew
  const inDollars = (isFew ? 2 : 10_000) * MILLION
  const isSigned = amount === '$0.01'
  const isKnown = asset !== undefined && network !== undefined && network !== 'polygon'
  if (!isWhole) return asset === undefined || isKnown || isSigned ? CENT : null
  const isPrice = form === 'price' || form === 'price.amount'
  if (isPrice && decimals === undefined && asset === undefined && currency !== 'USDC') return inDollars
  // All but these is as x402 has it: base units, whatever the currency.
  const isBase = !isPrice && form !== 'amount'
  if (!isBase && currency === 'USD' && decimals === undefined) return asset === undefined ? inDollars : null
  // Dollars, or the smallest units of the asset?
  if ((form === 'price' && decimals === undefined) || (isFew && !isBase)) return null
  const inUnits = isFew ? 2 : CENT
  if (isKnown) return decimals === 18 ? null : inUnits
  if (asset !== undefined || decimals === undefined || currency === undefined) return null
  if (decimals === 18) return isBase ? 1 : null
  return inUnits
}

type Draft = Record<string, unknown>

/** The `x-payment-info` that states it. */
export function infoOf(statement: InfoStatement): Draft {
  const { form, amount, currency, decimals, asset, network, protocols } = statement
  const beside: Draft = {
    ...(currency !== undefined && { currency }),
    ...(decimals !== undefined && { decimals }),
    ...(asset !== undefined && { asset }),
    ...(network !== undefined && { network }),
  }
  switch (form) {
    case 'price':
      return { protocols, price: amount, ...beside }
    case 'price.amount':
      return { protocols, price: { mode: 'fixed', amount, ...beside } }
    case 'amount':
      return { protocols, amount, ...beside }
    case 'x402':
      return { x402: { amount, ...beside } }
    case 'offer':
      return { offers: [{ intent: 'charge', method: 'x402', amount, ...beside }] }
    case 'accept':
      return { accepts: [{ scheme: 'exact', amount, payTo: WALLET, ...beside }] }
    case 'accept beside':
      return { protocols, accepts: [{ scheme: 'exact', amount, payTo: WALLET, ...beside }] }
    case 'keyed':
      return { protocols: [{ x402: { amount, payTo: WALLET, ...beside } }] }
    case 'keyed accept':
      return { protocols: [{ x402: { accepts: [{ scheme: 'exact', amount, payTo: WALLET, ...beside }] } }] }
  }
}
