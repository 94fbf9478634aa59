import type { Offer } from '../../domain/challenge.ts'
import { TEMPO_MAIN } from '../../domain/money/asset.ts'
import { RAILS, type Rail } from '../../domain/route.ts'
import { isAsking, readAccept } from './accept.ts'
import { accountOf, type Fields, field, fieldsOf, isFields, isOff, listOf, textOf } from './guards.ts'
import { amountAs, baseUnits, type Denomination, dollars, isDollar } from './money.ts'
import { mppMoney, mppOffer } from './mpp-terms.ts'
import { isOfACall } from './of-a-call.ts'
import { readPlace } from './place.ts'
import { protocolsIn, railNamed } from './protocols.ts'
import { namedDollars, placesIn, type SaidPrice } from './said-price.ts'
import { NO_TERMS, offersOf, otherWays, termsOf } from './stated-terms.ts'

export interface PaymentInfo {
  readonly offers: readonly Offer[]
  /** Protocols named that are no rail. */
  readonly otherProtocols: readonly string[]
}

const NOTHING: PaymentInfo = { offers: [], otherProtocols: [] }
const NOWHERE: Offer = { rail: 'x402', network: null, asset: null, payee: null, price: null }

/** One more than a route may have, so that what is beyond is counted. */
const MOST_OFFERS = 65

const FIXED = /^(?:fixed|exact|static)$/i
const FREE = /^free$/i

const PRICES = ['price', 'pricing', 'cost']

const isFree = (terms: Fields): boolean =>
  FREE.test(textOf(terms, 'mode', 'pricingMode', 'type') ?? '') || field(terms, 'free') === true

const amountIn = (price: unknown): unknown =>
  isFields(price) ? (field(price, 'amount') ?? field(price, 'value')) : price

const isNothing = (price: unknown): boolean =>
  dollars(price) === 0 || (typeof price === 'string' && FREE.test(price.trim()))

/** More than nothing, of whatever currency. */
const isSomething = (price: unknown): boolean => (dollars(amountIn(price)) ?? 0) > 0

/** It says so itself, or the price in it does, or that price is nothing; and no price or way to pay in it asks for anything. */
const isFreeInfo = (info: Fields): boolean => {
  const prices = PRICES.map((name) => field(info, name))
  const saysSo = isFree(info) || prices.some((price) => (isFields(price) ? isFree(price) : isNothing(price)))
  return saysSo && !prices.some(isSomething) && !listOf(field(info, 'accepts')).filter(isFields).some(isAsking)
}

/** What is said of the money, nearest first. */
function denominationIn(places: readonly Fields[], network: string | null): Denomination {
  const read = places.map(readPlace)
  const asset = read.map((place) => place.asset).find((one) => one !== null) ?? null
  const currency = read.map((place) => place.currency).find((one) => one !== undefined)
  const decimals = read.map((place) => place.decimals).find((one) => one !== undefined)
  return { network: read.flatMap(({ networks }) => networks)[0] ?? network, asset, currency, decimals }
}

/** Where a price stands. */
interface Stated {
  readonly info: Fields
  /** What is said for this protocol alone. */
  readonly terms: Fields
  /** Where it is paid, unless the price says otherwise. */
  readonly network: string | null
  /** Ways to pay stand beside it with amounts of their own, which are base units. */
  readonly isBesideUnits: boolean
}

/**
 * Dialects 2 and 3: decimal dollars, `price: { mode, amount, … }` or `pricingMode` with `price`, `minPrice`, `maxPrice`. A
 * whole number is dollars there, unless something beside it says that it may be base units: `undefined` where it may be either.
 */
