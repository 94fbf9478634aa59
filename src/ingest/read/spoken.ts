import type { Offer } from '../../domain/challenge.ts'
import { networkKey } from '../../domain/network.ts'
import { RAILS, type Rail } from '../../domain/route.ts'
import { type Fields, field } from './guards.ts'
import { protocolsIn, railNamed } from './protocols.ts'

/** What an entry says of protocols. */
export interface Spoken {
  readonly rails: readonly Rail[]
  /** Of payment too, and no rail. */
  readonly others: readonly string[]
}

/** Sellers say of a route in the same fields how it is called. */
const TRANSPORT = /^(?:https?|rest|restful|json|graphql|grpc|wss?|websocket|sse)(?![a-z0-9])/
const MOST_PROTOCOLS = 10

export function spokenBy(fields: Fields): Spoken {
  const written = ['protocol', 'protocols', 'rail', 'rails'].flatMap((name) => protocolsIn(field(fields, name)))
  const names = [...new Set(written.map(([name]) => name))].slice(0, MOST_PROTOCOLS)
  return {
    rails: RAILS.filter((rail) => names.some((name) => railNamed(name) === rail)),
    others: names.filter((name) => name !== '' && railNamed(name) === undefined && !TRANSPORT.test(name)),
  }
}

const isOnTempo = ({ network }: Offer): boolean => network !== null && networkKey(network).startsWith('tempo:')

/** Offers as they are on each rail. Where x402 is spoken beside mpp, networks are its own unless they are Tempo's. */
export function onRails(offers: readonly Offer[], rails: readonly Rail[]): Offer[] {
  if (!rails.includes('mpp')) return [...offers]
  if (!rails.includes('x402')) return offers.map((offer) => ({ ...offer, rail: 'mpp' }))
  const onTempo = offers.filter(isOnTempo)
  const [first, ...rest] = offers
  const price = rest.every((offer) => offer.price === first?.price) ? (first?.price ?? null) : null
  const anywhere: Offer = { rail: 'mpp', network: null, asset: null, payee: null, price }
  const spoken = onTempo.map((offer): Offer => ({ ...offer, rail: 'mpp' }))
  return [...offers, ...(spoken.length > 0 ? spoken : [anywhere])]
}
