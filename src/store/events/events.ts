import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { key53 } from '../../domain/keys.ts'
import type { RouteKey } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'

/** Something worth announcing in feeds. */
export interface EventInput {
  readonly host: SellerHost
  readonly kind: string
  readonly atUs: TimestampUs
  readonly route: RouteKey | null
  readonly data: Readonly<Record<string, unknown>>
}

/** An announcement whose host and route have their numbers. */
export interface PlacedEvent extends Pick<EventInput, 'kind' | 'atUs' | 'data'> {
  readonly hostId: number
  readonly routeId: number | null
}

/** What is older than this when it is saved is history that moves between stores: followers are not told of it as new. */
const NEWS_US = 86_400_000_000

/** Appends announcements; the same one again changes nothing. */
export async function saveEvents(writer: Writer, dialect: Dialect, inputs: readonly PlacedEvent[]): Promise<void> {
  // What is told at once is told in the order of its times.
  const times = [...new Set(inputs.map(({ atUs }) => atUs))].sort((a, b) => a - b)
  const places = new Map(times.map((atUs, place) => [atUs, place]))
  const rows = new Map<string, Row>()
  for (const { hostId, routeId, atUs, kind, data } of inputs) {
    const text = JSON.stringify(data)
    const id = key53(`${kind}\n${routeId}\n${text}`)
    const place = places.get(atUs) ?? 0
    rows.set(`${hostId}/${atUs}/${id}`, [hostId, atUs, id, kind, routeId, text, subjectOf(data), place])
  }
  if (rows.size === 0) return
  await ADD.runLater(writer, dialect, [...rows.values()])
}

const COLUMNS = {
  host_id: 'int',
  at_us: 'int',
  event_id: 'int',
  kind: 'text',
  route_id: 'int',
  data: 'text',
  subject: 'text',
  place: 'int',
} as const

export const NEWEST_SAVED_US = sql<number>`(select coalesce(max(saved_us), 0) from events)`

const ADD = new RowsStatement((dialect, rows) => {
  const savedUs = dialect.nowAfter(NEWEST_SAVED_US)
  return sql`insert into events (host_id, at_us, event_id, kind, route_id, data, subject, saved_us)
    select host_id, at_us, event_id, kind, route_id, data, subject,
      case when at_us < ${dialect.nowUs} - ${sql.lit(NEWS_US)} then at_us else ${savedUs} + place end
    from ${dialect.rows(COLUMNS, rows)} as v where true
    on conflict (host_id, at_us, event_id) do nothing`
})

/** What an announcement is about, when that is one review or post: its id is in `data.review` or `data.post`. */
function subjectOf({ review, post }: PlacedEvent['data']): string | null {
  const subject = review ?? post
  return typeof subject === 'string' ? subject : null
}
