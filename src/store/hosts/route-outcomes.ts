import { sql } from 'kysely'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { OUTCOME_COLUMNS, type OutcomeColumn, type OutcomeCounts } from './outcome-columns.ts'
import { byRouteId, type RouteId, routeText } from './route-ref.ts'

/** What one transaction adds to the reported paid calls of routes. */
export class RouteOutcomes {
  readonly #routes = new Map<string, { readonly at: RouteId; readonly counts: Partial<OutcomeCounts> }>()

  add(at: RouteId, column: OutcomeColumn, n: number): void {
    const key = routeText(at)
    const known = this.#routes.get(key) ?? { at, counts: {} }
    known.counts[column] = (known.counts[column] ?? 0) + n
    this.#routes.set(key, known)
  }

  async save(writer: Writer, dialect: Dialect): Promise<void> {
    if (this.#routes.size === 0) return
    const rows = [...this.#routes.values()]
      .sort((a, b) => byRouteId(a.at, b.at))
      .map(({ at, counts }): Row => [at.hostId, at.routeId, ...OUTCOME_COLUMNS.map((column) => counts[column] ?? 0)])
    const columns = Object.fromEntries(OUTCOME_COLUMNS.map((column) => [column, 'int' as const]))
    const names = sql.join(OUTCOME_COLUMNS.map((column) => sql.ref(column)))
    const sums = sql.join(
      OUTCOME_COLUMNS.map(
        (column) => sql`${sql.ref(column)} = ${sql.ref(`route_state.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
      ),
    )
    await sql`insert into route_state (host_id, route_id, probe_status, probes, reviews, ${names})
      select host_id, route_id, 'unverified', 0, 0, ${names}
      from ${dialect.rows({ host_id: 'int', route_id: 'int', ...columns }, rows)} as v where true
      on conflict (host_id, route_id) do update set ${sums}`.execute(writer)
  }
}
