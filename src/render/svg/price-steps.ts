import type { Listing } from '../../domain/listing.ts'
import type { MicroDollars } from '../../domain/money/price.ts'
import { compareBytes } from '../../domain/order.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'

/** The listed prices of a route over time, one line of steps per source. */
export interface PriceSteps {
  readonly width: number
  readonly height: number
  readonly fromUs: TimestampUs
  readonly toUs: TimestampUs
  /** The top of the chart; its foot is 0. */
  readonly highest: MicroDollars
  readonly series: readonly { readonly source: string; readonly d: string }[]
}

const WIDTH = 1000
const HEIGHT = 160
const EDGE = 3

/** A row without a price has no place on the chart; `null` when none has one. */
export function priceSteps(listings: readonly Listing[]): PriceSteps | null {
  const priced = listings.flatMap((row) => (row.price === null ? [] : [{ ...row, price: row.price }]))
  if (priced.length === 0) return null
  const fromUs = Math.min(...priced.map(({ firstUs }) => firstUs))
  const toUs = Math.max(...priced.map(({ lastUs }) => lastUs))
  const highest = Math.max(...priced.map(({ price }) => price))
  const xOf = (us: TimestampUs): number => (toUs === fromUs ? 0 : Math.round(((us - fromUs) / (toUs - fromUs)) * WIDTH))
  const yOf = (price: MicroDollars): number =>
    Math.round(HEIGHT - EDGE - (price / Math.max(1, highest)) * (HEIGHT - 2 * EDGE))
  // Rows of one source on several networks are lines beside each other, joined only where one follows the other.
  const lineOf = (source: string): string => {
    const rows = priced
      .filter((row) => row.source === source)
      .sort((a, b) => a.firstUs - b.firstUs || a.lastUs - b.lastUs)
    return rows.map((row, index) => piece(row, rows[index - 1])).join('')
  }
  const piece = (row: (typeof priced)[number], before: (typeof priced)[number] | undefined): string => {
    // A price seen once, or all at one moment, is still a visible dash.
    const end = toUs === fromUs ? WIDTH : Math.max(xOf(row.lastUs), xOf(row.firstUs) + 2)
    const follows = before !== undefined && before.lastUs <= row.firstUs
    const start = `${xOf(row.firstUs)}`
    return follows ? `H${start}V${yOf(row.price)}H${end}` : `M${start} ${yOf(row.price)}H${end}`
  }
  const sources = [...new Set(priced.map(({ source }) => source))].sort(compareBytes)
  return {
    width: WIDTH,
    height: HEIGHT,
    fromUs,
    toUs,
    highest,
    series: sources.map((source) => ({ source, d: lineOf(source) })),
  }
}
