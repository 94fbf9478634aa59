import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import { logUnknownRows } from '../../store/facts/logged-rows.ts'
import { logOwnership, logUnknownPayees } from '../../store/facts/logged-sellers.ts'
import { HostTransaction } from '../../store/hosts/host-transaction.ts'
import type { RouteRef } from '../../store/hosts/route-ref.ts'
import { postRecord } from '../../store/posts/post-record.ts'
import { postOf } from '../../store/posts/read-post.ts'
import { POST_FIELDS, type PostRow } from '../../store/posts/read-posts.ts'
import { statusIn } from '../../store/probes/no-status.ts'
import { logUnknownOffers } from '../../store/probes/offers/log-offers.ts'
import { foldedRecord, probeText } from '../../store/probes/probe-record.ts'
import { runIn } from '../../store/probes/runs.ts'
import { shieldIn, sightsIn } from '../../store/probes/sight-rows.ts'
import { vantageOf } from '../../store/probes/vantages.ts'
import { readReviewsAt } from '../../store/reviews/read-review.ts'
import { reviewRecord } from '../../store/reviews/review-record.ts'
import type { FoldedRouteTable, JsonText, ProbeTable, Reader, RouteTable } from '../../store/schema.ts'
import { logUnknownSellers } from '../../store/sellers/log-sellers.ts'
import type { Row } from '../../store/sql/dialect.ts'
import { readJson } from '../../store/sql/json.ts'
import type { Store } from '../../store/store.ts'
import { canonical } from '../../wire/log/canonical.ts'

/** Rows of each kind that one transaction logs: few enough for others to write in between. */
const MOST = 1000

