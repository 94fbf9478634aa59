import type { SightEntry } from '../../domain/now/sights.ts'
import { NO_VANTAGE } from '../../domain/now/vantage.ts'
import { classify } from '../../domain/probe.ts'
import type { PlacedEvent } from '../hosts/host-transaction.ts'
import type { NewestByRoute } from './newest.ts'
import { NO_STATUS } from './no-status.ts'
import type { Appended } from './probes.ts'

/**
 * One announcement for each route whose newest entry of the batch left it in another class than it was in before the batch:
 * where it is looked at from several vantages, the best that they see.
 */
export const classChanges = (before: NewestByRoute, appended: readonly Appended[]): PlacedEvent[] =>
  appended.flatMap(({ hostId, routeId, route, entries, after }): PlacedEvent[] => {
    const last = before.get(route)
    const newest = newestOf(entries)
    if (last === undefined || last.run === null || newest === undefined || newest.atUs <= last.atUs) return []
    const [from, to] = [classify(last.run.httpStatus), classify((after?.run ?? newest).httpStatus)]
    if (from === to) return []
    const { vantage } = newest
    const data = { from, to, ...(vantage === NO_VANTAGE ? {} : { vantage }) }
    return [{ hostId, routeId, atUs: newest.atUs, kind: 'class_changed', data }]
  })

const newestOf = (entries: readonly SightEntry[]): SightEntry | undefined =>
  entries.toSorted((a, b) => b.atUs - a.atUs || (b.httpStatus ?? NO_STATUS) - (a.httpStatus ?? NO_STATUS))[0]
