import { fullHosts, MOST_ROUTES } from '../../store/facts/full-hosts.ts'
import { listedAsTheyAre } from '../../store/hosts/find-route.ts'
import type { Store } from '../../store/store.ts'
import type { Found, FoundListing, Refused } from '../found.ts'

const routeOf = ({ address, method, rail }: FoundListing) => ({ ...address, method, rail })

/**
 * What there is room for: of a host of which the source has named as many routes as it may, those that are known already. A seller
 * that renames its routes before every sweep would fill the store, and the pages of its host.
 */
export async function withRoom(store: Store, source: string, found: Found, most = MOST_ROUTES): Promise<Found> {
  const hosts = [...new Set(found.listings.map(({ address }) => address.host))]
  const full = new Set(hosts.length === 0 ? [] : await fullHosts(store, source, hosts, most))
  if (full.size === 0) return found
  const doubtful = found.listings.filter(({ address }) => full.has(address.host))
  const known = await listedAsTheyAre(store.read, store.dialect, doubtful.map(routeOf))
  const isNew = new Set(doubtful.filter((_, n) => !known.has(n)))
  const refused = [...full].flatMap((host): Refused[] => {
    const n = [...isNew].filter(({ address }) => address.host === host).length
    return n === 0 ? [] : [{ reason: 'too_many', item: `${n} new routes of ${host}` }]
  })
  return {
    ...found,
    listings: found.listings.filter((listing) => !isNew.has(listing)),
    refused: [...found.refused, ...refused],
  }
}
