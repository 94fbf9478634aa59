import { askedFor, type Challenge, type Offer } from '../../../domain/challenge.ts'
import type { Listing } from '../../../domain/listing.ts'
import { formatPrice, parsePrice } from '../../../domain/money/price.ts'
import { placeOf, routeFacts } from '../../../domain/money/route-price.ts'
import { askedText } from '../../../domain/now/now.ts'
import { RAILS, type Rail } from '../../../domain/route.ts'
import { parseTimestamp } from '../../../domain/time/timestamp.ts'
import { type Differences, isShown, listIn, only, type Shown, shownIn } from '../shown.ts'

/** What of an entry says whether its challenge is the newest of its route. */
export interface ChallengedEntry {
  readonly route: string
  readonly index: number
  readonly atUs: number
  readonly challengeSha256: unknown
}

/** The newest challenges of routes, which the log has the hashes of, as far as they are shown. */
export class NewestChallenges {
  /** By routes: keys of entries whose challenge may be the newest; `null`: there may be none. */
  readonly #keys = new Map<string, (string | null)[]>()
  readonly #shown = new Map<string, Challenge>()

  constructor(probes: ReadonlyMap<string, ChallengedEntry>, since: number) {
    const late: (readonly [route: string, key: string])[] = []
    const newest = new Map<string, { atUs: number; keys: string[] }>()
    for (const [key, { route, index, atUs, challengeSha256 }] of probes) {
      if (challengeSha256 === undefined) continue
      const known = newest.get(route)
      if (index >= since) late.push([route, key])
      else if (known === undefined || atUs > known.atUs) newest.set(route, { atUs, keys: [key] })
      else if (atUs === known.atUs) known.keys.push(key)
    }
    for (const [route, { keys }] of newest) this.#keys.set(route, keys)
    for (const [route, key] of late) this.#keys.set(route, [...(this.#keys.get(route) ?? [null]), key])
  }

  /** What an entry is shown with, once its hash was found to be the one in the log. */
  see(route: string, key: string, shown: unknown): void {
    if (isShown(shown) && this.#keys.get(route)?.includes(key)) this.#shown.set(key, challengeOf(shown))
  }

  /** Everything that may be the newest; `undefined`: it is not shown any more. */
  of(route: string): readonly (Challenge | null | undefined)[] {
    return (this.#keys.get(route) ?? [null]).map((key) => (key === null ? null : this.#shown.get(key)))
  }
}

const SAID = ['source', 'price', 'network']

/** Holds price, network and probe status of a route against its rows and its newest challenge, by the rule of the directory. */
export function compareFacts(
  what: string,
  route: Shown,
  challenges: readonly (Challenge | null | undefined)[],
  found: Differences,
): void {
  const rail = RAILS.find((one) => one === route.rail)
  const rows = listIn(route, 'listings').map(listingOf)
  if (rail === undefined || rows.length < Number(route.listings_total ?? 0)) return
  if (isSeveral(rows) || challenges.includes(undefined)) {
    compareOne(what, route, rows, found)
    return
  }
  found.sameAsOne(challenges, (challenge, within) => {
    const facts = routeFacts(rail, rows, challenge ?? null)
    const { spread, matching } = facts
    within.same(`${what}: price`, route.price, priceText(facts.price))
    within.same(`${what}: network`, route.network, facts.network)
    within.same(`${what}: probe status`, route.probe_status, facts.probeStatus)
    const said = only(route.sources_say, ['lowest', 'highest'])
    within.same(
      `${what}: sources say`,
      said,
      spread ? { lowest: priceText(spread.low), highest: priceText(spread.high) } : undefined,
    )
    const other = matching ? { ...matching, price: priceText(matching.price) } : undefined
    within.same(`${what}: the challenge matches`, only(route.challenge_matches, SAID), other)
    compareAsked(what, route, { rail, ...facts }, challenge ?? null, within)
  })
}

/** Where the log does not say which of them gives the price: it is that of one row. */
function compareOne(what: string, route: Shown, rows: readonly Listing[], found: Differences): void {
  if (rows.length === 0) return
  const { price, network } = route
  if (!rows.some((row) => priceText(row.price) === price && row.network === network))
    found.add(`${what}: price`, `${price} on ${network}`, 'another in every row')
}

/** What was asked for, where what is true now says so. */
function compareAsked(
  what: string,
  route: Shown,
  listed: { readonly rail: Rail; readonly price: number | null; readonly network: string | null },
  challenge: Challenge | null,
  found: Differences,
): void {
  const now = shownIn(route, 'now')
  const [, shown] = /^[^,]*, (.*)$/s.exec(String(now.line)) ?? []
  if (now.result !== '402-correct' || shown === undefined) return
  const asked = challenge && askedFor(challenge, listed)
  found.same(`${what}: now asked for`, shown, asked === null ? undefined : askedText(asked))
}

/** Whether one source names several prices of one network: which of them stand is not in the log. */
function isSeveral(rows: readonly Listing[]): boolean {
  const prices = new Map<string, number | null>()
  return rows.some((row) => {
    if (row.goneUs !== null) return false
    const place = placeOf(row)
    const isOther = prices.has(place) && prices.get(place) !== row.price
    prices.set(place, row.price)
    return isOther
  })
}

const priceText = (price: number | null): string | null => (price === null ? null : formatPrice(price))
const priceIn = (shown: unknown): number | null => (typeof shown === 'string' ? (parsePrice(shown) ?? null) : null)
const textIn = (shown: unknown): string | null => (typeof shown === 'string' ? shown : null)
const timeIn = (shown: unknown): number => parseTimestamp(String(shown)) ?? 0

const listingOf = (row: Shown): Listing => ({
  source: String(row.source),
  price: priceIn(row.price),
  network: textIn(row.network),
  firstUs: timeIn(row.first_observed),
  lastUs: timeIn(row.last_observed),
  goneUs: row.no_longer_named_since === undefined ? null : timeIn(row.no_longer_named_since),
})

const challengeOf = (shown: Shown): Challenge => ({
  offers: listIn(shown, 'offers').flatMap((offer): Offer[] => {
    const rail = RAILS.find((one) => one === offer.rail)
    const { network, price, asset, payee } = offer
    if (rail === undefined) return []
    return [{ rail, network: textIn(network), price: priceIn(price), asset: textIn(asset), payee: textIn(payee) }]
  }),
  warnings: (Array.isArray(shown.warnings) ? shown.warnings : []).filter((warning) => typeof warning === 'string'),
})
