import { sql } from 'kysely'
import type { PayeeOrigin } from '../../domain/money/payee.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import type { Placed, RouteRef } from '../hosts/route-ref.ts'
import type { Reader, Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { Sightings } from './sightings.ts'

/** Who is paid on a route, as a listing or a live challenge named it. */
export interface PayeeInput extends RouteRef {
  readonly network: string
  readonly payee: string
  readonly asset: string | null
  readonly origin: PayeeOrigin
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

/** Of one that was seen earlier than is known, the log is told again. */
export async function upsertPayees(
  writer: Writer,
  dialect: Dialect,
  inputs: readonly Placed<PayeeInput>[],
): Promise<void> {
  const seen = new Sightings()
  for (const { at, network, payee, asset, origin, firstUs, lastUs } of inputs) {
    seen.add([at.hostId, at.routeId, network, payee, asset ?? '', origin], firstUs, lastUs)
  }
  if (seen.size === 0) return
  const rows = seen.inKeyOrder().map((row): Row => [...row, walletKey(String(row[3]))])
  await UPSERT.run(writer, dialect, rows)
}

const COLUMNS = {
  host_id: 'int',
  route_id: 'int',
  network: 'text',
  payee: 'text',
  asset: 'text',
  origin: 'text',
  first_us: 'int',
  last_us: 'int',
  payee_key: 'text',
} as const

const UPSERT = new RowsStatement(
  (dialect, rows) => sql`insert into payees
      (host_id, route_id, network, payee, asset, origin, first_us, last_us, payee_key)
    select host_id, route_id, network, payee, asset, origin, first_us, last_us, payee_key
    from ${dialect.rows(COLUMNS, rows)} as v where true
    on conflict (host_id, route_id, network, payee, asset, origin) do update set
      first_us = ${dialect.least(sql.ref('payees.first_us'), sql.ref('excluded.first_us'))},
      last_us = ${dialect.greatest(sql.ref('payees.last_us'), sql.ref('excluded.last_us'))},
      log_id = case when excluded.first_us >= payees.first_us then payees.log_id end`,
)

/** Everybody seen as payee of a host, as written. */
export async function payeesOf(reader: Reader, hostId: number): Promise<string[]> {
  const rows = await reader.selectFrom('payees').select('payee').distinct().where('host_id', '=', hostId).execute()
  return rows.map(({ payee }) => payee)
}
