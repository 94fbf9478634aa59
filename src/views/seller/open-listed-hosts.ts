import type { SellerHost } from '../../domain/host.ts'
import { networkName } from '../../domain/network.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findHostId } from '../../store/host-id.ts'
import { readRetiredHosts } from '../../store/sellers/retirements.ts'
import type { Store } from '../../store/store.ts'
import type { Page } from '../host/host-view.ts'
import type { HostQuery, HostRow } from '../host/hosts-view.ts'
import { hostsOf } from '../host/open-hosts.ts'
import { type ListedPage, NARROWED_BY, type RetiredFound, type Wider, withoutWord } from './listed-hosts.ts'
import { withMove } from './open-seller.ts'
import { lessChosen, readByWords } from './read-by-words.ts'
import type { RetiredView } from './seller-view.ts'

/** One page of the list of hosts, and what else to look for where it has nothing. */
export async function listedHostsOf(store: Store, query: HostQuery, nowUs: TimestampUs): Promise<ListedPage> {
  const page = await markedHostsOf(store, query, nowUs)
  const read = query.cursor === null ? readByWords(query) : null
  if (!isNothing(query, page)) {
    const isSaid = read !== null && read.q === null && lessChosen({ ...read, q: query.q }).length > 0
    return isSaid ? { ...page, wider: await findingOf(store, [read], nowUs) } : page
  }
  if (read !== null && read.q === null) {
    const chosen = await markedHostsOf(store, read, nowUs)
    if (chosen.items.length > 0) return { ...chosen, instead: { words: query.q ?? '', query: read } }
  }
  return { ...page, wider: await widerFound(store, query, read, nowUs) }
}

const isNothing = ({ cursor }: HostQuery, { items, next }: Page<HostRow>): boolean =>
  cursor === null && items.length === 0 && next === null

/** Where retired hosts are left out, they are looked for only where the list has nothing. */
async function markedHostsOf(store: Store, query: HostQuery, nowUs: TimestampUs): Promise<ListedPage> {
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
  if (!isNothing(query, page)) return null
  const { items, next } = await hostsOf(store, { ...query, retired: 'only' }, nowUs)
  return { hosts: items.length, isMore: next !== null }
}

/** Looks that a search which found nothing is worth: each costs as much as the search. */
const MOST_WIDER = 6

/** What a search that found nothing finds as its words are read, or with one condition or one word less. */
async function widerFound(
  store: Store,
  query: HostQuery,
  read: HostQuery | null,
  nowUs: TimestampUs,
): Promise<readonly Wider[]> {
  const narrowed = NARROWED_BY.filter((name) => query[name] != null)
  const less = [
    ...withoutWord(query).map((one) => one.query),
    // Without the only one it is the list of all.
    ...(narrowed.length < 2 ? [] : narrowed).map((name): HostQuery => ({ ...query, [name]: null })),
  ]
  if (read === null) return findingOf(store, less.slice(0, MOST_WIDER), nowUs)
  const meant = await findingOf(store, [read], nowUs)
  // Where it finds nothing either, something of what was chosen is too much.
  const all = [...(meant.length > 0 ? [] : lessChosen(read)), ...less].slice(0, MOST_WIDER - 1)
  const isFreed = (one: HostQuery): boolean => query.network === null && read.network !== null && one.network === null
  const found = await findingOf(store, all, nowUs, isFreed)
  return [...meant, ...found]
}

/** Of a search on any network, as many hosts as say where it is paid. */
const MOST_LOOKED_AT = 5

async function findingOf(
  store: Store,
  all: readonly HostQuery[],
  nowUs: TimestampUs,
  isFreed: (one: HostQuery) => boolean = () => false,
): Promise<readonly Wider[]> {
  const found: Wider[] = []
  for (const one of all) {
    const { items } = await hostsOf(store, { ...one, limit: isFreed(one) ? MOST_LOOKED_AT : 1 }, nowUs)
    if (items.length > 0) found.push(isFreed(one) ? { ...one, foundOn: networksOf(items) } : one)
  }
  return found
}

const networksOf = (rows: readonly HostRow[]): string[] => [
  ...new Set(rows.flatMap(({ match }) => (match?.network ? [networkName(match.network) ?? match.network] : []))),
]
