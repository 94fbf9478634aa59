/** Whole millionths of a dollar: the six fractional digits that are printed, as a safe integer. */
export type MicroDollars = number

const FORM = /^(0|[1-9]\d{0,9})\.(\d{6})$/

/** `0.010000` */
export function formatPrice(price: MicroDollars): string {
  const digits = String(price).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** Exactly the printed form; `undefined` for anything else. */
export function parsePrice(text: string): MicroDollars | undefined {
  const match = FORM.exec(text)
  if (!match) return undefined
  const price = Number(`${match[1]}${match[2]}`)
  return Number.isSafeInteger(price) ? price : undefined
}

/**
 * An amount in an asset's base units (1 dollar = 10^decimals), as dollars. What six digits cannot hold is rounded up:
 * a price is never shown lower than it is, and only a free route shows 0.000000. `undefined` when out of range.
 */
export function priceFromBaseUnits(amount: bigint, decimals: number): MicroDollars | undefined {
  if (amount < 0n || !Number.isInteger(decimals) || decimals < 0 || decimals > 36) return undefined
  const dollar = 10n ** BigInt(decimals)
  const scaled = (amount * 1_000_000n + dollar - 1n) / dollar
  return scaled <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(scaled) : undefined
}

/** How somebody writes dollars who asks about an offer. */
export const DOLLARS = /^\d{1,10}(\.\d{1,6})?$/

const DECIMAL = /^(\d{1,20})(?:\.(\d{1,30}))?$/

/** A decimal number of dollars as somebody wrote it (`0.05`, `5`); rounded up like base units. */
export function priceFromDecimal(text: string): MicroDollars | undefined {
  const match = DECIMAL.exec(text)
  if (!match) return undefined
  const fraction = match[2] ?? ''
  return priceFromBaseUnits(BigInt(`${match[1]}${fraction}`), fraction.length)
}
