import { sql } from 'kysely'
import type { Row } from '../dialect.ts'
import {
  type Among,
  afterPosition,
  HOST_ORDER,
  type HostFilter,
  type HostListRow,
  type HostOrder,
  type HostPosition,
  readHosts,
  SORT_VALUE,
  untilPosition,
} from '../read-hosts.ts'
import type { Store } from '../store.ts'
import { EXACT_HOST, type Matches, matchHosts } from './match.ts'

/** Hosts that one request walks past in search of those that fit. */
const MOST_WALKED = 20_000

export interface HostsFound {
  /** One more than asked for when there is another page. */
  readonly rows: readonly HostListRow[]
  /** Where the next request goes on although this one did not fill its page; `null`: there is nothing behind it. */
  readonly walkedTo: HostPosition | null
}

/** One page of the hosts that a search finds. `match` puts the host of that very name first, then those that fit best. */
export async function searchHosts(
  store: Store,
  q: string,
  filter: HostFilter,
  order: HostOrder,
  after: HostPosition | null,
  limit: number,
): Promise<HostsFound> {
  const matches = await matchHosts(store, q)
  if (matches.kind === 'few') {
    if (matches.scores.size === 0) return { rows: [], walkedTo: null }
    const rows = [...matches.scores].map((row): Row => row)
    const among: Among = {
      from: sql`${store.dialect.rows({ host_id: 'int', score: 'int' }, rows)} as m cross join hosts as h`,
      condition: sql`h.host_id = m.host_id`,
    }
    return { rows: await readHosts(store, filter, order, after, limit + 1, among), walkedTo: null }
  }
  return order === 'match'
    ? walkAfterExact(store, matches, filter, after, limit)
    : walk(store, matches, filter, order, after, limit)
}

type Many = Extract<Matches, { kind: 'many' }>

/** A common word says nothing of who fits best: the host of that very name comes first, all others by name. */
async function walkAfterExact(
  store: Store,
  matches: Many,
  filter: HostFilter,
  after: HostPosition | null,
  limit: number,
): Promise<HostsFound> {
  const { exact, condition } = matches
  const first =
    exact === null || after !== null
      ? []
      : await readHosts(store, filter, 'host', null, 1, {
          from: sql`hosts as h`,
          condition: sql`h.host_id = ${exact} and ${condition}`,
        })
  const others = exact === null ? matches : { ...matches, condition: sql`h.host_id <> ${exact} and ${condition}` }
  const name = after !== null && Number(after[0]) < EXACT_HOST ? String(after[1]) : null
  const found = await walk(store, others, filter, 'host', name === null ? null : [name], limit - first.length)
  const scored = (row: HostListRow, score: number): HostListRow => ({ ...row, sort_value: score })
  return {
    rows: [...first.map((row) => scored(row, EXACT_HOST)), ...found.rows.map((row) => scored(row, 0))],
    walkedTo: found.walkedTo && [0, String(found.walkedTo[0])],
  }
}

async function walk(
  store: Store,
  { condition }: Many,
  filter: HostFilter,
  order: Exclude<HostOrder, 'match'>,
  after: HostPosition | null,
  limit: number,
): Promise<HostsFound> {
  const end = await endOfWalk(store, order, after)
  const within = end === null ? sql`` : sql`and ${untilPosition(order, end)}`
  const among = { from: sql`hosts as h`, condition: sql`${condition} ${within}` }
  const rows = await readHosts(store, filter, order, after, limit + 1, among)
  return { rows, walkedTo: rows.length > limit ? null : end }
}

/** The last host that a walk from here may reach; `null` when the list ends before. */
async function endOfWalk(
  store: Store,
  order: Exclude<HostOrder, 'match'>,
  after: HostPosition | null,
): Promise<HostPosition | null> {
  const position = after === null ? sql`` : sql`where ${afterPosition(order, after)}`
  const last = sql`order by ${HOST_ORDER[order]} limit 1 offset ${sql.lit(MOST_WALKED - 1)}`
  if (order === 'host') {
    const found = await sql<{ name: string }>`select h.name from hosts as h ${position} ${last}`.execute(store.read)
    return found.rows[0] ? [found.rows[0].name] : null
  }
  const found = await sql<{ value: number; host_id: number }>`select ${SORT_VALUE[order]} as value, c.host_id
    from host_counters as c ${position} ${last}`.execute(store.read)
  return found.rows[0] ? [found.rows[0].value, found.rows[0].host_id] : null
}
