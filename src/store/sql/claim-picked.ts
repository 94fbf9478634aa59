import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

/** In one statement, where all hosts lie in one part. `lock` ends the query. */
export const claimPicked =
  (lock: RawBuilder<unknown>): Dialect['claimHosts'] =>
  async (writer, { most, pick, update }) => {
    const claimed = await sql<{ host_id: number }>`with picked as materialized (${pick(most)} ${lock})
      ${update(sql`select host_id from picked`)}`.execute(writer)
    return claimed.rows.map(({ host_id }) => host_id)
  }
