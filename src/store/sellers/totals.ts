import { sql } from 'kysely'
import type { StatementKind } from '../../domain/seller/words.ts'
import type { Reader } from '../schema.ts'

/** How many sellers speak, and how much they said. */
export interface SellerTotals {
  /** Claims with a proof that holds, and those without one any more. */
  readonly holding: number
  readonly ended: number
  readonly statements: ReadonlyMap<StatementKind, number>
}

export async function sellerTotals(reader: Reader): Promise<SellerTotals> {
  const claims = await sql<{ n: number; holding: number }>`select count(*) as n, coalesce(sum(case when exists (
      select 1 from claim_proofs as p where p.host_id = c.host_id and p.wallet_key = c.wallet_key and p.until_us is null)
      then 1 else 0 end), 0) as holding from claims as c`.execute(reader)
  const said = await sql<{ kind: StatementKind; n: number }>`select kind, count(*) as n from statements
    group by kind`.execute(reader)
  const { n = 0, holding = 0 } = claims.rows[0] ?? {}
  return { holding, ended: n - holding, statements: new Map(said.rows.map((row) => [row.kind, row.n])) }
}
