import type { Offer } from '../../domain/challenge.ts'
import { RAILS, type Rail } from '../../domain/route.ts'
import { type Fields, field, firstFields, isFields, isOff, textOf } from './guards.ts'
import { protocolsIn, railNamed } from './protocols.ts'
import { placesIn } from './said-price.ts'
import { isOfMpp, onRails, otherProtocolOf, spokenIn } from './spoken.ts'
import {
  acceptedOffers,
  FREE_TERMS,
  NO_TERMS,
  offersOf,
  onlyPrice,
  otherWays,
  remembered,
  type Terms,
  termsOf,
  within,
} from './stated-terms.ts'
import { aroundRoute, type IsFor, ofRoute } from './ways-of-route.ts'

/** What is said around an entry, once for all that stands inside. */
export interface Around {
  /** Of whatever rail. */
  readonly terms: Terms
  /** With what is said of x402 alone. */
  readonly x402: Terms
  /** Of mpp alone. */
  readonly mpp: Fields | undefined
  /** What everything inside speaks, unless it says otherwise: the one rail that is named, or those whose terms are said; else none. */
  readonly rails: readonly Rail[]
}

export const NOTHING_AROUND: Around = { terms: NO_TERMS, x402: NO_TERMS, mpp: undefined, rails: [] }

/** Of what is free by the name of the list it stands in. */
export const FREE_AROUND: Around = { ...NOTHING_AROUND, terms: FREE_TERMS, x402: FREE_TERMS }

/** `protocols: [{ "x402": { … } }, { "mpp": { … } }]`: what is said of each rail that is named, where anything is. */
function termsByRail(entry: Fields): ReadonlyMap<Rail, Fields> {
  const named = placesIn(entry).flatMap((place) => protocolsIn(field(place, 'protocols')))
  return new Map(
    named.flatMap(([name, terms]): [Rail, Fields][] => {
      const rail = railNamed(name)
      return rail === undefined || Object.keys(terms).length === 0 ? [] : [[rail, terms]]
    }),
  )
}

/** `mpp: { … }`: what stands under the name of that rail. */
const underMpp = (entry: Fields): Fields | undefined =>
  placesIn(entry)
    .map((place) => field(place, 'mpp'))
    .filter(isFields)
    .find((said) => !isOff(said))

const isSameOrUnsaid = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one.toLowerCase() === other.toLowerCase()

/** What is said of mpp, the nearest first. An amount above is one of its own method and currency, and of no other. */
const withinMpp = (own: Fields, above: Fields | undefined): Fields =>
  ['method', 'currency'].every((name) => isSameOrUnsaid(textOf(own, name), textOf(above ?? {}, name)))
    ? { ...above, ...own }
    : own

/** Ways to pay that name no protocol are x402's. */
const hasX402Ways = ({ accepts }: Terms): boolean =>
  accepts.some((way) => !isOfMpp(way) && otherProtocolOf(way) === undefined)

/** Beside the terms of mpp alone, ways to pay of x402 say that this is spoken, too. */
const spokenWith = (named: readonly Rail[], terms: Terms, isByTerms: boolean): readonly Rail[] =>
  isByTerms && named.length === 1 && named[0] === 'mpp' && hasX402Ways(terms) ? RAILS : named

/** Of terms that are read again for every route inside. */
const MOST_FIELDS = 100

/** Whether it says how or where to pay; `{ "version": 2 }` says that a protocol is known somewhere. */
function isOfPayment(fields: Fields): boolean {
  const { networks, accepts, currency, assetOn, payeeOn, priceOn } = termsOf(fields)
  const said = [currency, assetOn(null) ?? undefined, payeeOn(null) ?? undefined, priceOn(null, null)]
  return networks.length + accepts.length > 0 || said.some((one) => one !== undefined)
}

