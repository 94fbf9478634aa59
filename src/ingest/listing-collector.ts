import type { Offer } from '../domain/challenge.ts'
import type { AllowHosts, SellerHost } from '../domain/host.ts'
import { networkKey } from '../domain/network.ts'
import { compareBytes } from '../domain/order.ts'
import { addressOf, METHODS, type Method, parseAddress, type Rail, type RouteAddress } from '../domain/route.ts'
import { cleanDescription, isNameAlone } from '../domain/words/description.ts'
import { looksLikeAnother } from '../domain/words/invisible.ts'
import { isPayeeOn } from '../wire/challenge/payee.ts'
import { registrableDomain } from '../wire/sellers/registrable.ts'
import type { Found, FoundListing, FoundPayee, OwnershipProof, Refusal, Refused } from './found.ts'
import { describe, isGarbled } from './read/guards.ts'

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
  /** Most items and ways to pay of one document that are read; the rest is only counted. */
  readonly mostRead?: number
}

/** No seller names more ways to pay one route; the longest list seen has eight. */
const MOST_OFFERS = 64
const MOST_LISTINGS = 20_000
/** Hosts of a seller's own document: whoever holds a name can make up any number below it, and each is asked for its documents. */
const MOST_HOSTS = 100

const nameOf = (host: SellerHost): string => host.replace(/:\d+$/, '')

/** Without `www.`, as long as what is left was registered by somebody: `www.pages.dev` is one name among those of strangers. */
const withoutWww = (name: string): string => (registrableDomain(name) === name ? name : name.replace(/^www\./, ''))

/**
 * Whether whoever serves `documentHost` also holds `host`: the same name or one below it. The other direction does not
 * hold, because many sellers live side by side under one platform's name.
 */
export function isOwnHost(documentHost: SellerHost, host: SellerHost): boolean {
  const own = withoutWww(nameOf(documentHost))
  return nameOf(host) === own || nameOf(host).endsWith(`.${own}`)
}

/** No route has more; a stranger's text may be long. */
const LONGEST_METHODS = 60

/** `POST`, or several: `GET, POST`, `GET/POST`, `GET|POST`. `undefined` where one of them is none that routes have. */
function methodsOf(text: string): Method[] | undefined {
  const names = text
    .slice(0, LONGEST_METHODS)
    .toUpperCase()
    .split(/[\s,|/]+/)
    .filter((name) => name !== '')
  const methods = names.flatMap((name) => METHODS.find((method) => method === name) ?? [])
  return methods.length > 0 && methods.length === names.length ? [...new Set(methods)] : undefined
}

/** Of two writings of one network always the same one, whichever comes first: a row's writing must not move with the order of a list. */
const firstWritten = (one: string | null, other: string): string =>
  one !== null && compareBytes(one, other) <= 0 ? one : other

type Draft = Omit<FoundListing, 'payees'> & {
  readonly payees: Map<string, FoundPayee>
  /** The network in the form in which it is compared. */
  readonly networkId: string | null
}

const routeText = (listing: Draft): string =>
  `${listing.method} ${listing.rail} ${addressOf(listing.address.scheme, listing.address.host, listing.address.path)}`

/** Gathers what one document says. Rows that are equal (route, price, network in CAIP-2 form) are merged into one. */
export class ListingCollector {
  private readonly drafts = new Map<string, Draft>()
  /** How many of them each route has. */
  private readonly rowsOf = new Map<string, number>()
  private readonly hosts = new Set<SellerHost>()
  private readonly refused: Refused[] = []
  private readonly proofs: OwnershipProof[] = []
  private words: { readonly written: string; readonly text: string | null } | undefined
  private seen = 0
  private read = 0
  private unread = 0

  constructor(private readonly limits: CollectorLimits) {}

  /** Counts one item of the document. */
  see(): void {
    this.seen += 1
  }

  /** The items of a list, as long as there is room for what they say; those behind are counted by their number. */
  *withRoom<T>(items: readonly T[]): Generator<T> {
    for (const [index, item] of items.entries()) {
      if (this.isFull()) {
        this.unread += items.length - index
        return
      }
      this.read += 1
      yield item
    }
  }

  private isFull(): boolean {
    const { mostListings = MOST_LISTINGS, mostRead = Number.POSITIVE_INFINITY } = this.limits
    return this.drafts.size >= mostListings || this.read >= mostRead
  }

  refuse(reason: Refusal, ...item: readonly unknown[]): void {
    this.refused.push({ reason, item: describe(...item) })
  }

  prove(proof: OwnershipProof): void {
    this.proofs.push(proof)
  }

  route(written: WrittenRoute): void {
    if (isGarbled(written.url)) {
      this.refuse('bad_address', 'bytes that are no UTF-8:', written.url)
      return
    }
    const reading = parseAddress(written.url, this.limits.allow)
    if (!reading.ok) {
      this.refuse('bad_address', `${reading.reason}:`, written.url)
      return
    }
    if (looksLikeAnother(reading.address.path)) {
      this.refuse('bad_address', 'signs that are not seen in the path:', written.url)
      return
    }
    const own = this.limits.ownHost
    if (own !== undefined && !isOwnHost(own, reading.address.host)) {
      this.refuse('foreign_host', written.url)
      return
    }
    if (own !== undefined && !this.hosts.has(reading.address.host) && this.hosts.size >= MOST_HOSTS) {
      this.refuse('too_many', 'hosts:', written.url)
      return
    }
    const methods: Method[] | undefined = written.method === undefined ? ['GET'] : methodsOf(written.method)
    if (methods === undefined) {
      this.refuse('bad_method', written.method, written.url)
      return
    }
    if (written.offers.length === 0) {
      this.refuse('no_offers', written.url)
      return
    }
    if (written.offers.length > MOST_OFFERS) this.refuse('too_many', 'ways to pay:', written.url)
    this.hosts.add(reading.address.host)
    const said = written.description === undefined ? null : this.cleaned(written.description)
    const description = said !== null && isNameAlone(said, reading.address.host) ? null : said
    const isStated = written.method !== undefined
    for (const offer of written.offers.slice(0, MOST_OFFERS))
      for (const method of methods) this.list(reading.address, method, isStated, offer, description)
    this.read += written.offers.length * methods.length
  }

