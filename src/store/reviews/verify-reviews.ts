import { sql } from 'kysely'
import { isServed } from '../../domain/buyers/outcome.ts'
import { LEVELS } from '../../domain/support-level.ts'
import { OUTCOME_COLUMN, OUTCOME_COLUMNS, type OutcomeCounts } from '../hosts/outcome-columns.ts'
import type { Reader, ReviewTable } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'
import { readJson } from '../sql/json.ts'
import { type SellerKey, sellersAmong, writersOf } from './exclude.ts'
import { STANDING_COLUMNS } from './review-standing.ts'
import { newestOf, type SignedRow } from './supersede.ts'

type Figures = Map<string, string | number | null>

/**
 * Which signed reviews count, worked out anew from all reviews, payees and claims of the host. Who is a founder is not
 * evidence, and an import may know of sellers what this store does not: such reviews stand as they are.
 */
export async function readStandings(
  reader: Reader,
  dialect: Dialect,
  hostId: number,
  stored: Figures,
  counted: Figures,
): Promise<void> {
  const rows = await reader
    .selectFrom('reviews')
    .select([...STANDING_COLUMNS, 'wallet_key', 'signed_at', 'submitted_us', 'payment_found'])
    .where('host_id', '=', hostId)
    .where('wallet_key', 'is not', null)
    .execute()
  const signed = rows.flatMap((row) => (row.wallet_key === null ? [] : [{ ...row, wallet_key: row.wallet_key }]))
  const keysOf = (row: SignedRow & Pick<ReviewTable, 'payment_found'>): SellerKey[] =>
    writersOf(row.wallet_key, readJson(row.payment_found)).map((key) => ({
      hostId,
      key,
    }))
  const isSeller = await sellersAmong(reader, dialect, signed.flatMap(keysOf))
  for (const group of groupBy(signed, (row) => `${row.route_id}/${row.wallet_key}`).values()) {
    const newest = newestOf(group)
    for (const row of group) {
      const name = `review ${row.review_id}`
      stored.set(`${name} superseded`, row.superseded)
      counted.set(`${name} superseded`, row.review_id === newest?.review_id ? 0 : 1)
      stored.set(`${name} excluded`, row.excluded)
      counted.set(`${name} excluded`, row.excluded ?? (keysOf(row).some(isSeller) ? 'self-generated' : null))
    }
  }
}

/** Reported paid calls by level, counted from reviews (`countsOutcome`). */
export const outcomeSums = sql.join(
  LEVELS.flatMap((level) =>
    [OUTCOME_COLUMN[level].served, OUTCOME_COLUMN[level].notServed].map((column, index) => {
      const counts = level === 'Verified buyer' ? sql`` : sql`and superseded = 0`
      return sql`coalesce(sum(case when level = ${sql.lit(level)} and served = ${sql.lit(1 - index)} and excluded is null
        ${counts} then 1 else 0 end), 0) as ${sql.ref(column)}`
    }),
  ),
)

/** The paid calls of each route, and whether each outcome says what its review is counted for. */
export async function readRouteOutcomes(
  reader: Reader,
  hostId: number,
  names: ReadonlyMap<number, string>,
  stored: Figures,
  counted: Figures,
): Promise<void> {
  const found = await sql<OutcomeCounts & { route_id: number }>`select route_id, ${outcomeSums} from reviews
    where host_id = ${hostId} and served is not null group by route_id`.execute(reader)
  for (const row of found.rows)
    for (const column of OUTCOME_COLUMNS) counted.set(`${names.get(row.route_id)} ${column}`, row[column])
  const reported = reader.selectFrom('reviews').select(['review_id', 'outcome', 'served'])
  for (const row of await reported.where('host_id', '=', hostId).where('outcome', 'is not', null).execute()) {
    const outcome = readJson(row.outcome)
    stored.set(`review ${row.review_id} served`, row.served)
    counted.set(`review ${row.review_id} served`, outcome && (isServed(outcome) ? 1 : 0))
  }
}
