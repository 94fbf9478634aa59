import { type RawBuilder, sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import { compareBytes } from '../../domain/order.ts'
import type { Method, Rail, RouteKey, Scheme } from '../../domain/route.ts'
import type { Description } from '../../domain/words/description.ts'
import { LISTING_COLUMNS, type ListingColumns, UNKNOWN_NETWORK, UNKNOWN_PRICE } from '../facts/listings.ts'
import type { FactColumns } from '../facts/route-state.ts'
import { OUTCOME_COLUMNS, type OutcomeCounts } from '../hosts/outcome-columns.ts'
import { OFFER_COLUMNS, type OfferRow, offersOf } from '../probes/offers/offer-rows.ts'
import { vantageOf } from '../probes/vantages.ts'
import { NOT_SERVED_COLUMNS, type NotServedRow, notServedOf } from '../reviews/not-served.ts'
import { REVIEW_COLUMNS, type ReviewRow, reviewsOfRoute } from '../reviews/review-rows.ts'
import type { JsonText } from '../schema.ts'
import { DESCRIPTION_COLUMNS } from '../search/first-descriptions.ts'
import type { Dialect } from '../sql/dialect.ts'
import { hasText } from '../sql/has-text.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'
import { logIndexOf } from '../sql/log-index.ts'
import type { Store } from '../store.ts'
import { NOW_COLUMNS, type NowColumns, nowFields } from './host-now.ts'

export interface RouteRow extends RouteKey, FactColumns, NowColumns, OutcomeCounts {
  route_id: number
  listings_total: number
  probes_total: number
  reviews_total: number
  /** Of the newest entries, as many as `ENTRIES_OF_MEDIAN`. */
  latencies: number[]
  listings: ListingColumns[]
  descriptions: Description[]
  probes: RouteProbeRow[]
  reviews: ReviewRow[]
  not_served: NotServedRow[]
  signed_offers: OfferRow[]
}

export interface ProbeRow {
  at_us: number
  status: number
  latency_ms: number
  error: string | null
  challenge: JsonText<Challenge> | null
  /** From where it was looked at; null where nobody said. */
  vantage: string | null
  shield: number | null
  /** Its place in the evidence log; null while it has none. */
  log_index: number | null
}

/** One whose challenge is the newest live one of its route says so alone: most are, and bodies are long. */
export interface RouteProbeRow extends ProbeRow {
  is_live: 0 | 1
}

interface Most {
  readonly listings: number
  readonly probes: number
  readonly reviews: number
  /** As many listing rows of each source, as far as there are; otherwise the newest, which takes a fifth less of a large host's page. */
  readonly isOfEachSource?: boolean
}

/** Where a list of routes continues: after this one. */
export type RoutePosition = readonly [path: string, method: string, rail: string, scheme: string]

/** A route by its names. */
export interface OneRoute {
  readonly path: string
  readonly method: Method
  readonly rail: Rail
  readonly scheme: Scheme | null
}

export interface RouteWindow {
  readonly after: RoutePosition | null
  readonly limit: number
  /** Part of the path, upper or lower case. */
  readonly q?: string | null
  readonly method?: Method | null
  /** This very route; without a scheme, of either. */
  readonly only?: OneRoute
  /** Those alone that a live challenge of carried a signed offer. */
  readonly isOffered?: boolean
  /** How much of each route's evidence, where it is not what a host view shows. */
  readonly most?: Most
}

/** On a host view; the pages of each list have all of them. */
const ON_A_HOST_VIEW = {
  probes: 5,
  reviews: 5,
  /** Rows of one route: the newest, and those that its price follows from. A price that changes daily would make the page grow for ever. */
  listings: 20,
}

/**
 * Of listing rows `l` of a route `r`: first those that say its price, then those that say the lowest or the
 * highest one. Each is of another source or network, so they are few.
 */
const GIVES_FACTS = sql`case when l.price = coalesce(r.price, ${sql.lit(UNKNOWN_PRICE)})
    and l.network = coalesce(r.network, ${sql.lit(UNKNOWN_NETWORK)}) then case when l.gone_us is null then 0 else 1 end
  when l.gone_us is null and l.price in (r.price_low, r.price_high) then 2 else 3 end`

const FOREMOST_LISTINGS = sql`l.last_us desc, l.price, l.source, l.network`

const FOREMOST = sql`${GIVES_FACTS}, ${FOREMOST_LISTINGS}`
/** An offer may be held against them: a source that names many takes no room from others. */
const OF_EACH_SOURCE = sql`row_number() over (partition by l.source order by ${FOREMOST}), ${FOREMOST}`

/** The same order, for those that were chosen. */
const byForemost = (a: ListingColumns, b: ListingColumns): number =>
  b.last_us - a.last_us || a.price - b.price || compareBytes(a.source, b.source) || compareBytes(a.network, b.network)

/** Of the calls that verified buyers say were not served, the newest. */
const MOST_NOT_SERVED = 5

/** Of the offers that a seller signed, the newest. */
const MOST_OFFERS = 8

/** A route's median in a list is that of so many of its newest entries. */
const ENTRIES_OF_MEDIAN = 25

/** Of one route, one a source: an operator has a handful of sources. */
const MOST_DESCRIPTIONS = 20

const OUTCOME_FIELDS = Object.fromEntries(OUTCOME_COLUMNS.map((column) => [column, 'value' as const]))

/** As `jsonRows` takes them. */
export const PROBE_COLUMNS = {
  at_us: 'value',
  status: 'value',
  latency_ms: 'value',
  error: 'value',
  challenge: 'value',
  vantage: 'value',
  shield: 'value',
  log_index: 'value',
} as const

const ROUTE_PROBE_COLUMNS = { ...PROBE_COLUMNS, is_live: 'value' } as const

/** As `jsonRows` takes them. */
const ROUTE_COLUMNS = {
  route_id: 'value',
  scheme: 'value',
  method: 'value',
  path: 'value',
  rail: 'value',
  price: 'value',
  network: 'value',
  probe_status: 'value',
  price_low: 'value',
  price_high: 'value',
  matching: 'value',
  ...NOW_COLUMNS,
  listings_total: 'value',
  probes_total: 'value',
  reviews_total: 'value',
  latencies: 'json',
  listings: LISTING_COLUMNS,
  descriptions: DESCRIPTION_COLUMNS,
  probes: ROUTE_PROBE_COLUMNS,
  reviews: REVIEW_COLUMNS,
  not_served: NOT_SERVED_COLUMNS,
  signed_offers: OFFER_COLUMNS,
  ...OUTCOME_FIELDS,
} as const

const readRows = rowReader<RouteRow>(ROUTE_COLUMNS)

export function routesIn(text: JsonRows<RouteRow>): RouteRow[] {
  const rows = readRows(text)
  for (const { listings } of rows) listings.sort(byForemost)
  return rows
}

/** A host's routes in their order, each with its listing rows, its newest entries and its foremost reviews. */
export function routeList(
  { dialect }: Pick<Store, 'dialect'>,
  hostId: number,
  window: RouteWindow,
): RawBuilder<JsonRows<RouteRow>> {
  const { after, limit } = window
  const most: Most = window.most ?? ON_A_HOST_VIEW
  const own = sql`${hostId}`
  const isOf = (alias: string) =>
    sql`${sql.ref(`${alias}.host_id`)} = ${own} and ${sql.ref(`${alias}.route_id`)} = r.route_id`
  // Most hosts have none: that is found out once, and not for each of their routes.
  const hasSome = (table: 'descriptions' | 'signed_offers') =>
    sql`(select 1 from ${sql.table(table)} as e where e.host_id = ${own} limit 1) is not null`
  const ifReviewed = sql`${isOf('w')} and r.reviews_total > 0`
  const newest = sql`from probes as p where ${isOf('p')} order by at_us desc, status desc, latency_ms desc`
  const beside: Partial<Record<keyof typeof ROUTE_COLUMNS, RawBuilder<unknown>>> = {
    latencies: dialect.jsonValues(
      sql<{ value: number }>`select latency_ms as value ${newest} limit ${sql.lit(ENTRIES_OF_MEDIAN)}`,
    ),
    listings: dialect.jsonRows(
      LISTING_COLUMNS,
      sql`select source, price, network, first_us, last_us, gone_us, one_of_several, method_stated,
          ${logIndexOf('l.log_id')} as log_index
        from listings as l where ${isOf('l')} order by ${most.isOfEachSource ? OF_EACH_SOURCE : FOREMOST} limit ${sql.lit(most.listings)}`,
    ),
    listings_total: sql`(select count(*) from listings as n where ${isOf('n')})`,
    descriptions: dialect.jsonRows(
      DESCRIPTION_COLUMNS,
      sql`select source, text from descriptions as d where ${isOf('d')} and ${hasSome('descriptions')}
        order by d.host_id, d.route_id, d.source limit ${sql.lit(MOST_DESCRIPTIONS)}`,
    ),
    probes: dialect.jsonRows(
      ROUTE_PROBE_COLUMNS,
      sql`select at_us, status, latency_ms, error, shield, vantage_id, challenge_id, log_id ${newest} limit ${most.probes}`,
      {
        as: 'p',
        columns: {
          vantage: sql`case when p.vantage_id is not null then ${vantageOf('p')} end`,
          is_live: sql`case when p.challenge_id = r.challenge_id then 1 else 0 end`,
          challenge: sql`case when r.challenge_id is null or p.challenge_id <> r.challenge_id then
            (select body from challenges as b where b.host_id = ${own} and b.challenge_id = p.challenge_id) end`,
          log_index: logIndexOf('p.log_id'),
        },
      },
    ),
    reviews: dialect.jsonRows(REVIEW_COLUMNS, reviewsOfRoute(ifReviewed, most.reviews)),
    not_served: dialect.jsonRows(NOT_SERVED_COLUMNS, notServedOf(ifReviewed, MOST_NOT_SERVED)),
    signed_offers: dialect.jsonRows(
      OFFER_COLUMNS,
      offersOf(sql`${isOf('o')} and ${hasSome('signed_offers')}`, MOST_OFFERS),
    ),
  }
  const offered = sql`and exists (select 1 from signed_offers as e where ${isOf('e')})`
  const position = after && sql`and (r.path, r.method, r.rail, r.scheme) > (${sql.join(after)})`
  return dialect.jsonRows(
    ROUTE_COLUMNS,
    sql<RouteRow>`select r.route_id, r.scheme, r.method, r.path, r.rail, s.price, s.network, s.probe_status, s.price_low,
      s.price_high, s.matching, ${nowFields(own)}, s.challenge_id, s.probes as probes_total, s.reviews as reviews_total,
      ${sql.join(OUTCOME_COLUMNS.map((column) => sql.ref(`s.${column}`)))}
    from routes as r ${dialect.rowAt('route_state', 's', sql`s.host_id = ${own} and s.route_id = r.route_id`)}
    where r.host_id = ${own} ${ofWindow(window)} ${window.isOffered ? offered : sql``} ${position ?? sql``}
    order by r.path, r.method, r.rail, r.scheme limit ${limit}`,
    { as: 'r', columns: beside },
  )
}

/** Which of a host's routes are wanted, as conditions on `r`. */
function ofWindow({ q = null, method = null, only }: Omit<RouteWindow, 'after' | 'limit'>): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = []
  if (method !== null) all.push(sql`and r.method = ${method}`)
  if (q !== null) all.push(sql`and ${hasText(sql`r.path`, q)}`)
  if (only) {
    all.push(sql`and r.path = ${only.path} and r.method = ${only.method} and r.rail = ${only.rail}`)
    if (only.scheme !== null) all.push(sql`and r.scheme = ${only.scheme}`)
  }
  return sql.join([...all, sql``], sql` `)
}

