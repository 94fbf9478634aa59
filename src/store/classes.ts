import { sql } from 'kysely'
import { classify, type ProbeResult } from '../domain/probe.ts'
import type { Dialect, Row } from './dialect.ts'
import type { PlacedEvent } from './events.ts'
import type { ProbeInput } from './evidence.ts'
import type { RouteId } from './hosts.ts'
import { NO_STATUS } from './probes.ts'
import type { Reader } from './schema.ts'

type Placed = ProbeInput & { readonly at: RouteId }

/** Of one route, before a batch is appended. */
export interface Newest {
  readonly atUs: number
  /** `null`: the entry is no longer kept. */
  readonly result: ProbeResult | null
  readonly challengeId: number | null
}

export const keyOf = ({ hostId, routeId }: RouteId): string => `${hostId}/${routeId}`

/** Each route's newest entry and challenge, before a batch is appended. One of two entries of one moment is taken by its key. */
export async function newestEntries(
  reader: Reader,
  dialect: Dialect,
  probes: readonly Placed[],
): Promise<ReadonlyMap<string, Newest>> {
  const routes = new Map(probes.map(({ at }): [string, Row] => [keyOf(at), [at.hostId, at.routeId]]))
  if (routes.size === 0) return new Map()
  const found = await sql<{
    host_id: number
    route_id: number
    at_us: number
    challenge_id: number | null
    status: number | null
  }>`select s.host_id, s.route_id, s.newest_probe_us as at_us, s.challenge_id, (select max(p.status) from probes as p
      where p.host_id = s.host_id and p.route_id = s.route_id and p.at_us = s.newest_probe_us) as status
    from ${dialect.rows({ host_id: 'int', route_id: 'int' }, [...routes.values()])} as v cross join route_state as s
    where s.host_id = v.host_id and s.route_id = v.route_id and s.newest_probe_us is not null`.execute(reader)
  return new Map(
    found.rows.map(({ host_id: hostId, route_id: routeId, at_us: atUs, status, challenge_id: challengeId }) => {
      const result = status === null ? null : classify(status === NO_STATUS ? null : status)
      return [keyOf({ hostId, routeId }), { atUs, result, challengeId }]
    }),
  )
}

/** One announcement for each route whose newest entry of the batch is of another class than the one before the batch. */
export function classChanges(before: ReadonlyMap<string, Newest>, probes: readonly Placed[]): PlacedEvent[] {
  const newest = new Map<string, Placed>()
  for (const probe of probes) {
    const known = newest.get(keyOf(probe.at))
    const isNewer = known === undefined || probe.atUs > known.atUs
    if (isNewer || (probe.atUs === known.atUs && (probe.httpStatus ?? NO_STATUS) > (known.httpStatus ?? NO_STATUS))) {
      newest.set(keyOf(probe.at), probe)
    }
  }
  return [...newest].flatMap(([key, { at, atUs, httpStatus }]): PlacedEvent[] => {
    const last = before.get(key)
    const result = classify(httpStatus)
    if (last === undefined || last.result === null || atUs <= last.atUs || result === last.result) return []
    return [{ ...at, atUs, kind: 'class_changed', data: { from: last.result, to: result } }]
  })
}