/** What is said around the entries of an object that stands within others: what stands nearest counts. */
export function aroundIn(fields: Fields, above: Around): Around {
  const terms = termsOf(fields)
  const own = [...termsByRail(fields)].filter(([, said]) => isOfPayment(said))
  const byRail = new Map(own.map(([rail, said]) => [rail, firstFields(said, MOST_FIELDS)]))
  const named = spokenWith(spokenIn(fields).rails, terms, byRail.has('mpp'))
  const under = underMpp(fields)
  const keyed = under !== undefined && isOfPayment(under) ? firstFields(under, MOST_FIELDS) : undefined
  const [x402, mpp] = [byRail.get('x402'), byRail.get('mpp') ?? keyed]
  const ofX402 = within(terms, above.x402)
  const isBoth = named.length === 0 && keyed !== undefined && (hasX402Ways(terms) || isFields(field(fields, 'x402')))
  return {
    terms: remembered(within(terms, above.terms)),
    x402: remembered(x402 === undefined ? ofX402 : within(termsOf(x402, true), ofX402)),
    mpp: mpp === undefined ? above.mpp : withinMpp(mpp, above.mpp),
    rails: isBoth ? RAILS : named.length === 1 || byRail.size > 0 ? named : above.rails,
  }
}

export interface WaysToPay {
  readonly offers: readonly Offer[]
  /** Protocols that are no rail. */
  readonly others: readonly string[]
}

/**
 * The ways to pay of an entry, on the rails that it names, or else what is around it; with what is said of each rail: under `protocols`, of
 * it or around it, or under the name of the other one, `mpp: { … }`, beside x402 or alone. `isFor`: which of them are for its route.
 */
export function waysIn(entry: Fields, spoken: readonly Rail[], around: Around, isFor: IsFor): WaysToPay {
  const own = ofRoute(termsOf(entry), isFor)
  const named = spokenWith(spoken, own, termsByRail(entry).has('mpp'))
  const above = { ...around, terms: aroundRoute(around.terms, isFor), x402: aroundRoute(around.x402, isFor) }
  // Its own list has all its ways to pay.
  const isComplete = own.accepts.length > 0 && above.rails.length > 1
  const rails = named.length > 0 ? named : isComplete ? [] : above.rails
  // Where to pay is said around it for those who speak x402.
  const isApart = named.length > 0 && !named.includes('x402') && !above.rails.includes('mpp')
  const terms = isApart ? onlyPrice(above.terms) : above.terms
  const x402 = rails.length === 0 || rails.includes('x402') ? above.x402 : terms
  const offers = onRails(offersOn(entry, own, { ...above, terms, x402, rails }), rails)
  return { offers, others: otherWays(within(own, x402)) }
}

function offersOn(entry: Fields, own: Terms, { terms, x402, mpp, rails }: Around): Offer[] {
  const spoken = termsByRail(entry)
  const under = underMpp(entry)
  const [ofX402, ofMpp] = [spoken.get('x402'), spoken.get('mpp') ?? under]
  // What an entry says under the name of x402 is not of mpp.
  const ofBoth = isFields(field(entry, 'x402')) ? termsOf({ ...entry, x402: undefined }) : own
  const around = within(ofBoth, terms)
  const isSpoken = (rail: Rail): boolean => rails.includes(rail)
  if (spoken.size > 0 || (mpp !== undefined && isSpoken('mpp'))) {
    const elsewhere = isSpoken('x402') ? offersOf(entry, x402, false, own) : []
    const unsaid =
      mpp !== undefined && isSpoken('mpp') ? acceptedOffers({ ...mpp, protocol: 'mpp' }, ofBoth, around) : []
    return [
      ...(ofX402 === undefined ? elsewhere : offersOf(ofX402, within(own, x402), true)),
      ...(ofMpp === undefined ? unsaid : acceptedOffers({ ...withinMpp(ofMpp, mpp), protocol: 'mpp' }, null, around)),
    ]
  }
  const offers = offersOf(entry, x402, false, own)
  if (under === undefined) return offers
  const stated = offers.filter(({ price, network }) => price !== null || network !== null)
  return [...stated, ...acceptedOffers({ protocol: 'mpp', ...withinMpp(under, mpp) }, null, around)]
}
