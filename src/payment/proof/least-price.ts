import type { MicroDollars } from '../../domain/money/price.ts'
import { networkKey } from '../../domain/network.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { SeenPrice } from './proof.ts'

const SECOND_US = 1_000_000
/** A source that has not been swept since still speaks for the price of today. */
export const PRICE_STANDS_US = 7 * 24 * 3600 * SECOND_US
/** A price is in force a while before a sweep sees it. */
export const PRICE_PRECEDES_US = 3600 * SECOND_US

/**
 * The lowest price of a route that was in force on a network at a time, as far as anybody saw. Prices said for that
 * network or for any; those of other networks only when there are none. Prices of other times only when none was seen
 * around this one. `undefined`: no price of the route is known at all.
 */
export function leastPriceAt(
  prices: readonly SeenPrice[],
  network: string,
  atUs: TimestampUs,
): MicroDollars | undefined {
  const key = networkKey(network)
  const here = prices.filter((row) => row.network === null || networkKey(row.network) === key)
  const rows = here.length > 0 ? here : prices
  const then = rows.filter((row) => row.firstUs - PRICE_PRECEDES_US <= atUs && atUs <= row.lastUs + PRICE_STANDS_US)
  return lowest(then) ?? lowest(rows)
}

const lowest = (rows: readonly SeenPrice[]): MicroDollars | undefined =>
  rows.reduce<MicroDollars | undefined>((least, { price }) => Math.min(least ?? price, price), undefined)
