import type { Offer } from '../../domain/challenge.ts'
import { TEMPO_MAIN } from '../../domain/money/asset.ts'
import { TEMPO_USDC } from '../../domain/money/dollar-networks.ts'
import type { MicroDollars } from '../../domain/money/price.ts'
import { networkOf } from '../../domain/network.ts'
import { isAsking, withOwnAmount } from './accept.ts'
import { accountOf, type Fields, field, fieldsOf, firstFields, textOf } from './guards.ts'
import { baseUnits, type Denomination } from './money.ts'
import { mppOffer } from './mpp-terms.ts'
import { type Place, readPlace, saidOf } from './place.ts'
import { placesIn, type SaidPrice, saidPrice } from './said-price.ts'
import { isOfMpp, otherProtocolOf } from './spoken.ts'

/** What a document, a service or an entry says of payment; what it does not say, it takes from what is around it. */
export interface Terms {
  readonly networks: readonly string[]
  readonly accepts: readonly Fields[]
  readonly currency: string | undefined
  readonly decimals: number | undefined
  payeeOn(network: string | null): string | null
  assetOn(network: string | null): string | null
  /** `within`: what a narrower place says of the money. */
  priceOn(network: string | null, asset: string | null, within?: Partial<Denomination>): SaidPrice
}

export const NO_TERMS: Terms = {
  networks: [],
  accepts: [],
  currency: undefined,
  decimals: undefined,
  payeeOn: () => null,
  assetOn: () => null,
  priceOn: () => undefined,
}

/** Of what is free by the name of the list it stands in. */
export const FREE_TERMS: Terms = { ...NO_TERMS, priceOn: () => 0 }

/** What is said of the price, and not of where to pay it. */
export const onlyPrice = ({ currency, decimals, priceOn }: Terms): Terms => ({
  ...NO_TERMS,
  currency,
  decimals,
  priceOn,
})

/** A document keyed by its paths may have thousands; what is said of payment is among the first of them. */
const MOST_FIELDS = 1000

/**
 * The terms of an object: its own and those of the objects inside it that are about payment. `isOfX402`: it is written as x402
 * has it, with amounts in base units whatever the currency.
 */
export function termsOf(fields: Fields, isOfX402 = false): Terms {
  const places = placesIn(fields).map((place) => readPlace(firstFields(place, MOST_FIELDS)))
  const first = <T>(read: (place: Place) => T | null | undefined): T | undefined => {
    for (const place of places) {
      const found = read(place)
      if (found !== null && found !== undefined) return found
    }
    return undefined
  }
  const currency = first((place) => place.currency)
  const decimals = first((place) => place.decimals)
  return {
    networks: places.find(({ networks }) => networks.length > 0)?.networks ?? [],
    accepts: places.find(({ accepts }) => accepts.length > 0)?.accepts ?? [],
    currency,
    decimals,
    payeeOn: (network) => first((place) => payeeIn(saidOf(network, place.byNetwork.payees)) ?? place.payee) ?? null,
    assetOn: (network) => first((place) => assetIn(saidOf(network, place.byNetwork.assets)) ?? place.asset) ?? null,
    priceOn: (network, asset, within = {}) =>
      saidPrice(
        places,
        (place) => ({
          network,
          asset: place.asset ?? asset,
          currency: place.currency ?? within.currency ?? currency,
          decimals: place.decimals ?? within.decimals ?? decimals,
        }),
        isOfX402,
      ),
  }
}

const payeeIn = (value: unknown): string | null => accountOf(value) ?? readPlace(fieldsOf(value)).payee
const assetIn = (value: unknown): string | null => accountOf(value) ?? readPlace(fieldsOf(value)).asset

/** Terms within others: what stands nearest counts. */
export const within = (own: Terms, above: Terms): Terms => ({
  networks: own.networks.length > 0 ? own.networks : above.networks,
  accepts: own.accepts.length > 0 ? own.accepts : above.accepts,
  currency: own.currency ?? above.currency,
  decimals: own.decimals ?? above.decimals,
  payeeOn: (network) => own.payeeOn(network) ?? above.payeeOn(network),
  assetOn: (network) => own.assetOn(network) ?? above.assetOn(network),
  priceOn: (network, asset, narrower = {}) => {
    const money = {
      currency: narrower.currency ?? own.currency ?? above.currency,
      decimals: narrower.decimals ?? own.decimals ?? above.decimals,
    }
    const said = own.priceOn(network, asset, money)
    return said === undefined ? above.priceOn(network, asset, money) : said
  },
})

