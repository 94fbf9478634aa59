import type { SellerHost } from '../../domain/host.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findHostId } from '../../store/host-id.ts'
import { readRetiredHosts } from '../../store/sellers/retirements.ts'
import type { Store } from '../../store/store.ts'
import type { Page } from '../host/host-view.ts'
import type { HostQuery, HostRow } from '../host/hosts-view.ts'
import { hostsOf } from '../host/open-hosts.ts'
import { chosenByWords, type ListedPage, NARROWED_BY, type RetiredFound, withoutWord } from './listed-hosts.ts'
import { withMove } from './open-seller.ts'
import type { RetiredView } from './seller-view.ts'

/** One page of the list of hosts. Where retired ones are left out, they are looked for only where it has nothing. */
export async function listedHostsOf(store: Store, query: HostQuery, nowUs: TimestampUs): Promise<ListedPage> {
  const page = await hostsOf(store, query, nowUs)
  if (!query.retired) return { ...page, retiredFound: await retiredFoundBy(store, query, page, nowUs) }
  if (page.items.length === 0) return page
  const { read } = store
  const retired = await readRetiredHosts(
    read,
    page.items.map(({ host }) => host),
  )
  const retiredOf = async (host: SellerHost): Promise<RetiredView | null> => {
    const found = retired.get(host)
    const hostId = found && (await findHostId(read, host))
    return found === undefined || hostId === undefined ? null : withMove(read, hostId, found)
  }
  return {
    ...page,
    items: await Promise.all(page.items.map(async (row) => ({ ...row, retired: await retiredOf(row.host) }))),
  }
}

/** Looked for where a list without them has nothing at all, so that nobody is told that a retired host does not exist. */
async function retiredFoundBy(
  store: Store,
  query: HostQuery,
  page: Page<HostRow>,
  nowUs: TimestampUs,
): Promise<RetiredFound | null> {
  if (query.cursor !== null || page.items.length > 0 || page.next !== null) return null
  const { items, next } = await hostsOf(store, { ...query, retired: 'only' }, nowUs)
  return { hosts: items.length, isMore: next !== null }
}

/** Looks that a search which found nothing is worth: each costs as much as the search. */
const MOST_WIDER = 6

/** What a search that found nothing finds with a rail or network chosen that it names, or with one condition or one word less. */
export async function widerFound(
  store: Store,
  query: HostQuery,
  page: Page<HostRow>,
  nowUs: TimestampUs,
): Promise<readonly HostQuery[] | undefined> {
  if (query.cursor !== null || page.items.length > 0 || page.next !== null) return undefined
  const narrowed = NARROWED_BY.filter((name) => query[name] != null)
  const all = [
    ...[chosenByWords(query) ?? []].flat(),
    ...withoutWord(query).map((one) => one.query),
    // Without the only one it is the list of all.
    ...(narrowed.length < 2 ? [] : narrowed).map((name): HostQuery => ({ ...query, [name]: null })),
  ].slice(0, MOST_WIDER)
  const found: HostQuery[] = []
  for (const wider of all) {
    const { items } = await hostsOf(store, { ...wider, limit: 1 }, nowUs)
    if (items.length > 0) found.push(wider)
  }
  return found
}
