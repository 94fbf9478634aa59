import type { Offer } from '../domain/challenge.ts'
import type { AllowHosts, SellerHost } from '../domain/host.ts'
import { networkKey } from '../domain/network.ts'
import { addressOf, METHODS, type Method, parseAddress, type Rail, type RouteAddress } from '../domain/route.ts'
import { cleanDescription } from '../domain/words/description.ts'
import type { Found, FoundListing, FoundPayee, OwnershipProof, Refusal, Refused } from './found.ts'
import { describe } from './read/guards.ts'

/** A route as a source wrote it, with every way to pay that it names. */
export interface WrittenRoute {
  readonly url: string
  /** `undefined`: not stated. */
  readonly method: string | undefined
  readonly offers: readonly Offer[]
  /** As the source wrote it. */
  readonly description?: string | undefined
}

export interface CollectorLimits {
  readonly allow: AllowHosts
  /** A seller's own document speaks for its own host only. */
  readonly ownHost?: SellerHost
  /** Most listings of one document; a stranger decides how long it is. */
  readonly mostListings?: number
}

/** No seller names more ways to pay one route; the longest list seen has eight. */
const MOST_OFFERS = 64
const MOST_LISTINGS = 20_000

const nameOf = (host: SellerHost): string => host.replace(/:\d+$/, '').replace(/^www\./, '')

/**
 * Whether whoever serves `documentHost` also holds `host`: the same name or one below it. The other direction does not
 * hold, because many sellers live side by side under one platform's name.
 */
export function isOwnHost(documentHost: SellerHost, host: SellerHost): boolean {
  const own = nameOf(documentHost)
  return nameOf(host) === own || nameOf(host).endsWith(`.${own}`)
}

const methodOf = (text: string): Method | undefined => METHODS.find((method) => method === text.trim().toUpperCase())

type Draft = Omit<FoundListing, 'payees'> & { readonly payees: Map<string, FoundPayee> }

const routeText = (listing: Draft): string =>
  `${listing.method} ${listing.rail} ${addressOf(listing.address.scheme, listing.address.host, listing.address.path)}`

/** Gathers what one document says. Rows that are equal (route, price, network in CAIP-2 form) are merged into one. */
export class ListingCollector {
  private readonly drafts = new Map<string, Draft>()
  private readonly refused: Refused[] = []
  private readonly proofs: OwnershipProof[] = []
  private seen = 0

  constructor(private readonly limits: CollectorLimits) {}

  /** Counts one item of the document. */
  see(): void {
    this.seen += 1
  }

  refuse(reason: Refusal, ...item: readonly unknown[]): void {
    this.refused.push({ reason, item: describe(...item) })
  }

  prove(proof: OwnershipProof): void {
    this.proofs.push(proof)
  }

  route(written: WrittenRoute): void {
    const reading = parseAddress(written.url, this.limits.allow)
    if (!reading.ok) {
      this.refuse('bad_address', `${reading.reason}:`, written.url)
      return
    }
    const own = this.limits.ownHost
    if (own !== undefined && !isOwnHost(own, reading.address.host)) {
      this.refuse('foreign_host', written.url)
      return
    }
    const method = written.method === undefined ? 'GET' : methodOf(written.method)
    if (method === undefined) {
      this.refuse('bad_method', written.method, written.url)
      return
    }
    if (written.offers.length === 0) {
      this.refuse('no_offers', written.url)
      return
    }
    if (written.offers.length > MOST_OFFERS) this.refuse('too_many', 'ways to pay:', written.url)
    const description = written.description === undefined ? null : cleanDescription(written.description)
    for (const offer of written.offers.slice(0, MOST_OFFERS)) {
      this.list(reading.address, method, written.method !== undefined, offer, description)
    }
  }

  private list(
    address: RouteAddress,
    method: Method,
    methodStated: boolean,
    offer: Offer,
    description: string | null,
  ): void {
    const { rail, price, network, payee, asset } = offer
    const draft: Draft = { method, methodStated, address, rail, price, network, payees: new Map(), description }
    const key = `${routeText(draft)} ${price ?? ''} ${network === null ? '' : networkKey(network)}`
    const kept = this.drafts.get(key)
    if (kept === undefined && this.drafts.size >= (this.limits.mostListings ?? MOST_LISTINGS)) {
      this.refuse('too_many', method, addressOf(address.scheme, address.host, address.path))
      return
    }
    const listing = kept ?? draft
    if (network !== null && payee !== null) {
      listing.payees.set(`${networkKey(network)} ${payee} ${asset ?? ''}`, { network, payee, asset })
    }
    if (
      kept === undefined ||
      (methodStated && !kept.methodStated) ||
      (description !== null && kept.description === null)
    ) {
      this.drafts.set(key, {
        ...listing,
        methodStated: methodStated || listing.methodStated,
        description: listing.description ?? description,
      })
    }
  }

  /** Everything found. */
  found(): Found {
    return this.result([...this.drafts.values()])
  }

  /**
   * Everything found in one document that may name a route twice, once barely and once in full: the bare name (no
   * price, no network, or GET only for want of a method) gives way to the full one.
   */
  foundOnce(): Found {
    const drafts = [...this.drafts.values()]
    const full = new Set(drafts.filter((draft) => draft.price !== null || draft.network !== null).map(routeText))
    const stated = new Set(drafts.filter((draft) => draft.methodStated).map(withoutMethod))
    return this.result(
      drafts.filter(
        (draft) =>
          (draft.price !== null || draft.network !== null || !full.has(routeText(draft))) &&
          (draft.methodStated || !stated.has(withoutMethod(draft))),
      ),
    )
  }

  private result(drafts: readonly Draft[]): Found {
    const listings = drafts.map((draft) => ({ ...draft, payees: [...draft.payees.values()] }))
    return { seen: this.seen, listings, refused: this.refused, proofs: this.proofs }
  }
}

const withoutMethod = (listing: { readonly rail: Rail; readonly address: RouteAddress }): string =>
  `${listing.rail} ${addressOf(listing.address.scheme, listing.address.host, listing.address.path)}`
