import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { Statement } from '../../wire/sellers/records.ts'
import type { StatementTable } from '../schema.ts'
import { logIndexOf } from '../sql/log-index.ts'

/** A statement with the number of the route that it is about. */
export interface PlacedStatement extends Statement {
  /** `null`: it is about the host, a review or a post. */
  readonly routeId: number | null
  /** Its place in the log; `undefined` until it has one. */
  readonly logIndex?: number | undefined
}

/** With the name of its host and its place in the log. */
export type StatementRow = StatementTable & { name: SellerHost; log_index: number | null }

/** What a `StatementRow` is selected from. */
export const NAMED_STATEMENTS = sql`select s.*, h.name, ${logIndexOf('s.log_id')} as log_index
  from statements as s join hosts as h on h.host_id = s.host_id`

export const statementOf = (row: StatementRow): PlacedStatement => ({
  host: row.name,
  id: row.statement_id,
  kind: row.kind,
  about: row.about,
  routeId: row.route_id,
  text: row.text,
  wallet: row.wallet,
  signature: row.signature,
  signedAt: row.signed_at,
  directory: row.directory,
  submittedUs: row.submitted_us,
  hidden: row.hidden_us === null ? null : { atUs: row.hidden_us, reason: row.hidden_reason ?? '' },
  logIndex: row.log_index ?? undefined,
})
