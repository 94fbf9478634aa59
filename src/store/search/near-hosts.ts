import type { SellerHost } from '../../domain/host.ts'
import { differences } from '../../domain/words/search.ts'
import type { Store } from '../store.ts'
import { namesAround } from './read-hosts.ts'

/** Names that are looked at on either side of each start. */
const NAMES_AROUND = 25
const MOST = 5
/** What a stranger asks for may have more than a hundred labels, and each costs a look. Those nearest to the whole domain are likeliest. */
const MOST_PARENTS = 5

/** Known hosts that a writer may have meant, nearest first. */
export async function nearHosts(store: Store, host: string): Promise<SellerHost[]> {
  const around = await Promise.all(searchStarts(host).map((start) => namesAround(store, start, NAMES_AROUND)))
  return nearest(host, around.flat())
}

/** The texts around which names that a writer may have meant are looked for. */
function searchStarts(host: string): string[] {
  const labels = host.split('.')
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  return [...new Set([host, `api.${host}`, `www.${host}`, ...parents.slice(-MOST_PARENTS)])]
}

/** The names nearest to what was written, best first. */
function nearest(host: string, names: Iterable<SellerHost>): SellerHost[] {
  const limit = Math.max(3, Math.floor(host.length * 0.4))
  const distance = (name: string): number =>
    name.endsWith(`.${host}`) || host.endsWith(`.${name}`) ? 1 : differences(host, name)
  return [...new Set(names)]
    .map((name) => ({ name, errors: distance(name) }))
    .filter(({ errors }) => errors <= limit)
    .sort((a, b) => a.errors - b.errors || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name)
}
