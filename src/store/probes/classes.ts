import { sql } from 'kysely'
import { classify, type ProbeResult } from '../../domain/probe.ts'
import type { PlacedEvent } from '../events/events.ts'
import { type Placed, routeText } from '../hosts/route-ref.ts'
import type { Reader } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { NO_STATUS, type ProbeInput } from './probes.ts'

/** Of one route, before a batch is appended. */
export interface Newest {
  readonly atUs: number
  /** `null`: the entry is no longer kept. */
  readonly result: ProbeResult | null
  readonly challengeId: number | null
}

/**
 * Each route's newest entry and challenge, before a batch is appended. Its class is read where it may matter: not where
 * the prober knew it and saw it again.
 */
export async function newestEntries(
  reader: Reader,
  dialect: Dialect,
  probes: readonly Placed<ProbeInput>[],
): Promise<ReadonlyMap<string, Newest>> {
  const routes = new Map(probes.map(({ at }): [string, Row] => [routeText(at), [at.hostId, at.routeId]]))
  if (routes.size === 0) return new Map()
  const found = await sql<StateRow>`select s.host_id, s.route_id, s.newest_probe_us as at_us, s.challenge_id
    from ${dialect.rows(KEY, [...routes.values()])} as v cross join route_state as s
    where s.host_id = v.host_id and s.route_id = v.route_id and s.newest_probe_us is not null`.execute(reader)
  const doubtful = new Set(
    probes.filter(({ httpStatus, lastResult }) => lastResult !== classify(httpStatus)).map(({ at }) => routeText(at)),
  )
  const classes = await newestClasses(
    reader,
    dialect,
    found.rows.filter((row) => doubtful.has(routeText({ hostId: row.host_id, routeId: row.route_id }))),
  )
  const known = new Map(probes.map(({ at, lastResult }) => [routeText(at), lastResult ?? null]))
  return new Map(
    found.rows.map(({ host_id: hostId, route_id: routeId, at_us: atUs, challenge_id: challengeId }) => {
      const key = routeText({ hostId, routeId })
      const result = (doubtful.has(key) ? classes : known).get(key) ?? null
      return [key, { atUs, result, challengeId }]
    }),
  )
}

const KEY = { host_id: 'int', route_id: 'int' } as const

interface StateRow {
  readonly host_id: number
  readonly route_id: number
  readonly at_us: number
  readonly challenge_id: number | null
}

/** Of two entries of one moment the one with the greater status counts. */
async function newestClasses(
  reader: Reader,
  dialect: Dialect,
  states: readonly StateRow[],
): Promise<ReadonlyMap<string, ProbeResult>> {
  if (states.length === 0) return new Map()
  const rows = states.map((row): Row => [row.host_id, row.route_id, row.at_us])
  const found = await sql<{ host_id: number; route_id: number; status: number | null }>`select v.host_id, v.route_id,
      (select max(p.status) from probes as p
        where p.host_id = v.host_id and p.route_id = v.route_id and p.at_us = v.at_us) as status
    from ${dialect.rows({ ...KEY, at_us: 'int' }, rows)} as v`.execute(reader)
  return new Map(
    found.rows.flatMap(({ host_id: hostId, route_id: routeId, status }): [string, ProbeResult][] =>
      // No status: the entry is no longer kept.
      status === null ? [] : [[routeText({ hostId, routeId }), classify(status === NO_STATUS ? null : status)]],
    ),
  )
}

/** One announcement for each route whose newest entry of the batch is of another class than the one before the batch. */
export function classChanges(
  before: ReadonlyMap<string, Newest>,
  probes: readonly Placed<ProbeInput>[],
): PlacedEvent[] {
  const newest = new Map<string, Placed<ProbeInput>>()
  for (const probe of probes) {
    const known = newest.get(routeText(probe.at))
    const isNewer = known === undefined || probe.atUs > known.atUs
    if (isNewer || (probe.atUs === known.atUs && (probe.httpStatus ?? NO_STATUS) > (known.httpStatus ?? NO_STATUS))) {
      newest.set(routeText(probe.at), probe)
    }
  }
  return [...newest].flatMap(([key, { at, atUs, httpStatus }]): PlacedEvent[] => {
    const last = before.get(key)
    const result = classify(httpStatus)
    if (last === undefined || last.result === null || atUs <= last.atUs || result === last.result) return []
    return [{ ...at, atUs, kind: 'class_changed', data: { from: last.result, to: result } }]
  })
}
