import { orNoData } from './count.ts'
import { formatPrice, type MicroDollars } from './money/price.ts'
import { compareBytes } from './order.ts'
import { formatTimestamp, type TimestampUs } from './time/timestamp.ts'

/** The label of every stored route fact: a listing source said so, nobody checked it. */
export const DIRECTORY_OBSERVED = 'directory-observed'

/** What one listing source says of one route, and from when to when it was seen saying so. */
export interface Listing {
  readonly source: string
  readonly price: MicroDollars | null
  /** As the source wrote it. */
  readonly network: string | null
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
  /** Since the start of this complete sweep its source no longer names it; left out or `null` while it does. */
  readonly goneUs?: TimestampUs | null | undefined
  /** Its source named it beside another price of the same network in one reading: both stand. */
  readonly isOneOfSeveral?: boolean | undefined
  /** `false`: its source named no method, and GET was taken. */
  readonly isMethodStated?: boolean | undefined
  /** Where the evidence log says that it opened; left out until it does. */
  readonly logIndex?: number | undefined
}

const priceText = (price: MicroDollars | null): string => orNoData(price === null ? null : formatPrice(price))

/** The exact printed listing-source row. */
export const listingLine = (row: Listing): string =>
  `${row.source}: price ${priceText(row.price)}, network ${orNoData(row.network)}, label ${DIRECTORY_OBSERVED}, observed ${formatTimestamp(row.firstUs)} to ${formatTimestamp(row.lastUs)}`

/** The exact card line. */
export const cardLine = (price: MicroDollars | null, rail: string, network: string | null): string =>
  `Price: ${priceText(price)}Rail: ${rail}Network: ${orNoData(network)}`

/** Printed verbatim on card-style views; a fixed constant without meaning of its own. */
export const CARD_CODE = 'D-184'

export const cardStatusLine = (probeStatus: string): string => `Probe status: ${probeStatus}`

export const unknownLast = <T>(a: T | null, b: T | null, compare: (a: T, b: T) => number): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return compare(a, b)
}

/** The order in which rows are shown: newest `last observed`, then the lower price, then source, then network. */
export const compareListings = (a: Listing, b: Listing): number =>
  b.lastUs - a.lastUs ||
  unknownLast(a.price, b.price, (x, y) => x - y) ||
  compareBytes(a.source, b.source) ||
  unknownLast(a.network, b.network, compareBytes)
