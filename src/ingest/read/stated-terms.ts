import type { Offer } from '../../domain/challenge.ts'
import type { MicroDollars } from '../../domain/price.ts'
import { readAccept } from './accept.ts'
import { accountOf, type Fields, field, fieldsOf, isFields, listOf, networkOf, textOf } from './guards.ts'
import { dollars, likelyDollars } from './money.ts'

/** What a document or a service says once for all its routes. */
export interface SharedTerms {
  readonly networks: readonly string[]
  payeeOn(network: string): string | null
  assetOn(network: string): string | null
}

export const NO_TERMS: SharedTerms = { networks: [], payeeOn: () => null, assetOn: () => null }

const MOST_NETWORKS = 32

/** `network: "base"`, `networks: [...]`, `chain`, or the same inside `payment`. */
function networksOf(fields: Fields): string[] {
  const written = [
    field(fields, 'network'),
    field(fields, 'chain'),
    ...listOf(field(fields, 'networks')).slice(0, MOST_NETWORKS),
  ]
  return [
    ...new Set(written.flatMap((value) => networkOf(value) ?? networkOf(field(fieldsOf(value), 'network')) ?? [])),
  ]
}

const payeeOf = (fields: Fields): string | null =>
  accountOf(field(fields, 'payTo')) ??
  accountOf(field(fields, 'pay_to')) ??
  accountOf(field(fields, 'recipient')) ??
  accountOf(field(fields, 'wallet'))

const assetOf = (fields: Fields): string | null =>
  accountOf(field(fields, 'assetAddress')) ?? accountOf(field(fields, 'asset')) ?? accountOf(field(fields, 'token'))

export function sharedTerms(fields: Fields, above: SharedTerms): SharedTerms {
  const networks = networksOf(fields)
  const payees = fieldsOf(field(fields, 'payToByNetwork'))
  const assets = fieldsOf(field(fields, 'acceptsAsset'))
  return {
    networks: networks.length > 0 ? networks : above.networks,
    payeeOn: (network) => accountOf(field(payees, network)) ?? payeeOf(fields) ?? above.payeeOn(network),
    assetOn: (network) => accountOf(field(assets, network)) ?? assetOf(fields) ?? above.assetOn(network),
  }
}

const IN_DOLLARS = [
  'price_usd',
  'priceUsd',
  'priceUSD',
  'price_usdc',
  'priceUsdc',
  'priceUSDC',
  'advisoryPriceUsd',
  'usd',
]

/** `cost_usd`, `cost_rlusd_per_call`: the currency is in the name; only dollars are known here, and nothing is nothing. */
function namedCost(fields: Fields): MicroDollars | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const currency = /^cost_([a-z]{3,10})(?:_per_call)?$/.exec(name)?.[1]
    const cost = currency === undefined ? undefined : likelyDollars(value, currency)
    if (cost !== undefined) return cost
  }
  return undefined
}

function statedPrice(fields: Fields): MicroDollars | null {
  for (const name of IN_DOLLARS) {
    const price = dollars(field(fields, name))
    if (price !== undefined) return price
  }
  const currency = textOf(fields, 'currency', 'token', 'asset')
  for (const name of ['price', 'payment', 'cost']) {
    const value = field(fields, name)
    const nested = fieldsOf(value)
    const price = isFields(value)
      ? likelyDollars(field(nested, 'amount'), textOf(nested, 'currency', 'token', 'asset') ?? currency)
      : likelyDollars(value, currency)
    if (price !== undefined) return price
  }
  return namedCost(fields) ?? null
}

/**
 * Every way to pay that an entry of a seller's document names: its `accepts` list, or a price beside the networks that
 * the entry, or else the document, names.
 */
export function offersOf(entry: Fields, shared: SharedTerms): Offer[] {
  const price = statedPrice(entry)
  const accepts = field(entry, 'accepts')
  const accepted = (isFields(accepts) ? [accepts] : listOf(accepts)).flatMap((accept) => readAccept(accept) ?? [])
  if (accepted.length > 0) return accepted.map((offer) => ({ ...offer, price: offer.price ?? price }))
  const own = sharedTerms(entry, sharedTerms(fieldsOf(field(entry, 'payment')), shared))
  if (own.networks.length === 0) return [{ rail: 'x402', network: null, asset: null, payee: null, price }]
  return own.networks.map((network) => {
    return { rail: 'x402', network, price, payee: own.payeeOn(network), asset: own.assetOn(network) }
  })
}
