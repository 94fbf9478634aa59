import type { Offer } from '../../domain/challenge.ts'
import { RAILS, type Rail } from '../../domain/route.ts'
import { type Fields, field, fieldsOf, fieldWords, firstFields, isFields, isOff, listOf, textOf } from './guards.ts'
import { isAmountText } from './money.ts'
import { railNamed } from './protocols.ts'
import { isOfMpp, onRails, otherProtocolOf, spokenIn } from './spoken.ts'
import { NO_TERMS, offersOf, type Terms, termsOf } from './stated-terms.ts'
import { type IsFor, ofRoute } from './ways-of-route.ts'

/** What sellers call the terms of an operation where they do not call them `x-payment-info`: `x-x402`, `x-price-usd`, `x-x402-pay-to`. */
const EXTENSION = /^(?:x402|x-(?:x402|402|mpp|payments?|pay|pric(?:e|ing)|cost|amount|currency|network|asset))(?:-|$)/i
/** Said as an object these hold terms; said alone, the price. */
const HOLDERS = new Set(['', 'payment', 'payments', 'price', 'pricing', 'cost', 'terms'])
/** These say whether anybody pays at all. */
const WHOLE = new Set(['', 'payment', 'payments', 'payment_required', 'required', 'enabled'])
const MOST_FIELDS = 60

/** The terms that an object of a document states in extensions of its seller's own. */
export interface OwnTerms {
  /** What is said in fields of their own, and in each object. */
  readonly said: readonly Fields[]
  /** Named by an extension itself, or by what is in one. */
  readonly rails: readonly Rail[]
  /** It says that nobody pays. */
  readonly isUnpaid: boolean
}

/** What an extension is about, without the rail that it names: `x-x402-price-usd`, `price_usd`. */
function subjectOf(name: string): { rail: Rail | undefined; subject: string } {
  const [first = '', ...rest] = fieldWords(name.replace(/^x-/i, ''))
  const named = first === '402' ? 'x402' : first
  const rail = RAILS.find((one) => one === named)
  const words = rail === undefined ? [first, ...rest] : rest
  const isOfPrice = words.length > 1 && words[0] === 'pricing'
  return { rail, subject: (isOfPrice ? ['price', ...words.slice(1)] : words).join('_') }
}

/** One extension as terms: an object or a list of ways to pay as it is, anything else under its subject. */
function termsIn(subject: string, value: unknown): Fields {
  const isHolder = HOLDERS.has(subject)
  if (isHolder && isFields(value)) return firstFields(value, MOST_FIELDS)
  if (isHolder && Array.isArray(value)) return { accepts: value }
  if (!isHolder) return { [subject]: value }
  if (typeof value === 'string' && railNamed(value.trim().toLowerCase()) !== undefined) return { protocol: value }
  const isPrice = typeof value === 'number' || (typeof value === 'string' && isAmountText(value))
  return isPrice ? { price: value } : {}
}

/** Together as one, but for those that say otherwise what another has said: `x-x402-price` and `x-price`. */
function withoutContradiction(all: readonly Fields[]): Fields[] {
  const first: Record<string, unknown> = {}
  const others = all.filter((terms) => {
    const isNew = Object.entries(terms).every(([name, value]) => !Object.hasOwn(first, name) || first[name] === value)
    if (isNew) Object.assign(first, terms)
    return !isNew
  })
  return [first, ...others]
}

/** What only x402 has. */
const isOfX402 = (terms: Fields): boolean =>
  ['x402Version', 'maxAmountRequired'].some((name) => Object.hasOwn(terms, name)) ||
  /^(?:exact|upto)$/i.test(textOf(terms, 'scheme') ?? '') ||
  listOf(field(terms, 'accepts')).some((way) => isFields(way) && !isOfMpp(way) && otherProtocolOf(way) === undefined)

const saysNobodyPays = (value: unknown): boolean =>
  isOff(value) || ['required', 'paid'].some((name) => field(fieldsOf(value), name) === false)

/** `undefined` where an object of a document has no such extension. */
export function ownTermsOf(place: Fields): OwnTerms | undefined {
  const written = Object.entries(place)
    .filter(([name]) => EXTENSION.test(name) && !/^x-payment-(?:info|accepts)$/i.test(name))
    .slice(0, MOST_FIELDS)
    .map(([name, value]) => ({ ...subjectOf(name), value }))
  if (written.length === 0) return undefined
  const offered = written.filter(({ value }) => !isOff(value) && !saysNobodyPays(value))
  const isInside = ({ subject, value }: { subject: string; value: unknown }) => isFields(value) && HOLDERS.has(subject)
  const read = (some: typeof written) => some.map(({ subject, value }) => termsIn(subject, value))
  const beside = withoutContradiction(read(offered.filter((one) => !isInside(one))))
  const said = [...beside, ...read(offered.filter(isInside))].filter((terms) => Object.keys(terms).length > 0)
  const named = offered.flatMap(({ rail }) => rail ?? [])
  const spoken = said.flatMap((terms) => (isOfX402(terms) ? ['x402' as const] : spokenIn(terms).rails))
  const whole = written.filter(({ subject }) => WHOLE.has(subject))
  return {
    said,
    rails: RAILS.filter((rail) => named.includes(rail) || spoken.includes(rail)),
    isUnpaid: whole.length > 0 && whole.every(({ value }) => saysNobodyPays(value)),
  }
}

/** One object of all, in which what stands in fields of their own is nearest. */
const together = ({ said }: OwnTerms): Fields => Object.assign({}, ...said.toReversed())

/** Ways to pay, or where to: what is said once for all operations says no price. */
export function placesIn(own: OwnTerms | undefined): Fields[] {
  if (own === undefined) return []
  const terms = termsOf(together(own), true)
  if (terms.accepts.length > 0) return [...terms.accepts]
  return terms.networks.map((network) => ({ network, asset: terms.assetOn(network), payTo: terms.payeeOn(network) }))
}

const isSaying = ({ price, network, payee }: Offer): boolean => price !== null || network !== null || payee !== null

/**
 * The ways to pay of an operation whose terms are in extensions of its seller's own, where they name x402, alone or beside mpp. None
 * where two of them state different prices on one network: nobody knows which is asked for.
 */
export function ownOffers(own: OwnTerms, accepts: readonly Fields[], isFor: IsFor): Offer[] {
  if (!own.rails.includes('x402')) return []
  const entry = together(own)
  const terms: Terms = ofRoute(termsOf(entry, true), isFor)
  const offers = offersOf(entry, { ...NO_TERMS, accepts }, true, terms).map((offer): Offer => {
    // Clients are asked for what its own ways to pay say, whatever stands beside them.
    if (terms.accepts.length > 0) return offer
    const each = own.said.map((fields) => termsOf(fields, true).priceOn(offer.network, offer.asset))
    const stated = new Set([...each.filter((price) => typeof price === 'number'), offer.price])
    return stated.size > 1 ? { ...offer, price: null } : offer
  })
  return onRails(offers.filter(isSaying), own.rails)
}
