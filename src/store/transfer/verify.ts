import { type Selectable, sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import { routeFacts } from '../../domain/money/route-price.ts'
import type { RouteKey } from '../../domain/route.ts'
import { DAY_US, dayOf, formatDay } from '../../domain/time/day.ts'
import { type ListingColumns, listingOf } from '../facts/listings.ts'
import { factColumns } from '../facts/route-state.ts'
import { DAY_COLUMNS, type DayRow } from '../hosts/days.ts'
import { LATENCY_STEPS } from '../hosts/latency.ts'
import { OUTCOME_COLUMNS } from '../hosts/outcome-columns.ts'
import { BIT_OF_COLUMN } from '../hosts/result-columns.ts'
import { NO_SUMMARY, summariesOf } from '../hosts/summaries.ts'
import { type Folded, RESULT_BITS, RESULT_COLUMNS, readFolded } from '../probes/folded.ts'
import { NO_STATUS } from '../probes/no-status.ts'
import { judgedOf } from '../probes/offers/save-offers.ts'
import { keptSinceUs } from '../probes/retention.ts'
import { type RunColumns, runsOf } from '../probes/runs.ts'
import { readSights } from '../probes/verify-sights.ts'
import { outcomeSums, readRouteOutcomes, readStandings } from '../reviews/verify-reviews.ts'
import type { HostCounters, JsonText, Reader, RouteState } from '../schema.ts'
import { readSellerFigures } from '../sellers/verify-sellers.ts'
import type { Dialect } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'
import { readJson } from '../sql/json.ts'
import type { Store } from '../store.ts'

/** A stored figure that the rows it was counted from do not give. */
export interface Difference {
  readonly host: string
  /** The counter, with its route or latency where it has one. */
  readonly what: string
  readonly stored: string | number | null
  readonly counted: string | number | null
}

export interface Verified {
  readonly hosts: number
  readonly differences: number
}

const HOSTS_A_TURN = 20

type Figure = string | number | null
type Figures = Map<string, Figure>

/**
 * Recomputes every counter, histogram row and route state from the rows, and from what was folded of rows no longer
 * kept, host by host, of one moment.
 */
export async function verifyStore(
  store: Store,
  onDifference: (difference: Difference) => void,
  onHost: (done: number) => void = () => undefined,
): Promise<Verified> {
  return store.snapshot(async (reader) => {
    let hosts = 0
    let differences = 0
    let after = -1
    for (;;) {
      const page = await reader
        .selectFrom('hosts')
        .selectAll()
        .where('host_id', '>', after)
        .orderBy('host_id')
        .limit(500)
        .execute()
      for (const { host_id, name } of page) {
        for (const difference of await verifyHost(reader, store.dialect, host_id, name)) {
          differences++
          onDifference(difference)
        }
        onHost(++hosts)
        // SQLite answers at once, and nobody else would have a turn, nor a signal be heard.
        if (hosts % HOSTS_A_TURN === 0) await new Promise(setImmediate)
      }
      const last = page.at(-1)
      if (!last) return { hosts, differences }
      after = last.host_id
    }
  })
}

async function verifyHost(reader: Reader, dialect: Dialect, hostId: number, host: string): Promise<Difference[]> {
  const stored: Figures = new Map()
  const counted: Figures = new Map()
  const folded = await readFolded(reader, hostId)
  const sinceUs = (await keptSinceUs(reader)) ?? 0
  await readCounters(reader, hostId, sinceUs, stored, counted)
  addFoldedCounters(folded, counted)
  await readLatency(reader, hostId, folded, stored, counted)
  await readDays(reader, hostId, sinceUs, stored, counted)
  await readRouteStates(reader, dialect, hostId, folded, stored, counted)
  await readStandings(reader, dialect, hostId, stored, counted)
  await readOffers(reader, hostId, stored, counted)
  await readSellerFigures(reader, hostId, stored, counted)
  const differences: Difference[] = []
  for (const what of new Set([...stored.keys(), ...counted.keys()])) {
    const a = stored.get(what) ?? null
    const b = counted.get(what) ?? null
    if (a !== b) differences.push({ host, what, stored: a, counted: b })
  }
  return differences
}

/** The median that lists are sorted by is as of an earlier entry. */
const NOT_COUNTED = new Set(['host_id', 'version', 'median_sum_ms', 'median_samples', 'log_id'])

async function readCounters(
  reader: Reader,
  hostId: number,
  sinceUs: number,
  stored: Figures,
  counted: Figures,
): Promise<void> {
  const row = await reader.selectFrom('host_counters').selectAll().where('host_id', '=', hostId).executeTakeFirst()
  for (const [name, value] of Object.entries(row ?? {})) {
    if (!NOT_COUNTED.has(name)) stored.set(name, value)
  }
  // Entries may have been folded since it was seen.
  if (number(stored.get('newest_402_us')) < sinceUs) stored.set('newest_402_us', null)
  const count = (condition: string) => sql.raw(`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`)
  const isCounted = 'excluded is null and superseded = 0'
  const found = await sql<Omit<HostCounters, 'host_id' | 'version'>>`select p.*, w.*,
      (select count(*) from routes where host_id = ${hostId}) as routes,
      (select count(*) from posts where host_id = ${hostId}) as posts
    from (select ${count(`status between 1 and 399`)} as answers, ${count('status = 402')} as correct_402,
        ${count('status >= 400 and status <> 402')} as failed, ${count(`status = ${NO_STATUS}`)} as unreachable,
        max(at_us) as newest_probe_us,
        max(case when status = 402 and at_us >= ${sinceUs} then at_us end) as newest_402_us, min(latency_ms) as latency_min_ms, max(latency_ms) as latency_max_ms
      from probes where host_id = ${hostId}) as p
    cross join (select count(*) as reviews, ${count('excluded is not null')} as reviews_excluded,
        ${count(`level = 'Verified buyer' and ${isCounted}`)} as reviews_verified,
        ${count(`level = 'Signed' and ${isCounted}`)} as reviews_signed,
        ${count(`level = 'Unsigned' and ${isCounted}`)} as reviews_unsigned, ${outcomeSums}
      from reviews where host_id = ${hostId}) as w`.execute(reader)
  for (const [name, value] of Object.entries(found.rows[0] ?? {})) counted.set(name, value)
  const summed = await summariesOf(sql`select host_id from hosts where host_id = ${hostId}`).execute(reader)
  const { host_id: _host, ...summary } = summed.rows[0] ?? NO_SUMMARY
  for (const [name, value] of Object.entries(summary)) counted.set(name, value)
}

const number = (figure: Figure | undefined): number => Number(figure ?? 0)

function addFoldedCounters({ routes, latency }: Folded, counted: Figures): void {
  for (const route of routes) {
    for (const name of ['answers', 'correct_402', 'failed', 'unreachable'] as const)
      counted.set(name, number(counted.get(name)) + route[name])
    counted.set('newest_probe_us', Math.max(number(counted.get('newest_probe_us')), route.newest_us))
  }
  for (const { latency_ms } of latency) {
    counted.set('latency_min_ms', Math.min(number(counted.get('latency_min_ms') ?? latency_ms), latency_ms))
    counted.set('latency_max_ms', Math.max(number(counted.get('latency_max_ms')), latency_ms))
  }
}

async function readLatency(
  reader: Reader,
  hostId: number,
  folded: Folded,
  stored: Figures,
  counted: Figures,
): Promise<void> {
  const rows = await reader.selectFrom('host_latency').selectAll().where('host_id', '=', hostId).execute()
  for (const { step, latency_ms, n } of rows) stored.set(latencyName(step, latency_ms), n)
  const found = await sql<{ latency_ms: number; n: number }>`select latency_ms, count(*) as n from probes
    where host_id = ${hostId} group by latency_ms`.execute(reader)
  for (const { latency_ms, n } of [...found.rows, ...folded.latency]) {
    for (const step of LATENCY_STEPS) {
      const name = latencyName(step, latency_ms - (latency_ms % step))
      counted.set(name, number(counted.get(name)) + n)
    }
  }
}

/** Days are counted from the entries that are kept. */
async function readDays(
  reader: Reader,
  hostId: number,
  sinceUs: number,
  stored: Figures,
  counted: Figures,
): Promise<void> {
  const since = dayOf(sinceUs)
  const put = (figures: Figures, rows: readonly DayRow[]): void => {
    for (const row of rows) {
      for (const name of Object.keys(DAY_COLUMNS)) {
        if (name !== 'day') figures.set(`${formatDay(row.day)} ${name}`, Reflect.get(row, name))
      }
    }
  }
  const rows = reader.selectFrom('host_days').selectAll().where('host_id', '=', hostId).where('day', '>=', since)
  put(stored, await rows.execute())
  const sum = (condition: string, value = '1') => sql.raw(`sum(case when ${condition} then ${value} else 0 end)`)
  const found = await sql<DayRow>`select at_us / ${sql.lit(DAY_US)} as day,
      ${sum('status between 1 and 399')} as answers, ${sum('status = 402')} as correct_402,
      ${sum('status >= 400 and status <> 402')} as failed, ${sum(`status = ${NO_STATUS}`)} as unreachable,
      ${sum(`status <> ${NO_STATUS}`, 'latency_ms')} as latency_sum_ms
    from probes where host_id = ${hostId} and at_us >= ${sinceUs} group by 1`.execute(reader)
  put(counted, found.rows)
}

const latencyName = (step: number, latencyMs: number): string =>
  step === 1 ? `entries of ${latencyMs} ms` : `entries from ${latencyMs} to ${latencyMs + step - 1} ms`

const STATE_COLUMNS = [
  ...['listed', 'price', 'network', 'probe_status'],
  ...['price_low', 'price_high', 'matching', 'probes', 'newest_probe_us'],
  ...['now_status', 'now_since_us', 'last_402_us', 'results', 'sights', 'reviews'],
  ...OUTCOME_COLUMNS,
] as const

type RouteColumns = Selectable<RouteState> & RouteKey & { challenge: JsonText<Challenge> | null }

async function readRouteStates(
  reader: Reader,
  dialect: Dialect,
  hostId: number,
  folded: Folded,
  stored: Figures,
  counted: Figures,
): Promise<void> {
  const routes = await sql<RouteColumns>`select s.*, r.method, r.path, r.rail, r.scheme,
      (select body from challenges as c where c.host_id = ${hostId} and c.challenge_id = s.challenge_id) as challenge
    from routes as r left join route_state as s on s.host_id = ${hostId} and s.route_id = r.route_id
    where r.host_id = ${hostId}`.execute(reader)
  const listings = await listingsOf(reader, hostId)
  const names = new Map<number, string>()
  for (const row of routes.rows) {
    const name = `${row.method} ${row.scheme}…${row.path} ${row.rail}`
    names.set(row.route_id, name)
    for (const column of STATE_COLUMNS) stored.set(`${name} ${column}`, row[column])
    stored.set(`${name} newest challenge`, row.challenge_us === null ? null : `${row.challenge_us}/${row.challenge_id}`)
    const facts = routeFacts(row.rail, listings.get(row.route_id) ?? [], readJson(row.challenge))
    counted.set(`${name} listed`, listings.has(row.route_id) ? 1 : 0)
    for (const [column, value] of Object.entries(factColumns(facts))) counted.set(`${name} ${column}`, value)
    counted.set(`${name} probes`, 0)
    counted.set(`${name} results`, 0)
    counted.set(`${name} reviews`, 0)
    for (const column of OUTCOME_COLUMNS) counted.set(`${name} ${column}`, 0)
  }
  await countRouteProbes(reader, hostId, names, counted)
  for (const route of folded.routes) addFoldedRoute(names.get(route.route_id) ?? '', route, counted)
  await readRuns(reader, dialect, hostId, names, counted)
  const reviews = await sql<{ route_id: number; n: number }>`select route_id, count(*) as n from reviews
    where host_id = ${hostId} group by route_id`.execute(reader)
  for (const { route_id, n } of reviews.rows) counted.set(`${names.get(route_id)} reviews`, n)
  await readRouteOutcomes(reader, hostId, names, stored, counted)
}

/** Entries of each route, its newest one and the newest with a challenge. */
async function countRouteProbes(
  reader: Reader,
  hostId: number,
  names: ReadonlyMap<number, string>,
  counted: Figures,
): Promise<void> {
  const probes = await sql<{ route_id: number; n: number; newest: number; results: number }>`select route_id,
      count(*) as n, max(at_us) as newest, ${RESULT_BITS} as results from probes
    where host_id = ${hostId} group by route_id`.execute(reader)
  for (const { route_id, n, newest, results } of probes.rows) {
    counted.set(`${names.get(route_id)} probes`, n)
    counted.set(`${names.get(route_id)} results`, results)
    counted.set(`${names.get(route_id)} newest_probe_us`, newest)
  }
  const challenges = await sql<{ route_id: number; at_us: number; challenge_id: number }>`select p.route_id, p.at_us,
      max(p.challenge_id) as challenge_id
    from (select route_id, max(at_us) as newest from probes where host_id = ${hostId} and challenge_id is not null
        group by route_id) as t
    join probes as p on p.host_id = ${hostId} and p.route_id = t.route_id and p.at_us = t.newest
    where p.challenge_id is not null group by p.route_id, p.at_us`.execute(reader)
  for (const row of challenges.rows) {
    counted.set(`${names.get(row.route_id)} newest challenge`, `${row.at_us}/${row.challenge_id}`)
  }
}

/** Who stands behind each signed offer, found anew from its signature and the keys of its time. */
async function readOffers(reader: Reader, hostId: number, stored: Figures, counted: Figures): Promise<void> {
  for (const { row, found } of await judgedOf(reader, hostId)) {
    stored.set(`signed offer ${row.offer_id}`, row.found)
    counted.set(`signed offer ${row.offer_id}`, JSON.stringify(found))
  }
}

async function readRuns(
  reader: Reader,
  dialect: Dialect,
  hostId: number,
  names: ReadonlyMap<number, string>,
  counted: Figures,
): Promise<void> {
  const routes = sql`select host_id, route_id, ${sql.lit(Number.MAX_SAFE_INTEGER)} as upto_us from routes
    where host_id = ${hostId}`
  const found = await sql<RunColumns & { route_id: number }>`${runsOf(dialect, routes)}`.execute(reader)
  for (const { route_id, now_status, now_since_us, last_402_us } of found.rows) {
    for (const [column, value] of Object.entries({ now_status, now_since_us, last_402_us }))
      counted.set(`${names.get(route_id)} ${column}`, value)
  }
  await readSights(reader, dialect, hostId, names, counted)
}

/** Where some of an archive was taken back, entries that are kept may be older than those that are not. */
function addFoldedRoute(name: string, route: Folded['routes'][number], counted: Figures): void {
  const n = route.answers + route.correct_402 + route.failed + route.unreachable
  counted.set(`${name} probes`, number(counted.get(`${name} probes`)) + n)
  counted.set(`${name} newest_probe_us`, Math.max(number(counted.get(`${name} newest_probe_us`)), route.newest_us))
  for (const column of RESULT_COLUMNS.filter((one) => route[one] > 0))
    counted.set(`${name} results`, number(counted.get(`${name} results`)) | BIT_OF_COLUMN[column])
  const [keptUs = 0, keptId = 0] = String(counted.get(`${name} newest challenge`) ?? '0/0')
    .split('/')
    .map(Number)
  const { challenge_us, challenge_id } = route
  if (challenge_us === null || challenge_us < keptUs) return
  if (challenge_us === keptUs && number(challenge_id) <= keptId) return
  counted.set(`${name} newest challenge`, `${challenge_us}/${challenge_id}`)
}

async function listingsOf(reader: Reader, hostId: number) {
  const found = await sql<
    ListingColumns & { route_id: number }
  >`select route_id, source, price, network, first_us, last_us, gone_us, one_of_several
    from listings where host_id = ${hostId}`.execute(reader)
  return new Map([...groupBy(found.rows, (row) => row.route_id)].map(([id, rows]) => [id, rows.map(listingOf)]))
}
