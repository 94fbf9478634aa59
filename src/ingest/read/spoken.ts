import type { Offer } from '../../domain/challenge.ts'
import { networkKey, networkName } from '../../domain/network.ts'
import { RAILS, type Rail } from '../../domain/route.ts'
import { type Fields, field, textOf } from './guards.ts'
import { protocolsIn, railNamed } from './protocols.ts'
import { placesIn } from './said-price.ts'

/** What an entry says of protocols. */
export interface Spoken {
  readonly rails: readonly Rail[]
  /** Of payment too, and no rail. */
  readonly others: readonly string[]
}

/** Sellers say of a route in the same fields how it is called. */
const TRANSPORT = /^(?:https?|rest|restful|json|graphql|grpc|wss?|websocket|sse)(?![a-z0-9])/
const MOST_PROTOCOLS = 10

/** What some call a rail says on which chains it is paid, and by no protocol. */
const isOfChains = (name: string): boolean =>
  networkName(name) !== null || /^(?:evm|svm|usdc|crypto|blockchain|on-?chain)$/.test(name)

export function spokenBy(fields: Fields): Spoken {
  const namesIn = (...places: readonly string[]) => places.flatMap((name) => protocolsIn(field(fields, name)))
  const onRails = namesIn('rail', 'rails').filter(([name]) => !isOfChains(name))
  const written = [...namesIn('protocol', 'protocols'), ...onRails]
  const names = [...new Set(written.map(([name]) => name))].slice(0, MOST_PROTOCOLS)
  return {
    rails: RAILS.filter((rail) => names.some((name) => railNamed(name) === rail)),
    others: names.filter((name) => name !== '' && railNamed(name) === undefined && !TRANSPORT.test(name)),
  }
}

const INTENT = /^(?:charge|session|subscription)$/i
/** Of payment, and no rail, whatever else the word may mean. */
const OTHER = /^(?:l402|lsat)(?![a-z0-9])/

/** Whether one way to pay says that it is mpp's: by its protocol, or by an intent, which only mpp has. */
export function isOfMpp(way: Fields): boolean {
  const { rails } = spokenBy(way)
  if (rails.length > 0) return !rails.includes('x402')
  const scheme = textOf(way, 'scheme')
  const named = [scheme, textOf(way, 'type')].map((text) => railNamed(text?.toLowerCase() ?? ''))
  return named.includes('mpp') || (scheme === undefined && INTENT.test(textOf(way, 'intent') ?? ''))
}

/** The protocol of one way to pay where that is no rail, whatever else it is like; by its protocol or its scheme. */
export function otherProtocolOf(way: Fields): string | undefined {
  const { rails, others } = spokenBy(way)
  const named = [...others, ...[textOf(way, 'scheme'), textOf(way, 'type')].map((text) => text?.toLowerCase() ?? '')]
  return rails.length > 0 ? undefined : named.find((name) => OTHER.test(name))
}

/** What an entry says of protocols, or else the nearest object of terms inside it: `payment: { "protocol": "mpp" }`. */
export function spokenIn(fields: Fields): Spoken {
  const own = spokenBy(fields)
  if (own.rails.length + own.others.length > 0) return own
  for (const place of placesIn(fields)) {
    if (isOfMpp(place)) return { rails: ['mpp'], others: [] }
    const { rails, others } = spokenBy(place)
    const known = others.filter((name) => OTHER.test(name))
    if (rails.length + known.length > 0) return { rails, others: known }
  }
  return own
}

const isOnTempo = ({ network }: Offer): boolean => network !== null && networkKey(network).startsWith('tempo:')

/** Offers as they are on each rail. Where x402 is spoken beside mpp, networks are its own unless they are Tempo's. */
export function onRails(offers: readonly Offer[], rails: readonly Rail[]): Offer[] {
  if (!rails.includes('mpp')) return [...offers]
  if (!rails.includes('x402')) return offers.map((offer) => ({ ...offer, rail: 'mpp' }))
  if (offers.some(({ rail }) => rail === 'mpp')) return [...offers]
  const onTempo = offers.filter(isOnTempo)
  const [first, ...rest] = offers
  const price = rest.every((offer) => offer.price === first?.price) ? (first?.price ?? null) : null
  const anywhere: Offer = { rail: 'mpp', network: null, asset: null, payee: null, price }
  const spoken = onTempo.map((offer): Offer => ({ ...offer, rail: 'mpp' }))
  return [...offers, ...(spoken.length > 0 ? spoken : [anywhere])]
}
