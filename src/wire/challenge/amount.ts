import { type MicroDollars, priceFromBaseUnits } from '../../domain/money/price.ts'
import type { Warn } from './warnings.ts'

/** 2^256 has 78 digits: no chain counts further. */
const WHOLE = /^\d{1,78}$/
const DECIMAL = /^\d{0,78}\.\d{1,78}$/

/** As good as absent. */
export const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

/** A whole number of base units. A decimal amount is not guessed to be dollars: it has no price. */
export function amountOf(value: unknown, warn: Warn): bigint | undefined {
  if (isBlank(value)) {
    warn('missing_field')
    return undefined
  }
  if (typeof value === 'number') warn('number_amount')
  // Beyond the safe integers the JSON parser has already rounded: the digits are not the seller's any more.
  const isExact = typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value))
  const text = typeof value === 'string' ? value : isExact ? String(value) : ''
  if (WHOLE.test(text)) return BigInt(text)
  warn(DECIMAL.test(text) ? 'decimal_amount' : 'malformed')
  return undefined
}

/** Dollars, where the amount could be read and the asset's decimals are known. */
export function priceOf(amount: bigint | undefined, decimals: number | undefined): MicroDollars | null {
  if (amount === undefined || decimals === undefined) return null
  return priceFromBaseUnits(amount, decimals) ?? null
}
