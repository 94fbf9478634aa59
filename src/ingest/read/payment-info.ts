import type { Offer } from '../../domain/challenge.ts'
import type { MicroDollars } from '../../domain/price.ts'
import { readAccept } from './accept.ts'
import { accountOf, type Fields, field, fieldsOf, isFields, listOf, networkOf, textOf } from './guards.ts'
import { dollars, isDollar } from './money.ts'
import { networkOfCurrency, readMppTerms } from './mpp-terms.ts'

export interface PaymentInfo {
  readonly offers: readonly Offer[]
  /** Protocols named that are neither x402 nor mpp. */
  readonly otherProtocols: readonly string[]
}

const NOTHING: PaymentInfo = { offers: [], otherProtocols: [] }

/** A range is a price only where it has no width. */
function withoutWidth(least: unknown, most: unknown): MicroDollars | null {
  const low = dollars(least)
  return low !== undefined && low === dollars(most) ? low : null
}

const FIXED = /^(?:fixed|exact|static)$/i

/** Dialects 2 and 3: decimal dollars, `price: { mode, amount, … }` or `pricingMode` with `price`, `minPrice`, `maxPrice`. */
function statedPrice(info: Fields): MicroDollars | null {
  const nested = field(info, 'price')
  const terms = isFields(nested) ? nested : info
  const amount = isFields(nested) ? field(nested, 'amount') : nested
  const mode = textOf(terms, 'mode', 'pricingMode') ?? 'fixed'
  const currency = textOf(terms, 'currency')
  if (currency !== undefined && !isDollar(currency)) return null
  if (/^free$/i.test(mode)) return 0
  const range = withoutWidth(
    field(terms, 'min') ?? field(terms, 'minPrice'),
    field(terms, 'max') ?? field(terms, 'maxPrice'),
  )
  return FIXED.test(mode) ? (dollars(amount) ?? range) : range
}

/** `["x402"]`, `[{ "x402": {} }, { "mpp": { … } }]` or `{ "x402": {} }`: each protocol with its own terms. */
function protocolsOf(info: Fields): [string, Fields][] {
  const named = field(info, 'protocols')
  const entries = isFields(named) ? [named] : listOf(named)
  return entries.flatMap((entry): [string, Fields][] => {
    if (typeof entry === 'string') return [[entry.trim().toLowerCase(), {}]]
    return Object.entries(fieldsOf(entry)).map(([name, terms]) => [name.toLowerCase(), fieldsOf(terms)])
  })
}

/** Networks and payees of the x402 rail, from the nearest place that names any. */
function placesToPay(info: Fields, terms: Fields, documentAccepts: readonly unknown[]): Offer[] {
  const candidates = [
    listOf(field(terms, 'accepts')),
    [terms],
    listOf(field(info, 'accepts')),
    listOf(field(info, 'chains')),
    [info],
    documentAccepts,
  ]
  for (const candidate of candidates) {
    const offers = candidate.flatMap((place) => readAccept(place) ?? []).filter((offer) => offer.network !== null)
    if (offers.length > 0) return offers
  }
  return []
}

function dollarOffers(info: Fields, documentAccepts: readonly unknown[]): PaymentInfo {
  const price = statedPrice(info)
  const offers: Offer[] = []
  const otherProtocols: string[] = []
  for (const [protocol, terms] of protocolsOf(info)) {
    if (protocol === 'x402') {
      const places = placesToPay(info, terms, documentAccepts)
      const nowhere: Offer = { rail: 'x402', network: null, asset: null, payee: null, price }
      offers.push(...(places.length > 0 ? places.map((place) => ({ ...place, price })) : [nowhere]))
    } else if (protocol === 'mpp') {
      const asset = accountOf(field(terms, 'currency'))
      const network = networkOf(field(terms, 'network')) ?? networkOfCurrency(asset)
      offers.push({ rail: 'mpp', network, asset, payee: accountOf(field(terms, 'recipient')), price })
    } else otherProtocols.push(protocol)
  }
  return { offers, otherProtocols }
}

/** Dialect 1: an offer names its payment method; `x402` as a method, with a price in dollars, occurs in the wild. */
function readOffer(value: unknown): Offer | undefined {
  if (!isFields(value)) return undefined
  const method = textOf(value, 'method')
  if (method === undefined && textOf(value, 'intent') === undefined) return undefined
  if (method?.toLowerCase() !== 'x402') return readMppTerms(value)
  const accept = readAccept({ asset: field(value, 'currency'), ...value })
  const stated = dollars(field(value, 'advisoryPriceUsd') ?? field(value, 'priceUsd'))
  return accept === undefined ? undefined : { ...accept, price: accept.price ?? stated ?? null }
}

/**
 * `x-payment-info` of one operation in any of its three dialects. `price` and `protocols` are looked for first: the
 * dialects that have them write dollars, the other writes base units. Nothing readable gives no offers.
 */
export function readPaymentInfo(info: unknown, documentAccepts: readonly unknown[]): PaymentInfo {
  if (!isFields(info)) return { offers: listOf(info).flatMap((offer) => readOffer(offer) ?? []), otherProtocols: [] }
  if (['price', 'protocols', 'pricingMode', 'minPrice'].some((name) => Object.hasOwn(info, name))) {
    return dollarOffers(info, documentAccepts)
  }
  const offers = field(info, 'offers')
  if (Array.isArray(offers)) return { offers: offers.flatMap((offer) => readOffer(offer) ?? []), otherProtocols: [] }
  const flat = readOffer(info)
  return flat === undefined ? NOTHING : { offers: [flat], otherProtocols: [] }
}
