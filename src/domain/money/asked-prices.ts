import type { Challenge } from '../challenge.ts'
import { networkKey } from '../network.ts'
import type { Rail } from '../route.ts'
import type { TimestampUs } from '../time/timestamp.ts'
import type { MicroDollars } from './price.ts'

/** A challenge that a route's own 402 answers carried, and how often. */
export interface SeenChallenge {
  readonly challenge: Challenge
  readonly entries: number
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

/** What a route's own 402 answers asked for on one network. */
export interface AskedPrice {
  readonly price: MicroDollars | null
  /** As the seller last wrote it. */
  readonly network: string | null
  /** Entries whose challenge asked for it. */
  readonly entries: number
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

/**
 * One for each price and network that challenges asked for on a rail, last seen first. Like a row of a source it goes on when it is
 * asked for again: others may have been asked for between.
 */
export function askedPrices(rail: Rail, seen: readonly SeenChallenge[]): AskedPrice[] {
  const asked = new Map<string, AskedPrice>()
  for (const { challenge, entries, firstUs, lastUs } of seen) {
    for (const [key, offer] of offersOf(challenge, rail)) {
      const known = asked.get(key)
      const isNewest = known === undefined || lastUs > known.lastUs
      asked.set(key, {
        price: offer.price,
        network: isNewest ? offer.network : known.network,
        entries: (known?.entries ?? 0) + entries,
        firstUs: Math.min(known?.firstUs ?? firstUs, firstUs),
        lastUs: Math.max(known?.lastUs ?? lastUs, lastUs),
      })
    }
  }
  return [...asked.values()].toSorted(
    (a, b) => b.lastUs - a.lastUs || b.firstUs - a.firstUs || dearness(a) - dearness(b),
  )
}

/** One offer of each price and network: several assets may be asked for at one price. */
const offersOf = ({ offers }: Challenge, rail: Rail) =>
  new Map(
    offers
      .filter((offer) => offer.rail === rail)
      .map((offer) => [`${offer.price} ${offer.network === null ? '' : networkKey(offer.network)}`, offer]),
  )

const dearness = ({ price }: AskedPrice): number => price ?? Number.MAX_SAFE_INTEGER
