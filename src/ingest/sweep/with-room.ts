import type { SellerHost } from '../../domain/host.ts'
import { fullHosts, MOST_BELOW, MOST_ROUTES, roomBelow, unknownHosts } from '../../store/facts/room.ts'
import { listedAsTheyAre } from '../../store/hosts/find-route.ts'
import type { Store } from '../../store/store.ts'
import { registrableDomain } from '../../wire/sellers/registrable.ts'
import type { Found, FoundListing, Refused } from '../found.ts'

const routeOf = ({ address, method, rail }: FoundListing) => ({ ...address, method, rail })

const hostsOf = ({ listings }: Found): SellerHost[] => [...new Set(listings.map(({ address }) => address.host))]

/** Without these listings, and with what is said of them in their place. */
const without = (found: Found, left: ReadonlySet<FoundListing>, refused: readonly Refused[]): Found => ({
  ...found,
  listings: found.listings.filter((listing) => !left.has(listing)),
  refused: [...found.refused, ...refused],
})

/**
 * What there is room for: of a host of which the source has named as many routes as it may, those that are known already. A seller
 * that renames its routes before every sweep would fill the store, and the pages of its host.
 */
export async function withRoom(store: Store, source: string, found: Found, most = MOST_ROUTES): Promise<Found> {
  const hosts = hostsOf(found)
  const full = new Set(hosts.length === 0 ? [] : await fullHosts(store, source, hosts, most))
  if (full.size === 0) return found
  const doubtful = found.listings.filter(({ address }) => full.has(address.host))
  const known = await listedAsTheyAre(store.read, store.dialect, doubtful.map(routeOf))
  const isNew = new Set(doubtful.filter((_, n) => !known.has(n)))
  const refused = [...full].flatMap((host): Refused[] => {
    const n = [...isNew].filter(({ address }) => address.host === host).length
    return n === 0 ? [] : [{ reason: 'too_many', item: `${n} new routes of ${host}` }]
  })
  return without(found, isNew, refused)
}

/** Of a seller's own document: hosts that it makes known only while there is room for them below its registered name. */
export async function withRoomBelow(store: Store, seller: SellerHost, found: Found, most = MOST_BELOW): Promise<Found> {
  const made = await unknownHosts(
    store,
    hostsOf(found).filter((host) => host !== seller),
  )
  const room = made.length === 0 ? 0 : await roomBelow(store, seller, most)
  const left = new Set(made.slice(room))
  if (left.size === 0) return found
  const refused: Refused = { reason: 'too_many', item: `${left.size} new hosts below ${registrableDomain(seller)}` }
  return without(found, new Set(found.listings.filter(({ address }) => left.has(address.host))), [refused])
}
