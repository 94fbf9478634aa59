import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import { hostIdsOf, type Placed, type RouteId, type RouteRef, routeText } from '../hosts/route-ref.ts'
import type { Reader, Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import type { Store } from '../store.ts'
import type { ListingInput } from './listings.ts'

/** Hosts whose listings one statement looks at. */
const HOSTS_A_STEP = 1000

/** A complete sweep: what its source named, it named since `startedUs`. */
export interface CompleteSweep {
  readonly source: string
  readonly startedUs: TimestampUs
  readonly endedUs: TimestampUs
  /** It read everything the source has. Else it asked sellers one by one, and those that said nothing are left alone. */
  readonly isWhole: boolean
}

/**
 * Marks every route that the source did not name in this complete sweep, and that no other source names; announces those
 * that it named in or after its last one: the first has nothing to be held against. After `endRows`, and before the sweep
 * itself is stored as complete: after a crash in between the same is looked for again, and a route is marked and announced
 * in one transaction, so once.
 */
export async function announceUnlisted(store: Store, sweep: CompleteSweep): Promise<number> {
  const before = await lastCompleteUs(store.read, sweep)
  let announced = 0
  for (let after = -1; ; ) {
    const end = await endOfStep(store.read, after)
    if (end === null) return announced
    const gone = await unnamedSince(store.read, sweep, before, after, end)
    if (gone.length > 0) announced += await markUnlisted(store, sweep, gone)
    after = end
  }
}

/** Whether there is anything that this sweep, if it were complete now, would find no longer named. */
export async function isMissingSome(store: Store, sweep: Omit<CompleteSweep, 'endedUs'>): Promise<boolean> {
  const before = await lastCompleteUs(store.read, sweep)
  if (before === null) return false
  return isInSomeStep(store.read, async (after, end) =>
    (await unnamedSince(store.read, sweep, before, after, end)).some(({ isNews }) => isNews),
  )
}

/** Whether this sweep found anything that its source had not named before. */
export async function isNamingNew(
  store: Store,
  { source, startedUs }: Pick<CompleteSweep, 'source' | 'startedUs'>,
): Promise<boolean> {
  return isInSomeStep(store.read, async (after, end) => {
    const found = await sql`select 1 from listings as l where l.host_id > ${after} and l.host_id <= ${end}
      and l.source = ${source} and l.first_us >= ${startedUs} limit 1`.execute(store.read)
    return found.rows.length > 0
  })
}

async function isInSomeStep(reader: Reader, isIn: (after: number, end: number) => Promise<boolean>): Promise<boolean> {
  for (let after = -1; ; ) {
    const end = await endOfStep(reader, after)
    if (end === null) return false
    if (await isIn(after, end)) return true
    after = end
  }
}

async function lastCompleteUs(
  reader: Reader,
  { source, startedUs }: Pick<CompleteSweep, 'source' | 'startedUs'>,
): Promise<TimestampUs | null> {
  const row = await reader
    .selectFrom('sweeps')
    .select('started_us')
    .where('source', '=', source)
    .where('status', '=', 'complete')
    .where('started_us', '<', startedUs)
    .orderBy('started_us', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.started_us ?? null
}

/** The last of the next hosts by number; `null` after all of them. */
export async function endOfStep(reader: Reader, after: number): Promise<number | null> {
  const found = await sql<{ host_id: number | null }>`select max(host_id) as host_id from
    (select host_id from hosts where host_id > ${after} order by host_id limit ${HOSTS_A_STEP}) as step`.execute(reader)
  return found.rows[0]?.host_id ?? null
}

/**
 * Of the hosts of a step, those where this sweep takes back what it did not see. A seller that says nothing takes nothing
 * back: where a document of the host itself was ever read, that one has to be heard in this sweep, and to name a route or
 * nothing at all. Else the host is spoken for by names above it: one of these has to name something there, or all of their
 * documents to be heard.
 */
export async function answeredIn(
  reader: Reader,
  { source, startedUs, isWhole }: Omit<CompleteSweep, 'endedUs'>,
  after: number,
  end: number,
): Promise<(route: RouteId) => boolean> {
  if (isWhole) return () => true
  const seen = await sql<{ host_id: number }>`select distinct l.host_id from listings as l
    where l.host_id > ${after} and l.host_id <= ${end} and l.source = ${source} and l.last_us >= ${startedUs}`.execute(
    reader,
  )
  const named = await sql<{ host_id: number; name: string }>`select h.host_id, h.name from hosts as h
    where h.host_id > ${after} and h.host_id <= ${end} and exists (select 1 from listings as l
      where l.host_id = h.host_id and l.source = ${source} and l.last_us < ${startedUs})`.execute(reader)
  const isHeard = await heardIn(
    reader,
    { source, startedUs },
    named.rows.flatMap(({ name }) => [name, ...namesAbove(name)]),
  )
  const isSeen = new Set(seen.rows.map((row) => row.host_id))
  const answered = new Set(
    named.rows.flatMap(({ host_id, name }) => {
      const above = namesAbove(name).flatMap((one) => isHeard.get(one) ?? [])
      const isSpokenFor = isSeen.has(host_id) || (above.length > 0 && above.every(Boolean))
      return (isHeard.get(name) ?? isSpokenFor) ? [host_id] : []
    }),
  )
  return ({ hostId }) => answered.has(hostId)
}

/** Hosts whose own documents may speak for this one, and which are not it: on its port, or on that of their scheme. */
function namesAbove(host: SellerHost): SellerHost[] {
  const [name = host, port] = host.split(':')
  const labels = name.split('.')
  const names = labels.slice(0, -1).flatMap((_, from) => {
    const suffix = labels.slice(from).join('.')
    return [suffix, `www.${suffix}`]
  })
  const onPorts = port === undefined ? names : [...names, ...names.map((one) => `${one}:${port}`)]
  return onPorts.filter((one) => one !== host)
}

const NAMES_AT_ONCE = 5000

/** Of those of these hosts whose document was ever read: whether it was in this sweep, and named a route or nothing at all. */
async function heardIn(
  reader: Reader,
  { source, startedUs }: Pick<CompleteSweep, 'source' | 'startedUs'>,
  hosts: readonly SellerHost[],
): Promise<Map<SellerHost, boolean>> {
  const names = [...new Set(hosts)]
  const heard = new Map<SellerHost, boolean>()
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    const documents = await reader
      .selectFrom('read_documents')
      .select(['host', 'read_us', 'stored', 'refused_total'])
      .where('source', '=', source)
      .where('host', 'in', names.slice(from, from + NAMES_AT_ONCE))
      .execute()
    for (const { host, read_us, stored, refused_total } of documents)
      heard.set(host, read_us >= startedUs && (stored > 0 || refused_total === 0))
  }
  return heard
}

/** A route that its source names no more. */
interface GoneRoute extends RouteId {
  /** It was named in or after the last complete sweep. */
  readonly isNews: boolean
}

async function unnamedSince(
  reader: Reader,
  sweep: Omit<CompleteSweep, 'endedUs'>,
  beforeUs: TimestampUs | null,
  after: number,
  end: number,
): Promise<GoneRoute[]> {
  const { source, startedUs } = sweep
  const newsUs = beforeUs ?? startedUs
  const found = await sql<{ host_id: number; route_id: number; last_us: number }>`select l.host_id, l.route_id,
      max(l.last_us) as last_us
    from listings as l where l.host_id > ${after} and l.host_id <= ${end} and l.source = ${source}
    group by l.host_id, l.route_id
    having max(l.last_us) < ${startedUs} and (max(l.last_us) >= ${newsUs} or max(l.gone_us) = ${startedUs})`.execute(
    reader,
  )
  const isAnswered = await answeredIn(reader, sweep, after, end)
  return found.rows
    .map((row) => ({ hostId: row.host_id, routeId: row.route_id, isNews: row.last_us >= newsUs }))
    .filter(isAnswered)
}

const COLUMNS = { host_id: 'int', route_id: 'int', since_us: 'int' } as const

/** Looked at again inside the transaction, which has the hosts to itself. Answers how many are announced. */
const markUnlisted = (store: Store, sweep: CompleteSweep, gone: readonly GoneRoute[]): Promise<number> =>
  store.write(async (writer) => {
    const { dialect } = store
    const transaction = new HostTransaction(writer, dialect)
    await transaction.hold(gone.map(({ hostId }) => hostId))
    const rows = gone.map(({ hostId, routeId }): Row => [hostId, routeId, sweep.startedUs])
    // Another source names a route while it has seen it since the start of its own last complete sweep.
    const named = sql`exists (select 1 from listings as l where l.host_id = v.host_id and l.route_id = v.route_id
      and l.last_us >= case when l.source = ${sweep.source} then ${sweep.startedUs} else coalesce((select max(w.started_us)
        from sweeps as w where w.source = l.source and w.status = 'complete'), 0) end)`
    const marked = await sql<{ host_id: number; route_id: number }>`insert into unlisted (host_id, route_id, since_us)
      select host_id, route_id, since_us from ${dialect.hostRows(COLUMNS, rows)} as v where not ${named}
      on conflict (host_id, route_id) do nothing returning host_id, route_id`.execute(writer)
    if (marked.rows.length === 0) return 0
    const routes = marked.rows.map((row) => ({ hostId: row.host_id, routeId: row.route_id }))
    transaction.changed(routes)
    transaction.words.addFaceted(routes.map(({ hostId }) => hostId))
    const isNews = new Set(gone.filter((route) => route.isNews).map(routeText))
    const news = routes
      .filter((route) => isNews.has(routeText(route)))
      .map(
        (route) => ({ ...route, atUs: sweep.endedUs, kind: 'route_unlisted', data: { source: sweep.source } }) as const,
      )
    transaction.announce(news)
    await transaction.save()
    return news.length
  })

/** A route that no source named any more. */
export interface UnlistedInput extends RouteRef {
  /** Start of the sweep that missed it. */
  readonly sinceUs: TimestampUs
}

/** What a move between stores brings of them, after the listings of the same batch: whatever was seen since is listed. */
export async function addUnlisted(transaction: HostTransaction, inputs: readonly UnlistedInput[]): Promise<void> {
  if (inputs.length === 0) return
  const { writer, dialect } = transaction
  const routes = transaction.place(inputs)
  const rows = routes.map(({ at, sinceUs }): Row => [at.hostId, at.routeId, sinceUs])
  await sql`insert into unlisted (host_id, route_id, since_us)
    select v.host_id, v.route_id, max(v.since_us) from ${dialect.hostRows(COLUMNS, rows)} as v
    where not exists (select 1 from listings as l where l.host_id = v.host_id and l.route_id = v.route_id
      and l.last_us >= v.since_us)
    group by v.host_id, v.route_id
    on conflict (host_id, route_id) do update set
      since_us = ${dialect.greatest(sql.ref('unlisted.since_us'), sql.ref('excluded.since_us'))}`.execute(writer)
  transaction.changed(routes.map(({ at }) => at))
  transaction.words.addFaceted(routes.map(({ at }) => at.hostId))
}

/** Routes of these listings that nobody named any more and that are seen again; from now on they are listed. */
export async function relist(
  writer: Writer,
  dialect: Dialect,
  listings: readonly Placed<Pick<ListingInput, 'lastUs'>>[],
): Promise<RouteId[]> {
  if (listings.length === 0) return []
  const rows = listings.map(({ at, lastUs }): Row => [at.hostId, at.routeId, lastUs])
  const found = await sql<{ host_id: number; route_id: number }>`select distinct u.host_id, u.route_id
    from ${dialect.rows({ host_id: 'int', route_id: 'int', last_us: 'int' }, rows)} as v cross join unlisted as u
    where u.host_id = v.host_id and u.route_id = v.route_id and v.last_us >= u.since_us
      ${dialect.among('u.host_id', hostIdsOf(listings.map(({ at }) => at)))}`.execute(writer)
  for (const { host_id, route_id } of found.rows) {
    await writer.deleteFrom('unlisted').where('host_id', '=', host_id).where('route_id', '=', route_id).execute()
  }
  return found.rows.map((row) => ({ hostId: row.host_id, routeId: row.route_id }))
}
