import type { HostProbeRow, ProbePosition } from '../../store/pages/read-probes.ts'
import { NO_STATUS } from '../../store/probes/no-status.ts'
import type { Page, ProbeView } from '../host/host-view.ts'
import { pageOf, positionOf } from '../page.ts'

// Entries of a host and of one route are one kind of list: a cursor of either continues both.

export const probePositionOf = (cursor: string | null): ProbePosition | null =>
  positionOf('probes', ['number', 'number', 'number', 'number'], cursor)

export const probePageOf = <Item>(
  rows: readonly HostProbeRow[],
  limit: number,
  item: (row: HostProbeRow) => Item,
): Page<Item> => pageOf('probes', rows, limit, item, (row) => [row.at_us, row.route_id, row.status, row.latency_ms])

/** The same of one route's entries. */
export const entryPageOf = (entries: readonly ProbeView[], limit: number, routeId: number): Page<ProbeView> =>
  pageOf(
    'probes',
    entries,
    limit,
    (entry) => entry,
    ({ atUs, httpStatus, latencyMs }) => [atUs, routeId, httpStatus ?? NO_STATUS, latencyMs],
  )
