import { type RawBuilder, sql } from 'kysely'
import type { Description } from '../../domain/words/description.ts'
import type { Reader } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { type JsonRows, rowReader } from '../sql/json-rows.ts'

/** As `jsonRows` takes them. */
export const DESCRIPTION_COLUMNS = { source: 'value', text: 'value' } as const

const textsIn = rowReader<Description>(DESCRIPTION_COLUMNS)

/** The first texts of a host in the order of their keys: the same whoever asks, and never too many. */
export const textsOf = (hostId: RawBuilder<unknown>, most: number): RawBuilder<Description> =>
  sql<Description>`select d.source, d.text from descriptions as d where d.host_id = ${hostId}
    order by d.host_id, d.route_id, d.source limit ${sql.lit(most)}`

/** The same of each of these hosts. */
export async function firstDescriptions(
  reader: Reader,
  dialect: Dialect,
  hostIds: readonly number[],
  most: number,
): Promise<Map<number, readonly Description[]>> {
  if (hostIds.length === 0) return new Map()
  const texts = dialect.jsonRows(DESCRIPTION_COLUMNS, textsOf(sql`v.host_id`, most))
  const rows = hostIds.map((hostId): Row => [hostId])
  const found = await sql<{ host_id: number; texts: JsonRows<Description> }>`select v.host_id, ${texts} as texts
    from ${dialect.hostRows({ host_id: 'int' }, rows)} as v`.execute(reader)
  return new Map(found.rows.map((row) => [row.host_id, textsIn(row.texts)]))
}