function statedPrice({ info, terms: protocol, network, isBesideUnits }: Stated): SaidPrice {
  const nested = PRICES.map((name) => field(info, name)).find((value) => value !== undefined)
  const isAmount = nested === undefined && Object.hasOwn(info, 'amount')
  const terms = isFields(nested) ? nested : info
  const amount = isFields(nested) || isAmount ? amountIn(terms) : nested
  if (typeof amount === 'string' && FREE.test(amount.trim())) return 0
  // Of a free tier beside a price nobody knows whether the next call is one of it.
  if (isFree(info) || isFree(terms)) return isSomething(amount) ? null : 0
  const places = placesIn(info)
  if (![terms, protocol, ...places].every((place) => isOfACall(place, place !== info))) return null
  const said = denominationIn([terms, ...places], network)
  const { asset, decimals } = readPlace(protocol)
  const isBare = said.currency === undefined && said.asset === null && said.decimals === undefined
  const isInDollars = isBare && !isAmount && !isBesideUnits && asset === null && decimals === undefined
  const of: Denomination = isInDollars ? { ...said, currency: 'USD' } : said
  const unit = amount === field(terms, 'amount') ? 'units' : 'unsaid'
  const priced = (value: unknown) => amountAs(unit, value, of)
  // A range is a price only where it has no width.
  const least = priced(field(terms, 'min') ?? field(terms, 'minPrice'))
  const most = priced(field(terms, 'max') ?? field(terms, 'maxPrice'))
  const range = least === most ? least : undefined
  if (!FIXED.test(textOf(terms, 'mode', 'pricingMode') ?? 'fixed')) return range ?? null
  const own = priced(amount)
  const named = namedDollars(terms)
  if (named !== undefined) return own === undefined || own === named || baseUnits(amount) !== undefined ? named : null
  const mayBeUnits =
    !isAmount && baseUnits(amount) !== undefined && (of.currency === undefined || isDollar(of.currency))
  return own ?? range ?? (mayBeUnits ? undefined : null)
}

/** Where x402 is paid. */
interface PlaceToPay extends Offer {
  /** It asks for an amount of its own: what clients pay, whatever is said beside it. */
  readonly isAsking: boolean
}

const onNetworks = (networks: readonly string[]): PlaceToPay[] =>
  networks.map((network) => ({ ...NOWHERE, network, isAsking: false }))

/** Networks and payees of the x402 rail, from the nearest place that names any. */
function placesToPay(info: Fields, terms: Fields, documentAccepts: readonly unknown[]): PlaceToPay[] {
  const read = (places: readonly unknown[], isOwn = false): PlaceToPay[] =>
    places
      .slice(0, MOST_OFFERS)
      .flatMap((place) => {
        const offer = isOff(place) ? undefined : readAccept(place)
        return offer === undefined ? [] : [{ ...offer, isAsking: isOwn && isAsking(fieldsOf(place)) }]
      })
      .filter((offer) => offer.network !== null)
  const candidates = [
    () => read(listOf(field(terms, 'accepts')), true),
    () => read([terms], true),
    () => onNetworks(readPlace(terms).networks),
    () => read(listOf(field(info, 'accepts')), true),
    () => read(listOf(field(info, 'chains'))),
    () => read([info]),
    () => onNetworks(readPlace(info).networks),
    () => onNetworks(readPlace(fieldsOf(field(info, 'price'))).networks),
    () => read(documentAccepts),
  ]
  for (const candidate of candidates) {
    const offers = candidate()
    if (offers.length > 0) return offers
  }
  return []
}

interface DollarTerms extends Pick<Stated, 'info' | 'terms'> {
  readonly documentAccepts: readonly unknown[]
}

const isPriced = ({ price }: Offer): boolean => price !== null

const DOLLAR_OFFERS: Readonly<Record<Rail, (stated: DollarTerms, isBesideUnits: boolean) => Offer[]>> = {
  x402: ({ info, terms, documentAccepts }, isBesideUnits) => {
    const places = placesToPay(info, terms, documentAccepts)
    const price = statedPrice({ info, terms, network: places[0]?.network ?? null, isBesideUnits })
    if (places.length === 0) return [{ ...NOWHERE, price: price ?? null }]
    return places.map(({ isAsking, ...place }) => {
      if (typeof price === 'number' && isAsking) return { ...place, price: place.price ?? (price || null) }
      return { ...place, price: price ?? (price === undefined && isBesideUnits ? place.price : null) }
    })
  },
  mpp: ({ info, terms }, isBesideUnits) => {
    const said = withMethod(info, terms)
    const { network, decimals } = mppMoney(said)
    const asset = accountOf(field(said, 'currency'))
    // A token that is a dollar on every one of Tempo's networks is one where none is named.
    const place = network ?? (decimals === undefined ? null : TEMPO_MAIN)
    const price = statedPrice({ info, terms, network: place, isBesideUnits }) ?? null
    return [{ rail: 'mpp', network, asset, payee: accountOf(field(said, 'recipient')), price }]
  },
}

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** `price` may stand beside a payment method of mpp: `{ protocols: ["mpp"], price, method: "tempo", currency }`. */
const namesMethod = (info: Fields): boolean => !/^(?:x402|)$/i.test(textOf(info, 'method') ?? '')