export async function countHistory(reader: Reader): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from log_history`.execute(reader)
  return found.rows[0]?.n ?? 0
}

/** A host whose evidence from before there was a log is not all in it. */
export interface HostHistory {
  readonly hostId: number
  /** All but what its seller said and signed is logged. */
  readonly isAgain: boolean
}

/** `undefined` when there is none. */
export async function nextHistory(reader: Reader): Promise<HostHistory | undefined> {
  const row = await reader.selectFrom('log_history').selectAll().orderBy('host_id').limit(1).executeTakeFirst()
  return row && { hostId: row.host_id, isAgain: row.is_again === 1 }
}

type ProbeKey = readonly [routeId: number, atUs: number, status: number, latencyMs: number]

/**
 * Logs the evidence of a host that was stored before there was a log, marked as imported, in steps of one transaction each.
 * What is logged says so itself, so a run that was cut short is simply begun again.
 */
export async function logHistoryOf(store: Store, { hostId, isAgain }: HostHistory, signal: AbortSignal): Promise<void> {
  let after: ProbeKey | null = [-1, -1, -1, -1]
  for (let isDone = false; !isDone && !signal.aborted; ) {
    isDone = await store.write(async (writer) => {
      const transaction = new HostTransaction(writer, store.dialect, null, 'imported')
      await transaction.hold([hostId])
      const listings = await logUnknownRows(transaction, hostId, MOST)
      const payees = await logUnknownPayees(transaction.log, hostId, MOST)
      await logOwnership(transaction.log, [hostId])
      after = after && (await logProbes(transaction, hostId, after))
      const reviews = await logReviews(transaction, hostId)
      const posts = await logPosts(transaction, hostId)
      const statements = await logUnknownSellers(transaction, hostId, MOST)
      const offers = await logUnknownOffers(transaction, hostId, MOST)
      const counts = [listings, payees, reviews, posts, statements, offers]
      const isLast = after === null && counts.every((n) => n < MOST)
      if (isLast) {
        if (!isAgain) await logFolded(transaction, hostId)
        await writer.deleteFrom('log_history').where('host_id', '=', hostId).execute()
      }
      await transaction.save()
      return isLast
    })
  }
}

type Routed = Pick<RouteTable, 'scheme' | 'method' | 'path' | 'rail'> & { name: string }
type Challenged = { challenge: JsonText<Challenge> | null }

const ROUTED = sql`h.name, r.scheme, r.method, r.path, r.rail`
const CHALLENGE = sql`(select body from challenges as c where c.host_id = t.host_id and c.challenge_id = t.challenge_id) as challenge`

const refOf = ({ name: host, scheme, method, path, rail }: Routed): RouteRef => ({ host, scheme, method, path, rail })

/** Answers where to go on; `null` after the last entry. */
async function logProbes(
  { writer, dialect, log }: HostTransaction,
  hostId: number,
  after: ProbeKey,
): Promise<ProbeKey | null> {
  const found = await sql<
    ProbeTable & Routed & Challenged & { vantage: string | null }
  >`select t.*, ${ROUTED}, ${CHALLENGE},
      ${vantageOf('t')} as vantage
    from probes as t join hosts as h on h.host_id = t.host_id
    join routes as r on r.host_id = t.host_id and r.route_id = t.route_id
    where t.host_id = ${hostId} and (t.route_id, t.at_us, t.status, t.latency_ms) > (${sql.join(after)})
    order by t.route_id, t.at_us, t.status, t.latency_ms limit ${sql.lit(MOST)}`.execute(writer)
  const unlogged = found.rows.filter(({ log_id }) => log_id === null)
  await log.reserve(unlogged.length)
  const rows = unlogged.map((row): Row => {
    const placement = log.place(
      hostId,
      probeText({
        ...refOf(row),
        ...{ atUs: row.at_us, httpStatus: statusIn(row.status), latencyMs: row.latency_ms, error: row.error },
        challenge: readJson(row.challenge),
        timings: { dnsMs: row.dns_ms, connectMs: row.connect_ms, tlsMs: row.tls_ms, firstByteMs: row.first_byte_ms },
        remoteAddress: row.remote_address,
        ...{ vantage: row.vantage, shield: shieldIn(row.shield) },
      }),
    )
    log.keep(placement)
    return [hostId, row.route_id, row.at_us, row.status, row.latency_ms, placement.id]
  })
  const key = { host_id: 'int', route_id: 'int', at_us: 'int', status: 'int', latency_ms: 'int' } as const
  if (rows.length > 0)
    await sql`update probes set log_id = v.log_id from ${dialect.rows({ ...key, log_id: 'int' }, rows)} as v
      where probes.host_id = v.host_id and probes.route_id = v.route_id and probes.at_us = v.at_us
        and probes.status = v.status and probes.latency_ms = v.latency_ms`.execute(writer)
  const last = found.rows.at(-1)
  if (last === undefined || found.rows.length < MOST) return null
  return [last.route_id, last.at_us, last.status, last.latency_ms]
}

async function logReviews({ writer, dialect, log }: HostTransaction, hostId: number): Promise<number> {
  const found = await writer
    .selectFrom('reviews')
    .select('review_id')
    .where('host_id', '=', hostId)
    .where('log_id', 'is', null)
    .orderBy('review_id')
    .limit(MOST)
    .execute()
  const keys = found.map(({ review_id: id }) => ({ hostId, id }))
  await log.reserve(keys.length)
  for (const review of (await readReviewsAt(writer, dialect, keys)).values()) {
    const placement = log.place(hostId, canonical(reviewRecord(review)))
    log.keep(placement)
    const own = writer.updateTable('reviews').where('host_id', '=', hostId).where('review_id', '=', review.id)
    await own.set({ log_id: placement.id }).execute()
  }
  return keys.length
}

async function logPosts({ writer, log }: HostTransaction, hostId: number): Promise<number> {
  const found = await sql<PostRow & { host: string }>`select ${POST_FIELDS},
      (select h.name from hosts as h where h.host_id = posts.host_id) as host
    from posts where host_id = ${hostId} and log_id is null order by post_id limit ${sql.lit(MOST)}`.execute(writer)
  await log.reserve(found.rows.length)
  for (const row of found.rows) {
    const placement = log.place(hostId, canonical(postRecord({ host: row.host, ...postOf(row) })))
    log.keep(placement)
    const own = writer.updateTable('posts').where('host_id', '=', hostId).where('post_id', '=', row.post_id)
    await own.set({ log_id: placement.id }).execute()
  }
  return found.rows.length
}

/** What entries counted for that are no longer kept. Nothing is folded while there is history to log. */
async function logFolded({ writer, log }: HostTransaction, hostId: number): Promise<void> {
  const routes = await sql<FoldedRouteTable & Routed & Challenged>`select t.*, ${ROUTED}, ${CHALLENGE}
    from folded_routes as t join hosts as h on h.host_id = t.host_id
    join routes as r on r.host_id = t.host_id and r.route_id = t.route_id
    where t.host_id = ${hostId} order by t.route_id`.execute(writer)
  const latency = await sql<{ latency_ms: number; n: number; name: string }>`select t.latency_ms, t.n, h.name
    from folded_latency as t join hosts as h on h.host_id = t.host_id
    where t.host_id = ${hostId} order by t.latency_ms`.execute(writer)
  await log.add(
    hostId,
    routes.rows.map((row) => {
      const counts = { ...{ answers: row.answers, '402-correct': row.correct_402 }, failed: row.failed }
      return foldedRecord({
        ...refOf(row),
        counts: { ...counts, unreachable: row.unreachable },
        newestUs: row.newest_us,
        challenge: readJson(row.challenge),
        challengeUs: row.challenge_us,
        run: runIn(row),
        sights: sightsIn(row.sights),
      })
    }),
  )
  await log.add(
    hostId,
    latency.rows.map(({ name, latency_ms, n }) => ({ kind: 'folded_latency', host: name, latency_ms, entries: n })),
  )
}
