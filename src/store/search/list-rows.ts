import { type RawBuilder, sql } from 'kysely'
import { RAILS, type Rail } from '../../domain/route.ts'
import type { Day } from '../../domain/time/day.ts'
import type { Description } from '../../domain/words/description.ts'
import { COUNTER_COLUMNS } from '../hosts/counter-columns.ts'
import { DAY_COLUMNS, type DayRow, daysFrom } from '../hosts/days.ts'
import { differingOf, type HostNowRow, nowOf, type Past, pastOf, ROUTE_NOW } from '../pages/host-now.ts'
import type { HostCounters } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { type JsonColumns, type JsonRows, rowReader } from '../sql/json-rows.ts'
import { fromParts } from '../sql/parts.ts'
import { isThere } from '../sql/retired.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import type { Store } from '../store.ts'
import { DESCRIPTION_COLUMNS, textsOf } from './first-descriptions.ts'

/** Whether a host has a route on each rail: null or 1. */
type OnRails = Readonly<Record<`has_${Rail}`, number | null>>

/** All that a list shows of a host, of one moment. */
export interface HostListRow extends HostCounters, OnRails {
  name: string
  price_max: number | null
  /** At most one. */
  now: HostNowRow[]
  past: Past | null
  differing: HostNowRow[]
  days: DayRow[]
  /** The first of its descriptions. */
  said: Description[]
}

const LIST_COLUMNS: JsonColumns = {
  ...{ name: 'value', ...COUNTER_COLUMNS, price_max: 'value', past: 'value' },
  ...Object.fromEntries(RAILS.map((rail) => [`has_${rail}`, 'value'] as const)),
  ...{ now: ROUTE_NOW, differing: ROUTE_NOW, days: DAY_COLUMNS, said: DESCRIPTION_COLUMNS },
}

const hostsIn = rowReader<HostListRow>(LIST_COLUMNS)

/** What a row says of the routes of its host. */
const summary = (dialect: Dialect): RawBuilder<unknown> => sql`
  ${nowOf(dialect)} as now, ${pastOf()} as past, ${differingOf(dialect)} as differing,
  (select max(s.price) from route_state as s where s.host_id = c.host_id and ${isThere('s', sql`c.host_id`)}) as price_max,
  ${sql.join(
    RAILS.map(
      (rail) => sql`(select 1 from routes as r where r.host_id = c.host_id
    and r.rail = ${sql.lit(rail)} limit 1) as ${sql.ref(`has_${rail}`)}`,
    ),
  )}`

/** Of each host one description, or so many that one is chosen by the words of a search. */
export const SAID = { first: 1, several: 8 } as const
export type Said = keyof typeof SAID

const statementOf = (said: Said) =>
  new RowsStatement((dialect, hosts) => {
    const days = dialect.jsonRows(DAY_COLUMNS, daysFrom(sql`m.host_id`, sql`m.since`))
    const texts = dialect.jsonRows(DESCRIPTION_COLUMNS, textsOf(sql`m.host_id`, SAID[said]))
    const list = dialect.jsonRows(
      LIST_COLUMNS,
      sql<HostListRow>`select h.name, c.*, ${summary(dialect)}, ${days} as days, ${texts} as said
        from ${dialect.hostRows({ host_id: 'int', since: 'int' }, hosts)} as m cross join hosts as h
        join host_counters as c on c.host_id = h.host_id where h.host_id = m.host_id`,
    )
    return sql<{ list: JsonRows<HostListRow> }>`select ${list} as list`
  })

const READ = { first: statementOf('first'), several: statementOf('several') }

/** The rows of these hosts, with their days from one on. */
export const readListRows = (
  store: Store,
  hostIds: readonly number[],
  since: Day,
  said: Said,
): Promise<HostListRow[]> =>
  hostIds.length === 0
    ? Promise.resolve([])
    : fromParts(store, hostIds, async ({ read, dialect }, own) => {
        const rows = await READ[said].run(
          read,
          dialect,
          own.map((hostId): Row => [hostId, since]),
        )
        return rows.flatMap((row) => hostsIn(row.list))
      })
