import type { Offer } from '../../domain/challenge.ts'
import { decimalsOf, TEMPO_USDC } from '../../domain/money/asset.ts'
import type { MicroDollars } from '../../domain/money/price.ts'
import { priceFromBaseUnits } from '../../domain/money/price.ts'
import { accountOf, type Fields, field, networkOf } from './guards.ts'
import { baseUnits } from './money.ts'
import { decimalsIn } from './place.ts'

const TEMPO = 'tempo:4217'
const STRIPE_USD_DECIMALS = 2

/** Tempo's bridged USDC means its main network; any other currency leaves the network unknown. */
export const networkOfCurrency = (currency: string | null): string | null =>
  currency?.toLowerCase() === TEMPO_USDC ? TEMPO : null

function knownDecimals(method: string | null, currency: string | null, network: string | null): number | undefined {
  if (currency === null) return undefined
  if (method === 'stripe') return currency.toLowerCase() === 'usd' ? STRIPE_USD_DECIMALS : undefined
  return method === 'tempo' ? decimalsOf(network ?? TEMPO, currency) : undefined
}

function priceOf(terms: Fields, decimals: number | undefined): MicroDollars | null {
  const stated = field(terms, 'decimals')
  const units = baseUnits(field(terms, 'amount'))
  if (units === undefined || decimals === undefined || field(terms, 'dynamic') === true) return null
  // Decimals that contradict the asset's own make the amount unreadable.
  if (stated !== undefined && stated !== null && decimalsIn(stated) !== decimals) return null
  return priceFromBaseUnits(units, decimals) ?? null
}

/** One offer of the mpp rail as directories and sellers' documents write it; amounts are base units. */
export function readMppTerms(terms: Fields): Offer {
  const method = accountOf(field(terms, 'method'))?.toLowerCase() ?? null
  const currency = accountOf(field(terms, 'currency'))
  const network = networkOf(field(terms, 'network')) ?? networkOfCurrency(currency)
  return {
    rail: 'mpp',
    network,
    asset: currency,
    payee: accountOf(field(terms, 'recipient')) ?? accountOf(field(terms, 'payTo')),
    price: priceOf(terms, knownDecimals(method, currency, network)),
  }
}
