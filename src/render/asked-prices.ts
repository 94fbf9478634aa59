import { NO_DATA, thousands } from '../domain/count.ts'
import type { AskedPrice } from '../domain/money/asked-prices.ts'
import { networkName } from '../domain/network.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import { HOST_DAYS } from '../views/host/day-view.ts'
import type { AskedView } from '../views/route/route-view.ts'
import { networkJson, networkText, priceOrNull, priceText, timeText } from './values.ts'

export const ASKED_HEADING = 'Observed price over time'

const SHOWN = 50

/** In a table: the name alone of a network that has one, which leaves room on a small screen. */
export const networkShort = (network: string | null): string =>
  network === null ? NO_DATA : (networkName(network) ?? network)

export const shownAsked = ({ prices }: AskedView): readonly AskedPrice[] => prices.slice(0, SHOWN)

/** What is in the table, and what is not. */
export function askedNote({ entries, isCut }: AskedView): string {
  const looked = isCut ? `The ${thousands(entries)} newest` : `All ${thousands(entries)}`
  return `Machine-observed: what its own 402 answers asked unpaid probes for. ${looked} of the last ${HOST_DAYS} days that could be read are in it, and no source’s word.`
}

export const NOTHING_ASKED = `No answer of the last ${HOST_DAYS} days asked for a payment on this rail that could be read.`

export const askedLine = ({ price, network, entries, firstUs, lastUs }: AskedPrice): string =>
  `${priceText(price)} on ${networkText(network)}, asked ${times(entries)}, first ${timeText(firstUs)}, last ${timeText(lastUs)}`

const times = (n: number): string => (n === 1 ? 'once' : `${thousands(n)} times`)

export const askedCut = (asked: AskedView): string | null =>
  asked.prices.length > SHOWN ? `showing ${SHOWN} of ${thousands(asked.prices.length)}` : null

export const askedJson = (asked: AskedView) => ({
  untrusted: true,
  days: HOST_DAYS,
  challenges: asked.entries,
  is_cut: asked.isCut,
  total: asked.prices.length,
  seen: shownAsked(asked).map(({ price, network, entries, firstUs, lastUs }) => ({
    price: priceOrNull(price),
    network,
    ...networkJson(network),
    challenges: entries,
    first_observed: formatTimestamp(firstUs),
    last_observed: formatTimestamp(lastUs),
  })),
})
