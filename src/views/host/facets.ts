import { PROBE_STATUSES } from '../../domain/probe.ts'
import { RAILS } from '../../domain/route.ts'
import { CEILINGS, type FacetTotals } from '../../store/search/read-totals.ts'
import type { Choice, Facets } from './hosts-view.ts'

/** Networks beyond these are typed into the form. */
const MOST_NETWORKS = 8

const there = <T>(choices: readonly Choice<T>[]): readonly Choice<T>[] => choices.filter(({ hosts }) => hosts > 0)

/** What there is to choose by in the whole directory, and nothing that nobody has. */
export const facetsOf = (totals: FacetTotals): Facets => ({
  rails: there(RAILS.map((value) => ({ value, hosts: totals.rails.get(value) ?? 0 }))),
  networks: there([...totals.networks].map(([value, hosts]) => ({ value, hosts })))
    .toSorted((a, b) => b.hosts - a.hosts || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_NETWORKS),
  ceilings: there(CEILINGS.map((value, index) => ({ value, hosts: totals.ceilings[index] ?? 0 }))),
  checks: there(PROBE_STATUSES.map((value) => ({ value, hosts: totals[value] }))),
  requestedToday: totals.requested,
})
