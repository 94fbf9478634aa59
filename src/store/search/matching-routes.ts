import { type RawBuilder, sql } from 'kysely'
import type { ProbeStatus } from '../../domain/probe.ts'
import type { RouteKey } from '../../domain/route.ts'
import { stemOf } from '../../domain/words/asked.ts'
import type { Description } from '../../domain/words/description.ts'
import type { Reader } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { hasText } from '../sql/has-text.ts'
import { type JsonColumns, type JsonRows, rowReader } from '../sql/json-rows.ts'
import { isThere } from '../sql/retired.ts'
import { isTemplateLike } from '../sql/template-like.ts'
import { DESCRIPTION_COLUMNS } from './first-descriptions.ts'
import {
  type HostFilter,
  IS_OWN,
  isOfRoutes,
  NO_PRICE,
  noRow,
  onRoute,
  onRow,
  ROW_STATUS,
  someRow,
} from './read-hosts.ts'

/** Of one host, those with most of the words first, then the cheapest: the one that is shown is chosen among them. */
const MOST_ROUTES = 20

export interface MatchingRoute extends RouteKey {
  readonly price: number | null
  readonly network: string | null
  readonly probe_status: ProbeStatus
  /** Where current rows disagree about its price. */
  readonly price_low: number | null
  readonly price_high: number | null
  readonly descriptions: readonly Description[]
}

/** What the routes of a host are chosen by. */
export interface RouteAsked {
  readonly terms: readonly string[]
  /** As somebody pasted it, and without its query string: that very route and templates come before all others. */
  readonly paths: readonly string[]
  readonly filter: HostFilter
  /** The cheapest is wanted of those that have as many of the words, wherever they have them. */
  readonly isByPrice: boolean
}

/** Whether a text has one of these words, or one of its family. */
const hasAny = (terms: readonly string[], text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${sql.join(
    terms.map((term) => hasText(text, stemOf(term))),
    sql` or `,
  )})`

/** Whether path or description of a route `r` has one of them. */
export const anyOf = (terms: readonly string[]): RawBuilder<unknown> =>
  sql`(${hasAny(terms, sql`r.path`)} or exists (select 1 from descriptions as d
    where d.host_id = r.host_id and d.route_id = r.route_id and ${hasAny(terms, sql`d.text`)}))`

/** The same, those with most of the words first; nothing where one word leaves nothing to tell apart. */
const byWords = (terms: readonly string[]): RawBuilder<unknown> =>
  terms.length < 2
    ? sql``
    : sql`${sql.join(
        terms.map((term) => sql`case when ${anyOf([term])} then 1 else 0 end`),
        sql` + `,
      )} desc,`

const ROUTE_COLUMNS: JsonColumns = {
  ...{ scheme: 'value', method: 'value', path: 'value', rail: 'value', price: 'value', network: 'value' },
  ...{ probe_status: 'value', price_low: 'value', price_high: 'value', descriptions: DESCRIPTION_COLUMNS },
}

const routesIn = rowReader<MatchingRoute>(ROUTE_COLUMNS)

/** That a filter takes a route `r` with state `s`. */
const fitsFilter = (filter: HostFilter): RawBuilder<unknown> =>
  sql`${onRoute(filter)} ${
    filter.networkKey === null
      ? sql``
      : sql`and exists (select 1 from listings as l where l.host_id = r.host_id and l.route_id = r.route_id ${onRow(filter)})`
  }`

/**
 * What is shown of a route `r` with state `s` that a filter takes. On a network that is asked for, a row that stands there: the
 * one that gives the route its price, or else the cheapest, which no challenge was compared with.
 */
function shownOf(filter: HostFilter): Readonly<Record<'price' | 'network' | 'status', RawBuilder<unknown>>> {
  const own = { price: sql`s.price`, network: sql`s.network`, status: sql`s.probe_status` }
  if (filter.networkKey === null) return own
  const there = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select ${value} from listings as l
    where l.host_id = r.host_id and l.route_id = r.route_id ${onRow(filter)}
    order by case when ${IS_OWN} then 0 when l.price >= 0 then 1 else 2 end, l.price, l.source, l.network limit 1)`
  return {
    price: there(sql`case when l.price >= 0 then l.price end`),
    network: there(sql`l.network`),
    status: there(ROW_STATUS),
  }
}

/**
 * The lowest price that is shown of those routes `r` of a host `c` that a filter takes and that have most of the words, negative as
 * lists are sorted; nothing where there are none. Without words it is of all that the filter takes.
 */