const BY_METHOD = ['recipient', 'methodDetails']

const isAddressed = (info: Fields): boolean => /^0x[0-9a-f]{40}$/i.test(textOf(info, 'currency') ?? '')

/** The terms of mpp with the method, the currency and the payee beside the price, where they are of no other method. */
function withMethod(info: Fields, terms: Fields): Fields {
  if (!namesMethod(info) || Object.hasOwn(terms, 'method')) return terms
  const said = ['method', 'currency', ...BY_METHOD].flatMap((name) =>
    Object.hasOwn(info, name) ? [[name, field(info, name)]] : [],
  )
  return { ...Object.fromEntries(said), ...terms }
}

/** What is said of all protocols: the token and the payee of a method of mpp are its own. */
const withoutMethod = (info: Fields): Fields =>
  namesMethod(info) ? without(info, [...BY_METHOD, ...(isAddressed(info) ? ['currency', 'decimals'] : [])]) : info

/** What says that the price is in dollars, or that there is no one price. */
const OF_DOLLARS = [...PRICES, 'minPrice', 'maxPrice', 'pricingMode', 'mode']

const saysDollars = (info: Fields): boolean => OF_DOLLARS.some((name) => Object.hasOwn(info, name))

/** Where no price in dollars is stated: base units, as each protocol has them. */
const UNIT_OFFERS: Readonly<Record<Rail, (stated: DollarTerms) => Offer[]>> = {
  x402: ({ info, terms, documentAccepts }) => {
    const around = termsOf({ ...info, protocols: undefined, protocol: undefined })
    const accepts = around.accepts.length > 0 ? around.accepts : documentAccepts.filter(isFields)
    return offersOf(terms, { ...around, accepts }, true)
  },
  mpp: ({ info, terms }) => [mppOffer({ ...info, ...fieldsOf(field(info, 'mpp')), ...terms })],
}

function offersOn(rail: Rail, stated: DollarTerms): Offer[] {
  const { info, terms } = stated
  const offers = DOLLAR_OFFERS[rail](stated, placesToPay(info, terms, []).some(isPriced))
  if (offers.some(isPriced) || saysDollars(info)) return offers
  const inUnits = UNIT_OFFERS[rail](stated)
  return inUnits.some(isPriced) ? inUnits : offers
}

/** What a protocol says of its price is nearer than what is said of all. */
function pricedBy(info: Fields, terms: Fields): Fields {
  const isOwn = PRICES.some((name) => Object.hasOwn(terms, name))
  return isOwn ? { ...without(info, [...OF_DOLLARS, 'amount']), ...terms } : info
}

/** `amount` beside a payment method of mpp is one of that method, in its own units. */
const isOfMethod = (info: Fields): boolean => Object.hasOwn(info, 'amount') && !saysDollars(info) && namesMethod(info)

const OF_METHOD = ['method', 'intent', 'amount', 'currency', 'decimals', 'recipient', 'methodDetails']

function dollarOffers(info: Fields, documentAccepts: readonly unknown[]): PaymentInfo {
  const offers: Offer[] = []
  const otherProtocols: string[] = []
  for (const [protocol, terms] of protocolsIn(field(info, 'protocols') ?? field(info, 'protocol'))) {
    const rail = railNamed(protocol)
    if (rail === undefined) otherProtocols.push(protocol)
    else if (isOfMethod(info) && rail === 'mpp') offers.push(mppOffer({ ...info, ...terms }))
    else {
      const said = isOfMethod(info) ? without(info, OF_METHOD) : rail === 'x402' ? withoutMethod(info) : info
      offers.push(...offersOn(rail, { info: pricedBy(said, terms), terms, documentAccepts }))
    }
  }
  return { offers, otherProtocols }
}