/** How many of a host's routes fit. Reads one index entry per route of the host. */
export async function countRoutes(
  store: Store,
  hostId: number,
  filter: Pick<RouteWindow, 'q' | 'method'>,
): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from routes as r
    where r.host_id = ${hostId} ${ofWindow(filter)}`.execute(store.read)
  return found.rows[0]?.n ?? 0
}

interface ListedRoutes {
  readonly routes: JsonRows<RouteRow>
}

const routesStatement = (dialect: Dialect, hostId: number, window: RouteWindow): RawBuilder<ListedRoutes> =>
  sql<ListedRoutes>`select ${routeList({ dialect }, hostId, window)} as routes`

/** One page of a host's routes. */
export async function readRoutes(store: Store, hostId: number, window: RouteWindow): Promise<RouteRow[]> {
  const { rows } = await routesStatement(store.dialect, hostId, window).execute(store.read)
  return routesIn(rows[0]?.routes ?? '[]')
}

/** Of the pages of single routes; their older rows and reviews are left to the lists over the API. How many entries, each page says. */
export const ON_A_ROUTE_PAGE = { listings: 200, probes: 0, reviews: 50, isOfEachSource: true }

/** No more of a host are held against what it signed. */
const MOST_OFFERED = 50

/** Routes of a host that it signed offers for, with as much of each as its own page has. */
export const readOfferedRoutes = (store: Store, hostId: number): Promise<RouteRow[]> =>
  readRoutes(store, hostId, { after: null, limit: MOST_OFFERED, isOffered: true, most: ON_A_ROUTE_PAGE })
