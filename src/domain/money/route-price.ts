import { type Challenge, type Offer, VERSIONS_DIFFER } from '../challenge.ts'
import { type Listing, unknownLast } from '../listing.ts'
import { isTestNetwork, networkKey } from '../network.ts'
import { compareBytes } from '../order.ts'
import type { ProbeStatus } from '../probe.ts'
import type { Rail } from '../route.ts'
import type { MicroDollars } from './price.ts'

/** A row, by what tells it from others of its route. */
export interface SaidPrice {
  readonly source: string
  readonly price: MicroDollars | null
  readonly network: string | null
}

/** The lowest and the highest price that current rows state. */
export interface PriceSpread {
  readonly low: MicroDollars
  readonly high: MicroDollars
}

/** What a route's rows and its newest live challenge say together. */
export interface RouteFacts {
  readonly price: MicroDollars | null
  readonly network: string | null
  readonly probeStatus: ProbeStatus
  /** `null` where the rows that are still named state one price, or none. */
  readonly spread: PriceSpread | null
  /** The row that the newest challenge matches, where it is not the one that gives the route its price. */
  readonly matching: SaidPrice | null
}

const isNamed = (row: Listing): boolean => (row.goneUs ?? null) === null

const keys = new Map<string, string>()
const MOST_KEYS = 1000

/** A directory names a few networks over and over. */
function keyOf(network: string): string {
  const known = keys.get(network)
  if (known !== undefined) return known
  const key = networkKey(network)
  if (keys.size >= MOST_KEYS) keys.clear()
  keys.set(network, key)
  return key
}

/** What one source says of one network. */
export const placeOf = ({ source, network }: Listing): string => `${source}\n${network === null ? '' : keyOf(network)}`

/**
 * The rows that stand now: for each source and network what it was last seen saying, while it still names it. Of a route
 * that nobody names any more, what each source named last. Where one list names a route at several prices, all of them
 * stand, whichever was seen last: otherwise the price would move with every page.
 */
export function currentRows<L extends Listing>(rows: readonly L[]): L[] {
  const named = rows.filter(isNamed)
  return named.length > 0 ? newestOf(named, placeOf) : newestOf(rows, ({ source }) => source)
}

function newestOf<L extends Listing>(rows: readonly L[], groupOf: (row: L) => string): L[] {
  const newest = new Map<string, L>()
  const groups = rows.map(groupOf)
  for (const [n, row] of rows.entries()) {
    const group = groups[n] ?? ''
    const other = newest.get(group)
    if (other === undefined || row.lastUs > other.lastUs || (row.lastUs === other.lastUs && isOneOfSeveral(row)))
      newest.set(group, row)
  }
  return rows.filter((row, n) => {
    const last = newest.get(groups[n] ?? '')
    return last !== undefined && (row.lastUs === last.lastUs || (isOneOfSeveral(row) && isOneOfSeveral(last)))
  })
}

const isOneOfSeveral = (row: Listing): boolean => row.isOneOfSeveral === true && isNamed(row)

/** Where both sides say what is compared. */
const isComparable = (said: Pick<Offer, 'price' | 'network'>): boolean => said.price !== null && said.network !== null

/** What is asked for where a row says that it is paid, as far as both say it. */
const offersThere = (rail: Rail, row: Listing, offers: readonly Offer[]): Offer[] =>
  isComparable(row)
    ? offers.filter(
        (offer) =>
          isComparable(offer) && offer.rail === rail && keyOf(row.network ?? '') === keyOf(offer.network ?? ''),
      )
    : []

const isAsked = (rail: Rail, row: Listing, offers: readonly Offer[]): boolean =>
  offersThere(rail, row, offers).some(({ price }) => price === row.price)

/** Of a row that an offer matches: whether clients that read another part of the same answer are asked for another price. */
const isAskedOtherwise = (rail: Rail, row: Listing, { offers, warnings }: Challenge): boolean =>
  warnings.includes(VERSIONS_DIFFER) && offersThere(rail, row, offers).some(({ price }) => price !== row.price)

/**
 * Of a row that no offer matches: whether it contradicts what is asked for in something that both sides state, be it the
 * rail, or on it the price, the network or both together. What one side does not say of one thing hides nothing of another.
 */
function isContradicted(rail: Rail, row: Listing, offers: readonly Offer[]): boolean {
  const there = offers.filter((offer) => offer.rail === rail)
  if (there.length === 0) return offers.length > 0
  const prices = there.flatMap(({ price }) => price ?? [])
  const networks = there.flatMap(({ network }) => (network === null ? [] : [keyOf(network)]))
  return (
    (isComparable(row) && there.some(isComparable)) ||
    (row.price !== null && prices.length > 0 && !prices.includes(row.price)) ||
    (row.network !== null && networks.length > 0 && !networks.includes(keyOf(row.network)))
  )
}

