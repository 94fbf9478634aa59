import { classify } from '../../domain/probe.ts'
import type { PlacedEvent } from '../events/events.ts'
import { type Placed, routeText } from '../hosts/route-ref.ts'
import type { NewestByRoute } from './newest.ts'
import { NO_STATUS } from './no-status.ts'
import type { ProbeInput } from './probes.ts'

/** One announcement for each route whose newest entry of the batch is of another class than the one before the batch. */
export function classChanges(before: NewestByRoute, probes: readonly Placed<ProbeInput>[]): PlacedEvent[] {
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
    if (last === undefined || last.run === null || atUs <= last.atUs) return []
    const [from, to] = [classify(last.run.httpStatus), classify(httpStatus)]
    return from === to ? [] : [{ ...at, atUs, kind: 'class_changed', data: { from, to } }]
  })
}
