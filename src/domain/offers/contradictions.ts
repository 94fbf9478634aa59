import type { Offer } from '../challenge.ts'
import type { Listing } from '../listing.ts'
import { formatPrice, type MicroDollars } from '../money/price.ts'
import { networkKey } from '../network.ts'
import type { PaymentFound } from '../review.ts'
import { formatMinute, type TimestampUs } from '../time/timestamp.ts'
import { isSameAddress } from '../wallet.ts'
import { endWords, type SeenOffer, signedPrice, wasOffered } from './seen-offer.ts'
import { untilUs } from './signed-offer.ts'

/** A dearer price than the seller had signed, for the same route while the signed one held. */
export interface Contradiction {
  readonly kind: 'asked' | 'listed' | 'charged'
  readonly offer: SeenOffer
  readonly signed: MicroDollars
  readonly price: MicroDollars
  readonly atUs: TimestampUs
  /** The listing source or the transaction; of a live challenge nothing. */
  readonly evidence: string | null
}

/** What a signed offer is held against. */
export interface Against {
  readonly listings: readonly Listing[]
  readonly live: { readonly offers: readonly Offer[]; readonly atUs: TimestampUs } | null
  readonly payments: readonly { readonly network: string; readonly transaction: string; readonly found: PaymentFound }[]
}

/** Of one route. A seller can sign and list as much as it likes: more would only make its evidence too long to be read. */
const MOST_SHOWN = 10

/** At most ten, the gravest where there are more: what was charged before what was asked for and listed, then the dearest. */
export function contradictionsOf(offers: readonly SeenOffer[], against: Against): Contradiction[] {
  const all = offers.flatMap((offer) => {
    const signed = signedPrice(offer.offer.terms)
    if (offer.check.by === null || signed === null) return []
    return [...asked(offer, signed, against), ...listed(offer, signed, against), ...charged(offer, signed, against)]
  })
  if (all.length <= MOST_SHOWN) return all
  return all.toSorted((a, b) => GRAVITY[a.kind] - GRAVITY[b.kind] || b.price - a.price).slice(0, MOST_SHOWN)
}

const GRAVITY = { charged: 0, asked: 1, listed: 2 } as const

const isOn = ({ offer }: SeenOffer, network: string | null): boolean =>
  network !== null && networkKey(network) === networkKey(offer.terms.network)

/** Only where nothing in the challenge can be had for the signed price. */
function asked(offer: SeenOffer, signed: MicroDollars, { live }: Against): Contradiction[] {
  if (live === null || !wasOffered(offer, live.atUs)) return []
  const same = live.offers.flatMap(({ network, asset, price }) => {
    const isSame = isOn(offer, network) && asset !== null && isSameAddress(asset, offer.offer.terms.asset)
    return isSame && price !== null ? [price] : []
  })
  const price = Math.min(...same)
  return same.length > 0 && price > signed
    ? [{ kind: 'asked', offer, signed, price, atUs: live.atUs, evidence: null }]
    : []
}

/** The dearest price of each source. */
function listed(offer: SeenOffer, signed: MicroDollars, { listings }: Against): Contradiction[] {
  const endUs = untilUs(offer.offer.terms) ?? offer.lastUs
  const dearest = new Map<string, Contradiction>()
  for (const { source, network, price, firstUs, lastUs } of listings) {
    const atUs = Math.max(firstUs, offer.firstUs)
    if (!isOn(offer, network) || price === null || price <= signed || atUs > Math.min(lastUs, endUs)) continue
    if (price <= (dearest.get(source)?.price ?? 0)) continue
    dearest.set(source, { kind: 'listed', offer, signed, price, atUs, evidence: source })
  }
  return [...dearest.values()]
}

function charged(offer: SeenOffer, signed: MicroDollars, { payments }: Against): Contradiction[] {
  const { terms } = offer.offer
  return payments.flatMap(({ network, transaction, found }) => {
    const isSame = isSameAddress(found.asset, terms.asset) && isSameAddress(found.payee, terms.payTo)
    // What is paid out of a deposit may be for many calls.
    if (found.channel !== undefined || !isOn(offer, network) || !isSame || !wasOffered(offer, found.atUs)) return []
    const price = signedPrice({ ...terms, amount: found.amount })
    if (price === null || price <= signed) return []
    return [{ kind: 'charged' as const, offer, signed, price, atUs: found.atUs, evidence: transaction }]
  })
}

const KINDS = { asked: 'asked for by a live challenge', listed: 'listed by', charged: 'charged in' } as const

/** `The seller signed 0.010000 until 2026-11-14 12:39, and 0.020000 was asked for by a live challenge at 2026-11-14 12:34` */
export function contradictionLine({ kind, offer, signed, price, atUs, evidence }: Contradiction): string {
  const what = evidence === null ? KINDS[kind] : `${KINDS[kind]} ${evidence}`
  return `The seller signed ${formatPrice(signed)} ${endWords(offer.offer.terms)}, and ${formatPrice(price)} was ${what} at ${formatMinute(atUs)}`
}