  /** Most routes of a document may have the same words around them, and no others. */
  private cleaned(written: string): string | null {
    if (this.words?.written !== written) this.words = { written, text: cleanDescription(written) }
    return this.words.text
  }

  private list(
    address: RouteAddress,
    method: Method,
    methodStated: boolean,
    offer: Offer,
    description: string | null,
  ): void {
    const { rail, price, network, payee, asset } = offer
    const networkId = network === null ? null : networkKey(network)
    const draft = { method, methodStated, address, rail, price, network, networkId, payees: new Map(), description }
    const route = routeText(draft)
    const key = `${route} ${price ?? ''} ${networkId ?? ''}`
    const kept = this.drafts.get(key)
    const refuseMore = (): void =>
      this.refuse('too_many', method, addressOf(address.scheme, address.host, address.path))
    if (kept === undefined) {
      const rows = this.rowsOf.get(route) ?? 0
      if (this.drafts.size >= (this.limits.mostListings ?? MOST_LISTINGS) || rows >= MOST_OFFERS) {
        refuseMore()
        return
      }
      this.rowsOf.set(route, rows + 1)
    }
    const listing: Draft = kept ?? draft
    if (network !== null && payee !== null && isPayeeOn(network, payee)) {
      const paid = `${networkId} ${payee} ${asset ?? ''}`
      const known = listing.payees.get(paid)
      if (known === undefined && listing.payees.size >= MOST_OFFERS) refuseMore()
      else listing.payees.set(paid, { network: firstWritten(known?.network ?? null, network), payee, asset })
    }
    const isOtherwise = network !== null && kept?.network !== network
    if (
      kept === undefined ||
      isOtherwise ||
      (methodStated && !kept.methodStated) ||
      (description !== null && kept.description === null)
    ) {
      this.drafts.set(key, {
        ...listing,
        methodStated: methodStated || listing.methodStated,
        network: isOtherwise ? firstWritten(listing.network, network) : listing.network,
        description: listing.description ?? description,
      })
    }
  }

  /** Everything found. */
  found(): Found {
    return this.result([...this.drafts.values()])
  }

  /**
   * Everything found in one document that may name a route twice, once barely and once in full: the bare name (no price,
   * no network) gives way to the full one. One without a method is one with a method where either says all that the other
   * does; otherwise they are two routes, and the first is a GET.
   */
  foundOnce(): Found {
    return this.result(withoutBare(withMethods([...this.drafts.values()])))
  }

  private result(drafts: readonly Draft[]): Found {
    const listings = drafts.map(foundOf)
    const unread: Refused[] = this.unread === 0 ? [] : [{ reason: 'too_many', item: `${this.unread} items more` }]
    return { seen: this.seen + this.unread, listings, refused: [...this.refused, ...unread], proofs: this.proofs }
  }
}

const foundOf = ({
  method,
  methodStated,
  address,
  rail,
  price,
  network,
  payees,
  description,
}: Draft): FoundListing => ({
  method,
  methodStated,
  address,
  rail,
  price,
  network,
  payees: [...payees.values()],
  description,
})

const withoutMethod = (listing: { readonly rail: Rail; readonly address: RouteAddress }): string =>
  `${listing.rail} ${addressOf(listing.address.scheme, listing.address.host, listing.address.path)}`

const isFull = ({ price, network }: Draft): boolean => price !== null || network !== null

function withoutBare(drafts: readonly Draft[]): Draft[] {
  const full = new Set(drafts.filter(isFull).map(routeText))
  return drafts.filter((draft) => isFull(draft) || !full.has(routeText(draft)))
}

/** Whether the terms of `one` say all that those of `other` say. */
const saysAllOf = (one: Draft, other: Draft): boolean =>
  (other.price === null || one.price === other.price) && (other.networkId === null || one.networkId === other.networkId)

/** Joins what has no method to what has one: to its equal or better, else in place of what says less. */
function withMethods(drafts: readonly Draft[]): Draft[] {
  const stated = new Map<string, Draft[]>()
  for (const draft of withoutBare(drafts.filter((each) => each.methodStated))) {
    stated.set(withoutMethod(draft), [...(stated.get(withoutMethod(draft)) ?? []), draft])
  }
  const replaced = new Set<Draft>()
  const rows = drafts.flatMap((draft): Draft[] => {
    const others = draft.methodStated ? [] : (stated.get(withoutMethod(draft)) ?? [])
    const better = others.filter((other) => saysAllOf(other, draft))
    for (const other of better) for (const [key, payee] of draft.payees) other.payees.set(key, payee)
    if (better.length > 0) return []
    const lesser = others.filter((other) => saysAllOf(draft, other))
    for (const other of lesser) replaced.add(other)
    const methods = new Set(lesser.map(({ method }) => method))
    return methods.size === 0 ? [draft] : [...methods].map((method) => ({ ...draft, method, methodStated: true }))
  })
  return rows.filter((draft) => !replaced.has(draft))
}
