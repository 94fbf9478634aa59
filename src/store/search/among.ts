import { type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../../domain/order.ts'
import { askedIn } from '../../domain/words/asked.ts'
import type { Store } from '../store.ts'
import { cheapestOf } from './matching-routes.ts'
import {
  fittingHosts,
  type HostOrder,
  type HostPlace,
  type HostPosition,
  type HostStanding,
  isOfRoutes,
  SORT_VALUE,
} from './read-hosts.ts'
import type { HostsAsked } from './walks.ts'

/**
 * One page and a row of hosts of which all that may be on it are known, each with how well it fits. Put in order here: told
 * to, Postgres would walk all hosts in that order to find these.
 */
export async function readAmong(
  store: Store,
  asked: HostsAsked,
  scores: ReadonlyMap<number, number>,
  /** Over hosts `h` with counters `c`; `null` where there is none. */
  condition: RawBuilder<unknown> | null,
): Promise<HostPlace[]> {
  const { filter, order, after, limit } = asked
  const value = sortedBy(asked)
  const wanted = { ...(value && { value }), condition, isNamed: true }
  const found = await fittingHosts(store, [...scores.keys()], filter, wanted)
  const standings =
    order === 'match' ? found.map((one) => ({ ...one, sort_value: scores.get(one.host_id) ?? 0 })) : found
  const isAfter = after === null ? () => true : (one: HostPlace) => compare(order, one, placeAt(order, after)) > 0
  return standings
    .filter(isAfter)
    .sort((a, b) => compare(order, a, b))
    .slice(0, limit + 1)
}

/** Who looks for images on one rail and the lowest price means the price of images there. */
function sortedBy({ q, filter, order }: HostsAsked): RawBuilder<unknown> | null {
  if (order === 'host' || order === 'match') return null
  if (order !== 'price') return SORT_VALUE[order]
  const terms = q === null ? [] : askedIn(q).terms
  const prices = [...(terms.length === 0 ? [] : [terms]), ...(isOfRoutes(filter) ? [[]] : [])]
  if (prices.length === 0) return SORT_VALUE.price
  return sql`coalesce(${sql.join([...prices.map((words) => cheapestOf(filter, words)), SORT_VALUE.price])})`
}

const placeAt = (order: HostOrder, [first, second]: HostPosition): HostStanding => ({
  host_id: typeof second === 'number' ? second : 0,
  name: order === 'host' ? String(first) : String(second ?? ''),
  sort_value: typeof first === 'number' ? first : 0,
})

/** By name, or by the greater value and then the greater number, or by how well it fits and then by name. */
function compare(order: HostOrder, a: HostStanding, b: HostStanding): number {
  if (order === 'host') return compareBytes(a.name, b.name)
  const byValue = b.sort_value - a.sort_value
  return byValue || (order === 'match' ? compareBytes(a.name, b.name) : b.host_id - a.host_id)
}
