import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'

/** A payee's verified claim to a host. */
export interface OwnershipInput {
  readonly host: SellerHost
  readonly signer: string
  readonly origin: string
  readonly proof: string
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

/** A claim whose host has its number. */
export type PlacedOwnership = Omit<OwnershipInput, 'host'> & { readonly hostId: number }

/** Keeps verified claims to hosts, with first and last sight. Of one that was seen earlier than is known, the log is told again. */
export async function upsertOwnership(
  writer: Writer,
  dialect: Dialect,
  claims: readonly PlacedOwnership[],
): Promise<void> {
  const rows = new Map(
    claims.map((claim): [string, Row] => [
      `${claim.hostId}/${claim.signer}/${claim.origin}`,
      [claim.hostId, claim.signer, claim.origin, claim.proof, claim.firstUs, claim.lastUs],
    ]),
  )
  if (rows.size === 0) return
  const columns = {
    host_id: 'int',
    signer: 'text',
    origin: 'text',
    proof: 'text',
    first_us: 'int',
    last_us: 'int',
  } as const
  await sql`insert into ownership (host_id, signer, origin, proof, first_us, last_us)
    select host_id, signer, origin, proof, first_us, last_us from ${dialect.rows(columns, [...rows.values()])} as v where true
    on conflict (host_id, signer, origin) do update set
      first_us = ${dialect.least(sql.ref('ownership.first_us'), sql.ref('excluded.first_us'))},
      last_us = ${dialect.greatest(sql.ref('ownership.last_us'), sql.ref('excluded.last_us'))},
      log_id = case when excluded.first_us >= ownership.first_us then ownership.log_id end`.execute(writer)
}
