import { decimalsOf } from '../domain/money/asset.ts'
import { formatPrice, type MicroDollars, priceFromBaseUnits, priceFromDecimal } from '../domain/money/price.ts'
import { THREAD_PRICE } from '../domain/thread.ts'
import type { Rail } from '../domain/words/route-words.ts'

/** Pays what a 402 answer asks for, within a limit of its own. */
export interface Payer {
  readonly rail: Rail
  /** What a 402 answer asks. Signs nothing, and rejects with `UnpaidError` for what this payer would not pay. */
  quote(demand: Headers): Promise<Quote>
}

/** What is paid, and to whom. */
export interface Price {
  /** Dollars with six digits, such as `0.050000`. */
  readonly price: string
  /** CAIP-2 form. */
  readonly network: string
  readonly asset: string
  readonly payee: string
}

/** A price within the payer's limit. Nothing is signed yet. */
export interface Quote extends Price {
  /** Headers that pay, when sent with the very same request. */
  sign(): Promise<Readonly<Record<string, string>>>
}

/** Why nothing was signed. */
export class UnpaidError extends Error {
  override readonly name: string = 'UnpaidError'
  constructor(
    message: string,
    /** What to do next. */
    readonly hint = 'nothing was signed',
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The price is above the payer's limit. */
export class AboveLimitError extends UnpaidError {
  override readonly name = 'AboveLimitError'
  constructor(
    readonly price: string,
    readonly limit: string,
  ) {
    super(`${price} dollars are more than ${limit}`)
  }
}

export const noOffer = (): UnpaidError => new UnpaidError('the 402 answer asks for no payment that can be made here')

export interface Demand extends Omit<Price, 'price'> {
  /** In the asset's base units. */
  readonly amount: string
}

/** The price of what is asked. Throws unless it is in a known dollar and not above the limit. */
export function priceWithin({ network, asset, payee, amount }: Demand, limit: MicroDollars): Price {
  const decimals = decimalsOf(network, asset)
  const dollars = decimals === undefined ? undefined : priceFromBaseUnits(BigInt(amount), decimals)
  if (dollars === undefined)
    throw new UnpaidError(`it asks for ${amount} of ${asset} on ${network}, which is not a known dollar`)
  if (dollars > limit) throw new AboveLimitError(formatPrice(dollars), formatPrice(limit))
  return { price: formatPrice(dollars), network, asset, payee }
}

/** Dollars as people write them; the price of a post unless given. */
export function limitOf(maxPrice: string | undefined): MicroDollars {
  const limit = maxPrice === undefined ? THREAD_PRICE : priceFromDecimal(maxPrice)
  if (limit === undefined) throw new TypeError(`${maxPrice} is not a number of dollars`)
  return limit
}
