import { decimalsOf } from '../domain/asset.ts'
import { formatPrice, type MicroDollars, priceFromBaseUnits, priceFromDecimal } from '../domain/price.ts'
import type { Rail } from '../domain/route-words.ts'
import { THREAD_PRICE } from '../domain/thread.ts'

/** Pays what a 402 answer asks for, within a limit of its own. */
export interface Payer {
  readonly rail: Rail
  /** Headers that pay, when sent with the very same request. Rejects before signing anything that is above the limit. */
  pay(demand: Headers): Promise<Readonly<Record<string, string>>>
}

/** Why nothing was signed. */
export class UnpaidError extends Error {
  override readonly name = 'UnpaidError'
}

export interface Demand {
  /** CAIP-2 form. */
  readonly network: string
  readonly asset: string
  /** In the asset's base units. */
  readonly amount: string
}

/** Throws unless the amount is of a known dollar and not above the limit. */
export function checkPrice({ network, asset, amount }: Demand, limit: MicroDollars): void {
  const decimals = decimalsOf(network, asset)
  const price = decimals === undefined ? undefined : priceFromBaseUnits(BigInt(amount), decimals)
  if (price === undefined) throw new UnpaidError(`${amount} of ${asset} on ${network} is not a known dollar`)
  if (price > limit) throw new UnpaidError(`${formatPrice(price)} dollars are more than ${formatPrice(limit)}`)
}

/** Dollars as people write them; the price of a post unless given. */
export function limitOf(maxPrice: string | undefined): MicroDollars {
  const limit = maxPrice === undefined ? THREAD_PRICE : priceFromDecimal(maxPrice)
  if (limit === undefined) throw new TypeError(`${maxPrice} is not a number of dollars`)
  return limit
}
