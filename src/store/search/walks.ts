import { type RawBuilder, sql } from 'kysely'
import type { Forgiven } from '../../domain/words/asked.ts'
import type { Store } from '../store.ts'
import {
  fittingHosts,
  type HostFilter,
  type HostOrder,
  type HostPlace,
  type HostPosition,
  type HostStanding,
  hasConditions,
  nextHosts,
  noRow,
  positionAt,
  readByWord,
  type WordPlace,
} from './read-hosts.ts'
import type { Term } from './term.ts'

export interface HostsFound {
  readonly rows: readonly HostPlace[]
  /**
   * Where the next request goes on; `null`: there is nothing behind it. A request that walked past many hosts goes on
   * although its page is not full.
   */
  readonly next: HostPosition | null
  readonly forgiven?: readonly Forgiven[]
}

export interface HostsAsked {
  readonly q: string | null
  readonly filter: HostFilter
  readonly order: HostOrder
  readonly after: HostPosition | null
  readonly limit: number
}

/** Rows of an index that one request walks past in search of those that fit. */
const MOST_WALKED = 5_000

/** Hosts that a walk looks at first at least: what many have is found at once. */
const FIRST_STEP = 50
/** No step looks at more times as many as the one before, nor at fewer than this part of all before it. */
const FURTHER = 4
const LEAST_FURTHER = 0.5
/** Steps are a little longer than those who were found so far say. */
const SPARE = 1.25

/** How many hosts a walk looks at next: as many as are likely to fill its page. Where it stops changes nothing of what is found. */
export function nextStep(
  { walked, kept, wanted }: { readonly walked: number; readonly kept: number; readonly wanted: number },
  step: number,
): number {
  const most = step * FURTHER
  if (kept === 0) return most
  const likely = Math.ceil((SPARE * (wanted - kept) * walked) / kept)
  return Math.max(Math.min(likely, most), Math.ceil(walked * LEAST_FURTHER))
}

/** Walks the hosts in their order and keeps those that fit; `condition` is over hosts `h` with counters `c`. */
export async function walkHosts(
  store: Store,
  asked: HostsAsked,
  condition: RawBuilder<unknown> | null = null,
): Promise<HostsFound> {
  const { filter, order, limit } = asked
  const isPlain = condition === null && !hasConditions(filter)
  const fitting = async (hosts: readonly HostStanding[]): Promise<readonly HostPlace[]> => {
    if (hosts.length === 0) return []
    const ids = hosts.map(({ host_id }) => host_id)
    const found = await fittingHosts(store, ids, filter, condition === null ? {} : { condition })
    const versions = new Map(found.map(({ host_id, version }) => [host_id, version]))
    return hosts.flatMap((host) => {
      const version = versions.get(host.host_id)
      return version === undefined ? [] : [{ version, ...host }]
    })
  }
  const kept: HostPlace[] = []
  let after = asked.after
  let step = isPlain ? limit + 1 : Math.max(FIRST_STEP, 2 * (limit + 1))
  for (let left = MOST_WALKED; left > 0; ) {
    const most = Math.min(step, left)
    const hosts = await nextHosts(store, order, after, most)
    kept.push(...(await fitting(hosts)))
    left -= hosts.length
    const last = hosts.at(-1)
    after = last === undefined || hosts.length < most ? null : positionAt(order, last)
    if (after === null || kept.length > limit) break
    step = nextStep({ walked: MOST_WALKED - left, kept: kept.length, wanted: limit + 1 }, step)
  }
  const page = kept.slice(0, limit)
  const last = page.at(-1)
  const next = kept.length > limit && last ? positionAt(order, last) : after
  return { rows: page, next }
}

type WordAt = Pick<WordPlace, 'word' | 'host_id'>

/** Negative, so that it is none of the scores that other pages of the same list go on from. */
const positionOf = ({ word, host_id }: WordAt): HostPosition => [-1 - host_id, word]
const placeOf = (after: HostPosition | null): WordAt | null => {
  const [first, word] = after ?? []
  return typeof first === 'number' && first < 0 ? { host_id: -1 - first, word: String(word) } : null
}

/** Walks the places of the words that begin with a term, the term itself first, and keeps the hosts that fit, each once. */
export async function walkWord(
  store: Store,
  asked: HostsAsked,
  term: Term,
  /** Over hosts `h` with counters `c`. */
  others: RawBuilder<unknown>,
): Promise<HostsFound> {
  const { filter, after, limit } = asked
  if (limit <= 0) return { rows: [], next: null }
  const from = placeOf(after)
  const started = from === null ? sql`` : sql`and (p.word, p.host_id) > (${from.word}, ${from.host_id})`
  const walked = await sql<WordAt>`select p.word, p.host_id from search_places as p where ${term.beginning()} ${started}
    order by p.word, p.host_id limit 1 offset ${sql.lit(MOST_WALKED - 1)}`.execute(store.read)
  const [end = null] = walked.rows
  const within = end === null ? sql`` : sql`and (p.word, p.host_id) <= (${end.word}, ${end.host_id})`
  const { range } = term
  // A host with several such words is there for the first of them.
  const once =
    range === null
      ? sql``
      : sql`and ${noRow(sql`from search_places as e where e.host_id = p.host_id and e.word >= ${range.from}
          and e.word < p.word`)}`
  const condition = sql`${term.beginning()} ${started} ${within} ${once} and ${others}`
  const rows = await readByWord(store, filter, condition, limit + 1)
  return cut(asked, rows, end && positionOf(end), positionOf)
}

/** A page of rows of which one too many says that there are more. `end`: where the walk for them ended. */
export function cut<Row extends HostPlace>(
  { order, limit }: Pick<HostsAsked, 'order' | 'limit'>,
  rows: readonly Row[],
  end: HostPosition | null = null,
  position: (row: Row) => HostPosition = (row) => positionAt(order, row),
): HostsFound {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > limit && last ? position(last) : end }
}