const isTest = ({ network }: Listing): boolean => network !== null && isTestNetwork(network)

/**
 * Current rows, the one that gives the route its price first: real money before test networks, then what the newest
 * challenge asks for, then the lower price, source and network. When something was seen does not count, so that the price
 * does not move because sweeps come in another order.
 */
function inOrder<L extends Listing>(rail: Rail, rows: readonly L[], offers: readonly Offer[]): L[] {
  const ranked = currentRows(rows).map((row) => ({ row, test: isTest(row), asked: isAsked(rail, row, offers) }))
  return ranked
    .sort(
      (a, b) =>
        Number(a.test) - Number(b.test) ||
        Number(b.asked) - Number(a.asked) ||
        unknownLast(a.row.price, b.row.price, (x, y) => x - y) ||
        compareBytes(a.row.source, b.row.source) ||
        unknownLast(a.row.network, b.row.network, compareBytes),
    )
    .map(({ row }) => row)
}

/** The row whose price and network are the route's. */
export const priceRow = <L extends Listing>(
  rail: Rail,
  rows: readonly L[],
  challenge: Challenge | null,
): L | undefined => inOrder(rail, rows, challenge?.offers ?? [])[0]

/**
 * `verified` only when the very row that gives the route its price is what the newest challenge asks every client for;
 * `differs` when it contradicts it, whatever other rows say; `unverified` while there is nothing on one side to compare.
 */
function statusOf(
  rail: Rail,
  chosen: Listing | undefined,
  asked: Listing | undefined,
  challenge: Challenge,
): ProbeStatus {
  if (chosen === undefined) return 'unverified'
  if (asked !== undefined)
    return asked === chosen && !isAskedOtherwise(rail, chosen, challenge) ? 'verified' : 'differs'
  return isContradicted(rail, chosen, challenge.offers) ? 'differs' : 'unverified'
}

const NOTHING_ASKED: Challenge = { offers: [], warnings: [] }

export function routeFacts(rail: Rail, rows: readonly Listing[], challenge: Challenge | null): RouteFacts {
  const asks = challenge ?? NOTHING_ASKED
  const { offers } = asks
  const current = inOrder(rail, rows, offers)
  const [chosen] = current
  const asked = current.find((row) => isAsked(rail, row, offers))
  return {
    price: chosen?.price ?? null,
    network: chosen?.network ?? null,
    probeStatus: statusOf(rail, chosen, asked, asks),
    spread: spreadOf(current.filter(isNamed)),
    matching: asked === undefined || asked === chosen ? null : saidBy(asked),
  }
}

const saidBy = ({ source, price, network }: Listing): SaidPrice => ({ source, price, network })

function spreadOf(rows: readonly Listing[]): PriceSpread | null {
  const prices = rows.flatMap(({ price }) => (price === null ? [] : [price]))
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  return low < high ? { low, high } : null
}

/** A source said another price of a network than before. */
export interface PriceChange {
  readonly source: string
  readonly network: string | null
  readonly from: MicroDollars | null
  readonly to: MicroDollars | null
}

/**
 * Where sources changed their mind between two readings of a route's rows: one opened or came back that states another
 * price than its source stood by on that network, or the one that it stood by ended and another is left. That another row
 * gives the route its price now changes nothing here.
 */
export function priceChanges(before: readonly Listing[], after: readonly Listing[]): PriceChange[] {
  const isOpened = (row: Listing): boolean => {
    const old = before.findLast((one) => isSameRow(one, row))
    return isNamed(row) && (old === undefined || !isNamed(old))
  }
  const isEnded = (row: Listing): boolean => isNamed(row) && after.some((one) => isSameRow(one, row) && !isNamed(one))
  const old = standing(before)
  return [...standing(after)].flatMap(([place, row]) => {
    const from = old.get(place)
    if (from === undefined || from.price === row.price || !(isOpened(row) || (isNamed(row) && isEnded(from)))) return []
    return [{ source: row.source, network: row.network, from: from.price, to: row.price }]
  })
}

const isSameRow = (one: SaidPrice, other: SaidPrice): boolean =>
  one.source === other.source && one.price === other.price && one.network === other.network

/** What each source said last of each network, of several prices at once the lowest. */
function standing(rows: readonly Listing[]): Map<string, Listing> {
  const places = new Map<string, Listing>()
  for (const row of newestOf(rows, placeOf)) {
    const place = placeOf(row)
    const other = places.get(place)
    if (other === undefined || unknownLast(row.price, other.price, (x, y) => x - y) < 0) places.set(place, row)
  }
  return places
}
