import type { MicroDollars } from '../../domain/money/price.ts'
import { isTestNetwork, networkKey } from '../../domain/network.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { SeenPrice } from './proof.ts'

const SECOND_US = 1_000_000
/** A source that has not been swept since still speaks for the price of today. */
export const PRICE_STANDS_US = 7 * 24 * 3600 * SECOND_US
/** A price is in force a while before a sweep sees it. */
export const PRICE_PRECEDES_US = 3600 * SECOND_US

/**
 * The lowest price of a route that was in force on a network at a time, as far as anybody saw. Prices said for that
 * network or for any; those of other networks only when there are none, and play money is never held against real money.
 * Prices of other times only when none was seen around this one. `undefined`: no price of the route is known at all.
 */
export function leastPriceAt(
  prices: readonly SeenPrice[],
  network: string,
  atUs: TimestampUs,
): MicroDollars | undefined {
  const known = prices.filter(({ price }) => price !== null)
  const key = networkKey(network)
  const here = known.filter((row) => row.network === null || networkKey(row.network) === key)
  const isTest = isTestNetwork(network)
  const rows = here.length > 0 ? here : known.filter((row) => isTestNetwork(row.network ?? '') === isTest)
  const then = rows.filter((row) => row.firstUs - PRICE_PRECEDES_US <= atUs && stillStands(row, atUs))
  return lowest(believed(then.length > 0 ? then : rows, rows))
}

/** Whether the route is offered for real money, at that time or since: then play money buys nothing of it. */
export const takesRealMoney = (prices: readonly SeenPrice[], atUs: TimestampUs): boolean =>
  prices.some((row) => row.network !== null && !isTestNetwork(row.network) && stillStands(row, atUs))

const stillStands = ({ lastUs }: SeenPrice, atUs: TimestampUs): boolean => atUs <= lastUs + PRICE_STANDS_US

/**
 * What live challenges ask for goes before what sources say, except what one has come to say since the newest of them and a
 * later challenge bears out. `all`: of whatever time.
 */
function believed(rows: readonly SeenPrice[], all: readonly SeenPrice[]): SeenPrice[] {
  const asked = rows.filter(({ isAsked }) => isAsked)
  if (asked.length === 0) return [...rows]
  const newestUs = Math.max(...asked.map(({ lastUs }) => lastUs))
  const isBorneOut = (said: SeenPrice): boolean =>
    all.some((one) => one.isAsked && one.firstUs >= said.firstUs && isAtMost(one.price, said.price))
  return rows.filter((row) => row.isAsked || (row.firstUs > newestUs && isBorneOut(row)))
}

const isAtMost = (price: MicroDollars | null, most: MicroDollars | null): boolean =>
  price !== null && most !== null && price <= most

function lowest(rows: readonly SeenPrice[]): MicroDollars | undefined {
  const prices = rows.flatMap(({ price }) => price ?? [])
  return prices.length === 0 ? undefined : Math.min(...prices)
}
