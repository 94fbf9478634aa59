import { type RawBuilder, sql } from 'kysely'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { Outbox } from '../hosts/outbox.ts'
import type { Placed } from '../hosts/route-ref.ts'
import type { OwnershipTable, PayeeTable, RouteTable } from '../schema.ts'
import type { Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { type PayeeInput, payeeText } from './payees.ts'

type PayeeRow = PayeeTable & Pick<RouteTable, 'scheme' | 'method' | 'path' | 'rail'> & { name: string }

/** Those of these payees that the log knows nothing of. */
export async function logPayees(log: Outbox, payees: readonly Placed<PayeeInput>[]): Promise<void> {
  if (payees.length === 0 || log.logging === 'off') return
  const keys = new Map<string, Row>()
  for (const { at, network, payee } of payees)
    keys.set(`${at.hostId}/${at.routeId}\n${network}\n${payee}`, [at.hostId, at.routeId, network, payee])
  await logRows(log, await READ_UNKNOWN.run(log.writer, log.dialect, [...keys.values()]))
}

const withRoutes = (payees: RawBuilder<unknown>): RawBuilder<PayeeRow> =>
  sql<PayeeRow>`select p.*, h.name, r.scheme, r.method, r.path, r.rail from (${payees}) as p
    join hosts as h on h.host_id = p.host_id
    join routes as r on r.host_id = p.host_id and r.route_id = p.route_id`

const READ_UNKNOWN = new RowsStatement((dialect, rows) => {
  const columns = { host_id: 'int', route_id: 'int', network: 'text', payee: 'text' } as const
  return withRoutes(sql`select p.* from ${dialect.rows(columns, rows)} as v cross join payees as p
    where p.host_id = v.host_id and p.route_id = v.route_id and p.network = v.network and p.payee = v.payee
      and p.log_id is null`)
})

/** Payees of a host that the log knows nothing of, so many at most; answers how many there were. */
export async function logUnknownPayees(log: Outbox, hostId: number, most: number): Promise<number> {
  if (log.logging === 'off') return 0
  const found = await withRoutes(
    sql`select p.* from payees as p where p.host_id = ${hostId} and p.log_id is null limit ${sql.lit(most)}`,
  ).execute(log.writer)
  return logRows(log, found.rows)
}

async function logRows(log: Outbox, found: readonly PayeeRow[]): Promise<number> {
  if (found.length === 0) return 0
  const { writer, dialect } = log
  await log.reserve(found.length)
  const rows = found.map((row): Row => {
    const { host_id, route_id, network, payee, asset, origin } = row
    const text = payeeText({ host: row.name, firstUs: row.first_us, lastUs: row.last_us, ...row })
    const placement = log.place(host_id, text)
    log.keep(placement)
    return [host_id, route_id, network, payee, asset, origin, placement.id]
  })
  await SET_LOGGED.runLater(writer, dialect, rows)
  return rows.length
}

const SET_LOGGED = new RowsStatement((dialect, rows) => {
  const columns = {
    host_id: 'int',
    route_id: 'int',
    network: 'text',
    payee: 'text',
    asset: 'text',
    origin: 'text',
    log_id: 'int',
  } as const
  return sql`update payees set log_id = v.log_id from ${dialect.rows(columns, rows)} as v
    where payees.host_id = v.host_id and payees.route_id = v.route_id and payees.network = v.network
      and payees.payee = v.payee and payees.asset = v.asset and payees.origin = v.origin`
})

/** Claims to these hosts that the log knows nothing of. */
export async function logOwnership(log: Outbox, hostIds: readonly number[]): Promise<void> {
  if (hostIds.length === 0 || log.logging === 'off') return
  const { writer, dialect } = log
  const hosts = [...new Set(hostIds)].map((hostId): Row => [hostId])
  const found = await sql<OwnershipTable & { name: string }>`select o.*, h.name
    from ${dialect.rows({ host_id: 'int' }, hosts)} as v cross join ownership as o
    join hosts as h on h.host_id = o.host_id where o.host_id = v.host_id and o.log_id is null`.execute(writer)
  for (const { host_id, name, signer, origin, proof, first_us, last_us } of found.rows) {
    const [log_id = null] = await log.add(host_id, [
      {
        ...{ kind: 'ownership', host: name, signer, origin, proof },
        first_observed: formatTimestamp(first_us),
        last_observed: formatTimestamp(last_us),
      },
    ])
    await writer
      .updateTable('ownership')
      .set({ log_id })
      .where('host_id', '=', host_id)
      .where('signer', '=', signer)
      .where('origin', '=', origin)
      .execute()
  }
}