/**
 * Dialect 1: an offer names its payment method; `x402` as a method occurs in the wild, with one network or several, and with
 * dollars or with base units of a known asset.
 */
function readOffers(value: unknown): Offer[] {
  if (!isFields(value) || isOff(value)) return []
  const method = textOf(value, 'method')
  if (method === undefined && textOf(value, 'intent') === undefined) return []
  return method?.toLowerCase() === 'x402' ? offersOf(value, NO_TERMS, true) : [mppOffer(value)]
}

/** `{ "x402": { … } }`: each rail with all that is to be known of it. */
const KEYED_OFFERS: Readonly<Record<Rail, (terms: Fields, info: Fields) => Offer[]>> = {
  x402: (terms, info) => offersOf(terms, termsOf({ ...info, x402: undefined }), true),
  mpp: (terms) => [mppOffer(terms)],
}

const offersOnly = (offers: readonly Offer[]): PaymentInfo => ({ offers, otherProtocols: [] })

/** What only x402 has: then no protocol need be named. */
const OF_X402 = ['accepts', 'payTo', 'maxAmountRequired', 'x402Version', 'facilitator']

/**
 * `x-payment-info` of one operation in any of its dialects. `price` and `protocols` are looked for first: the dialects that
 * have them write dollars, the other writes base units. Nothing readable gives no offers.
 */
export function readPaymentInfo(info: unknown, documentAccepts: readonly unknown[]): PaymentInfo {
  if (!isFields(info)) return readEach(listOf(info), documentAccepts)
  const { offers, otherProtocols } = readInfo(info, documentAccepts)
  return { offers, otherProtocols: [...otherProtocols, ...otherWays(termsOf(info))] }
}

/** A list of offers, or of terms that each name their protocol. */
function readEach(entries: readonly unknown[], documentAccepts: readonly unknown[]): PaymentInfo {
  const each = entries
    .slice(0, MOST_OFFERS)
    .filter(isFields)
    .filter((entry) => !isOff(entry))
    .map((entry) => {
      const offers = readOffers(entry)
      return offers.length > 0 || Object.hasOwn(entry, 'offers') ? offersOnly(offers) : readInfo(entry, documentAccepts)
    })
  return {
    offers: each.flatMap(({ offers }) => offers),
    otherProtocols: each.flatMap(({ otherProtocols }) => otherProtocols),
  }
}

function readInfo(info: Fields, documentAccepts: readonly unknown[]): PaymentInfo {
  const named = ['protocols', 'protocol'].map((name) => field(info, name))
  const offers = field(info, 'offers')
  if (named.some((value) => value !== undefined && !(Array.isArray(value) && value.length === 0))) {
    const each = saysDollars(info) ? NOTHING : readEach(listOf(offers), documentAccepts)
    return each.offers.length > 0 ? each : dollarOffers(info, documentAccepts)
  }
  if (isFreeInfo(info)) return offersOnly([{ ...NOWHERE, price: 0 }])
  if (Array.isArray(offers)) return readEach(offers, documentAccepts)
  const keyed = RAILS.flatMap((rail) => {
    const terms = field(info, rail)
    return isFields(terms) && !isOff(terms) ? KEYED_OFFERS[rail](terms, info) : []
  })
  if (keyed.length > 0) {
    const isBeside = keyed.every(({ rail }) => rail === 'mpp') && Object.hasOwn(info, 'accepts')
    return offersOnly(isBeside ? [...offersOf({ ...info, mpp: undefined }, NO_TERMS), ...keyed] : keyed)
  }
  const flat = readOffers(info)
  if (flat.length > 0) return offersOnly(flat)
  const isX402 = OF_X402.some((name) => Object.hasOwn(info, name)) || documentAccepts.length > 0
  const accepts = documentAccepts.filter(isFields)
  return isX402 ? offersOnly(offersOf(info, { ...NO_TERMS, accepts })) : NOTHING
}