const MOST_REMEMBERED = 1000

/** Terms that are asked the same for every route of a document. */
export function remembered(terms: Terms): Terms {
  const known = new Map<string, SaidPrice>()
  return {
    ...terms,
    priceOn: (network, asset, narrower = {}) => {
      const key = JSON.stringify([network, asset, narrower.currency, narrower.decimals])
      if (!known.has(key) && known.size < MOST_REMEMBERED) known.set(key, terms.priceOn(network, asset, narrower))
      return known.has(key) ? known.get(key) : terms.priceOn(network, asset, narrower)
    },
  }
}

/** `eip155:8453/erc20:0x…` names its network, and so does Tempo's USDC. */
const networkOfAsset = (asset: string | null): string | null =>
  asset?.toLowerCase() === TEMPO_USDC
    ? TEMPO_MAIN
    : networkOf(/^((?:eip155|solana|tempo):[^/]+)\//.exec(asset ?? '')?.[1])

/**
 * Every way to pay that an entry of a seller's document names: its `accepts` list, or a price beside the networks that
 * the entry, or else the document, names. What stands nearest counts.
 */
export function offersOf(entry: Fields, above: Terms, isOfX402 = false, own = termsOf(entry, isOfX402)): Offer[] {
  const terms = within(own, above)
  if (terms.accepts.length > 0) {
    const version = field(entry, 'x402Version')
    return terms.accepts.flatMap((accept) =>
      acceptedOffers(withOwnAmount(accept, version), own.accepts.length > 0 ? null : own, terms),
    )
  }
  const networks = terms.networks.length > 0 ? terms.networks : [networkOfAsset(terms.assetOn(null))]
  return networks.map((network) => {
    const asset = terms.assetOn(network)
    const price = terms.priceOn(network, asset) ?? null
    const payee = network === null ? null : terms.payeeOn(network)
    return { rail: 'x402', network, price, payee, asset: network === null ? null : asset }
  })
}

/** Protocols of ways to pay that are on no rail. */
export const otherWays = ({ accepts }: Terms): string[] => accepts.flatMap((accept) => otherProtocolOf(accept) ?? [])

/**
 * What one entry of an `accepts` list offers; `entry`: the nearer terms where the list is the document's. Of one that is mpp's the
 * terms around it say the price, and not where to pay.
 */
export function acceptedOffers(accept: Fields, entry: Terms | null, around: Terms): Offer[] {
  if (otherProtocolOf(accept) !== undefined) return []
  const isMpp = isOfMpp(accept)
  return waysOf(accept, isMpp, isMpp ? onlyPrice(around) : around).map((way) => {
    const nearer = entry?.priceOn(way.network, way.asset, around)
    if (nearer !== undefined) return { ...way, price: nearer }
    const beside = around.priceOn(way.network, way.asset) ?? null
    // Nothing is free where something is asked for, whatever that is worth.
    return { ...way, price: way.price ?? (isAsking(accept) ? beside || null : beside) }
  })
}

/** Where mpp's terms have no amount, but a price that says it is dollars: `"$0.02"`. A whole number may be anything. */
function inDollars(terms: Fields, { network, asset }: Offer): MicroDollars | null {
  if (Object.hasOwn(terms, 'amount') || baseUnits(field(terms, 'price')) !== undefined) return null
  return termsOf(terms).priceOn(network, asset) ?? null
}

function waysOf(accept: Fields, isMpp: boolean, around: Terms): Offer[] {
  if (isMpp && textOf(accept, 'method') !== undefined) {
    const offer = mppOffer(accept)
    return [{ ...offer, price: offer.price ?? inDollars(accept, offer) }]
  }
  const terms = termsOf(accept, true)
  const named = terms.networks.length > 0 ? terms.networks : around.networks.length === 1 ? around.networks : []
  const networks = named.length > 0 ? named : [networkOfAsset(terms.assetOn(null) ?? around.assetOn(null))]
  return networks.map((network) => {
    const asset = terms.assetOn(network) ?? around.assetOn(network)
    const price = terms.priceOn(network, asset, around) ?? null
    const payee = terms.payeeOn(network) ?? around.payeeOn(network)
    return { rail: isMpp ? 'mpp' : 'x402', network, asset, payee, price }
  })
}
