import { decimalsOf } from '../../domain/asset.ts'
import { type MicroDollars, priceFromBaseUnits, priceFromDecimal } from '../../domain/price.ts'

/** 2^256 has 78 digits; longer ones are no amount of any asset. */
const WHOLE = /^\d{1,78}$/

/** An amount in an asset's base units: whole, as text or as a number small enough to be exact. */
export function baseUnits(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && WHOLE.test(value) ? BigInt(value) : undefined
}

/** Base units of a known dollar asset; anything else has no price. */
export function priceIn(network: string | null, asset: string | null, amount: unknown): MicroDollars | null {
  const units = baseUnits(amount)
  if (units === undefined || network === null || asset === null) return null
  const decimals = decimalsOf(network, asset)
  return decimals === undefined ? null : (priceFromBaseUnits(units, decimals) ?? null)
}

/**
 * The digits of a JSON number, to the 15 that such a number carries exactly: beyond them stands only the noise of the
 * source's own arithmetic (0.1 + 0.2). The exponent form is spelled out.
 */
export function decimalText(value: number): string | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined
  const [, whole = '', fraction = '', exponent] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(Number(value.toPrecision(15)))) ?? []
  if (whole === '') return undefined
  const point = whole.length + Number(exponent ?? 0)
  const digits = whole + fraction
  if (point < -30 || point > 20) return undefined
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length)
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Dollars where the field says so: `0.05`, `"0.05"`, `"$0.05"`, `"0.05 USDC"`. */
export function dollars(value: unknown): MicroDollars | undefined {
  if (typeof value === 'number') {
    const text = decimalText(value)
    return text === undefined ? undefined : priceFromDecimal(text)
  }
  if (typeof value !== 'string' || value.length > 60) return undefined
  const match = /^\$?\s*(\d*\.?\d+)\s*(?:USDC?|dollars?)?$/i.exec(value.trim())
  const digits = match?.[1]
  if (digits === undefined) return undefined
  return priceFromDecimal(digits.startsWith('.') ? `0${digits}` : digits)
}

/** Currencies that are dollars whatever the network. */
export const isDollar = (currency: string): boolean => /^(?:USDC?|USD COIN|\$)$/i.test(currency)

/**
 * A price in a field that does not say its unit. A dollar sign or a decimal point means dollars, as long as no other
 * currency is named beside it; a bare whole number may as well be base units, so it is taken only where the currency
 * is plainly `USD`, or where it is zero.
 */
export function likelyDollars(value: unknown, currency: string | undefined): MicroDollars | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = typeof value === 'number' ? (decimalText(value) ?? '') : value.trim()
  const amount = dollars(text)
  if (amount === undefined || amount === 0) return amount
  if (currency !== undefined && !isDollar(currency)) return undefined
  const plain = text.startsWith('$') || text.includes('.') || /usd/i.test(text) || currency?.toUpperCase() === 'USD'
  return plain ? amount : undefined
}
