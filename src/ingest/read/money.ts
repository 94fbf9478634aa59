import { dollarDecimals } from '../../domain/money/known-networks.ts'
import { type MicroDollars, priceFromBaseUnits, priceFromDecimal } from '../../domain/money/price.ts'

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
  const decimals = dollarDecimals(network, asset)
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

const DOLLARS =
  /^(?:USDC?\s*|US(?=\$))?\$?\s*([1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)\s*(?:USDC?|dollars?)?(?:\s*(?:\/|per)\s*(?:call|request|req|query))?$/i

const AMOUNT =
  /^free$|[$€£¥]\s*\d|\b(?:usdc?|usdt|eurc?)\s*\d|^[^\p{L}\d]*\d[\d.,_]*(?:e-\d+)?\s*(?:$|[/(+–]|-\s*[$\d]|(?:per|usdc?|usdt|dollars?|cents?|eurc?|gbp|eth|sol|btc|sats?|credits?|units?|g?wei|lamports?|atomic)\b)/iu

/** A text that is an amount, readable or not; `Top 10 tokens` and `24h volume` are words. */
export const isAmountText = (text: string): boolean => AMOUNT.test(text.trim())

/** How programs write a small number: `1e-05`. */
const SMALL = /^\d(?:\.\d{1,17})?e-\d{1,2}$/i

/** Dollars where the field says so: `0.05`, `"0.05"`, `"$0.05"`, `"0.05 USDC"`, `"$0.05 per call"`. */
export function dollars(value: unknown): MicroDollars | undefined {
  if (typeof value === 'number') {
    const text = decimalText(value)
    return text === undefined ? undefined : priceFromDecimal(text)
  }
  if (typeof value !== 'string' || value.length > 60) return undefined
  if (SMALL.test(value.trim())) return dollars(Number(value))
  const written = DOLLARS.exec(value.trim())?.[1]
  // Elsewhere a comma is what a point is to dollars.
  if (written === undefined || (written.includes(',') && !value.includes('$'))) return undefined
  const digits = written.replaceAll(',', '')
  return priceFromDecimal(digits.startsWith('.') ? `0${digits}` : digits)
}

/** Millionths of a dollar where the field says so: `priceMicroUsdc: 15000`. */
export function microDollars(value: unknown): MicroDollars | undefined {
  const units = baseUnits(value)
  return units === undefined ? undefined : priceFromBaseUnits(units, 6)
}

/** Currencies that are dollars whatever the network. */
export const isDollar = (currency: string): boolean => /^(?:USDC?|USDC\.E|USDBC|USD COIN|\$)$/i.test(currency)

/** What stands around an amount and says what it is an amount of. */
export interface Denomination {
  readonly network: string | null
  /** An address, a mint or a symbol, as written. */
  readonly asset: string | null
  /** As the seller names it: `USD`, `USDC`, `EUR`. */
  readonly currency: string | undefined
  /** As stated beside the amount. */
  readonly decimals: number | undefined
}

/**
 * What the name of its field, or where that stands, says of an amount: dollars; base units where it is whole, whatever the
 * currency (`base`) or unless it is plainly `USD` (`units`); or neither.
 */
export type AmountUnit = 'dollars' | 'base' | 'units' | 'unsaid'

const isAddress = (asset: string): boolean => /^0x[0-9a-f]{40}$|^[1-9A-HJ-NP-Za-km-z]{32,44}$|\//i.test(asset)

/** The dollars of which this is an amount: `undefined` where they are not known, or what is stated contradicts itself. */
function decimalsIn({ network, asset, currency, decimals }: Denomination): number | undefined {
  if (currency !== undefined && !isDollar(currency)) return undefined
  const known = network === null || asset === null ? undefined : dollarDecimals(network, asset)
  if (known !== undefined) return decimals === undefined || decimals === known ? known : undefined
  const isUnknownAddress = asset !== null && isAddress(asset)
  const symbols = [currency, isUnknownAddress ? undefined : asset].filter((text) => typeof text === 'string')
  return !isUnknownAddress && symbols.length > 0 && symbols.every(isDollar) ? decimals : undefined
}

/** Whether a decimal amount without a sign is one of dollars: nothing beside it says otherwise. */
function isOfDollars({ network, asset, currency }: Denomination): boolean {
  if (currency !== undefined && !isDollar(currency)) return false
  if (asset === null || isDollar(asset)) return true
  return network !== null && dollarDecimals(network, asset) !== undefined
}

/**
 * A hundredth of a cent. Where nothing says which of the two it is, a whole number that would be less in base units is as likely a few
 * dollars (`price: 1` beside `price: 0.05`); a hundred dollars and more are no price of a call.
 */
const LEAST_IN_UNITS = 100

/**
 * An amount as a price, or `undefined` where that would be a guess. A whole number is base units only where the asset's
 * decimals are known or stated and it is not so few of them, and dollars only where the currency is plainly `USD`.
 */
export function amountAs(unit: AmountUnit, value: unknown, of: Denomination): MicroDollars | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = typeof value === 'number' ? (decimalText(value) ?? '') : value.trim()
  const amount = dollars(text)
  if (unit === 'dollars' || amount === 0) return amount
  const units = baseUnits(text)
  if (units === undefined) {
    const isSigned = /\$|usd|dollar/i.test(text)
    const isOther = of.currency !== undefined && !isDollar(of.currency)
    return (isSigned ? !isOther : isOfDollars(of)) ? amount : undefined
  }
  if (unit !== 'base' && of.decimals === undefined && of.currency?.toUpperCase() === 'USD') {
    // Five dollars, or five of the asset's smallest units?
    return of.asset === null || !isAddress(of.asset) ? amount : undefined
  }
  const decimals = unit !== 'unsaid' || of.decimals !== undefined ? decimalsIn(of) : undefined
  const price = decimals === undefined ? undefined : priceFromBaseUnits(units, decimals)
  return unit === 'base' || price === undefined || price >= LEAST_IN_UNITS ? price : undefined
}