export const cheapestOf = (filter: HostFilter, terms: readonly string[]): RawBuilder<unknown> => {
  const value = sql`coalesce(-${shownOf(filter).price}, ${NO_PRICE})`
  return sql`(select ${value} from routes as r
    join route_state as s on s.host_id = r.host_id and s.route_id = r.route_id
    where r.host_id = c.host_id and ${isThere('r')} and ${terms.length === 0 ? sql`true` : anyOf(terms)}
      ${fitsFilter(filter)} order by ${byWords(terms)} ${value} desc limit 1)`
}

/**
 * Whether words that lead to routes of a host lead to one that a filter takes. Words that no route there has lead to none: a
 * source or a typing error did.
 */
export function leadsToFitting(
  ofHost: RawBuilder<unknown>,
  terms: readonly string[],
  filter: HostFilter,
): RawBuilder<unknown> {
  // What it costs is compared before its words are read.
  const [priced, costs] =
    filter.networkKey === null
      ? [sql`route_state as s`, sql`s.host_id = ${ofHost}`]
      : [
          sql`listings as l cross join route_state as s`,
          sql`l.host_id = ${ofHost} and s.host_id = ${ofHost} and s.route_id = l.route_id ${onRow(filter, 's')}`,
        ]
  const fitting = sql`from ${priced} cross join routes as r
    where ${costs} and r.host_id = ${ofHost} and r.route_id = s.route_id
      ${onRoute(filter)} and ${isThere('r', ofHost)} and ${anyOf(terms)}`
  const called = sql`from routes as r
    where r.host_id = ${ofHost} and ${hasAny(terms, sql`r.path`)} and ${isThere('r', ofHost)}`
  const described = sql`from descriptions as d
    where d.host_id = ${ofHost} and ${hasAny(terms, sql`d.text`)} and ${isThere('d', ofHost)}`
  return sql`(${someRow(fitting)} or (${noRow(called)} and ${noRow(described)}))`
}

/** What is looked for among routes `r`, the likeliest first; nothing where no words tell them apart. */
function ranked({ terms, paths }: RouteAsked): RawBuilder<unknown> {
  const ranks = [
    ...paths.map((path) => sql`r.path = ${path}`),
    ...(paths.length === 0 ? [] : [isTemplateLike(sql`r.path`)]),
    ...(terms.length === 0 ? [] : [anyOf(terms)]),
  ]
  if (ranks.length === 0) return sql``
  const cases = ranks.map((condition, rank) => sql`when ${condition} then ${sql.lit(rank)}`)
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(ranks.length)} end,`
}

/**
 * The routes of each of these hosts that one of the words may have led to, but for those that no source names any more or
 * that its seller retired. With a filter, those that it takes, whether they have a word or not: the name of their host may have it,
 * and nobody may have asked for words.
 */
export async function matchingRoutes(
  reader: Reader,
  dialect: Dialect,
  hostIds: readonly number[],
  asked: RouteAsked,
): Promise<ReadonlyMap<number, readonly MatchingRoute[]>> {
  const { terms, paths, filter } = asked
  const isRanked = isOfRoutes(filter) || paths.length > 0
  if (hostIds.length === 0 || (terms.length === 0 && !isRanked)) return new Map()
  const rank = isRanked ? ranked(asked) : sql``
  const isMeant = isRanked ? sql`true` : anyOf(terms)
  const shown = shownOf(filter)
  const texts = dialect.jsonRows(
    DESCRIPTION_COLUMNS,
    sql`select t.source, t.text from descriptions as t where t.host_id = r.host_id and t.route_id = r.route_id
      order by t.source limit 3`,
  )
  const routes = dialect.jsonRows(
    ROUTE_COLUMNS,
    sql`select r.scheme, r.method, r.path, r.rail, ${shown.price} as price, ${shown.network} as network,
        ${shown.status} as probe_status, s.price_low, s.price_high, ${texts} as descriptions
      from routes as r join route_state as s on s.host_id = r.host_id and s.route_id = r.route_id
      where r.host_id = v.host_id and ${isThere('r')} and ${isMeant} ${fitsFilter(filter)}
      order by ${rank} ${byWords(terms)} coalesce(${shown.price}, 9007199254740991), r.path, r.method, r.rail, r.scheme
      limit ${sql.lit(MOST_ROUTES)}`,
  )
  const rows = hostIds.map((hostId): Row => [hostId])
  const found = await sql<{ host_id: number; routes: JsonRows<MatchingRoute> }>`select v.host_id, ${routes} as routes
    from ${dialect.hostRows({ host_id: 'int' }, rows)} as v`.execute(reader)
  return new Map(found.rows.map((row) => [row.host_id, routesIn(row.routes)]))
}
