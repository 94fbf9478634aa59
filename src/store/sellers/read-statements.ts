import { sql } from 'kysely'
import type { Reader } from '../schema.ts'
import { NAMED_STATEMENTS, type PlacedStatement, type StatementRow, statementOf } from './statement-rows.ts'

/** Statements of a host beyond these are on the pages of its list. */
const MOST_STANDING = 500

/**
 * The newest statement of each kind about each thing, newest first; of those that ask for a probe none. Of contacts and
 * corrections the newest of each wallet: they may differ.
 */
export async function readStanding(reader: Reader, hostId: number): Promise<PlacedStatement[]> {
  const found = await sql<StatementRow>`${NAMED_STATEMENTS}
    where s.host_id = ${hostId} and s.kind <> 'probe' and not exists (select 1 from statements as n
      where n.host_id = ${hostId} and n.kind = s.kind and n.about = s.about
        and (s.kind not in ('contact', 'correct') or n.wallet = s.wallet)
        and (n.submitted_us, n.statement_id) > (s.submitted_us, s.statement_id))
    order by s.submitted_us desc, s.statement_id desc limit ${sql.lit(MOST_STANDING)}`.execute(reader)
  return found.rows.map(statementOf)
}

export type StatementPosition = readonly [submittedUs: number, id: string]

/** A host's statements, newest first, older ones that a newer one took the place of too. */
export async function readStatements(
  reader: Reader,
  hostId: number,
  before: StatementPosition | null,
  limit: number,
): Promise<StatementRow[]> {
  const position = before === null ? sql`` : sql`and (s.submitted_us, s.statement_id) < (${sql.join(before)})`
  const found = await sql<StatementRow>`${NAMED_STATEMENTS} where s.host_id = ${hostId} ${position}
    order by s.submitted_us desc, s.statement_id desc limit ${limit}`.execute(reader)
  return found.rows
}

export async function countStatements(reader: Reader, hostId: number): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from statements where host_id = ${hostId}`.execute(reader)
  return found.rows[0]?.n ?? 0
}

/** A statement and where it is. */
export interface FoundStatement extends PlacedStatement {
  readonly hostId: number
}

/** The statement with this id, whatever its host; of several (only an import can bring that) always the same. */
export async function readStatement(
  reader: Reader,
  id: string,
  hostId: number | null = null,
): Promise<FoundStatement | undefined> {
  const ofHost = hostId === null ? sql`` : sql`and s.host_id = ${hostId}`
  const found = await sql<StatementRow>`${NAMED_STATEMENTS} where s.statement_id = ${id} ${ofHost}
    order by s.host_id limit 1`.execute(reader)
  const row = found.rows[0]
  return row && { ...statementOf(row), hostId: row.host_id }
}
