import { sql } from 'kysely'
import type { PayeeOrigin } from '../../domain/money/payee.ts'
import { addressOf } from '../../domain/route.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import type { HostTransaction } from '../hosts/host-transaction.ts'
import type { Placed, RouteRef } from '../hosts/route-ref.ts'
import type { Reader } from '../schema.ts'
import type { Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { Sightings } from './sightings.ts'

/** Who is paid on a route, as a listing or a live challenge named it. */
export interface PayeeInput extends RouteRef {
  readonly network: string
  readonly payee: string
  readonly asset: string | null
  readonly origin: PayeeOrigin
  /** The listing source that names it; of live challenges there is none, and a move between stores does not say it. */
  readonly source?: string | undefined
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

type LoggedPayee = Omit<PayeeInput, 'at' | 'source'>
type Seen = Pick<PayeeInput, 'firstUs' | 'lastUs'>

/** What the log says of it, in canonical form. There are many of them, so they are written member by member. */
export function payeeText(payee: LoggedPayee, { firstUs, lastUs }: Seen = payee): string {
  const { method, scheme, host, path, rail, network, asset, origin } = payee
  // As the store writes one that is unknown.
  const paidIn = asset === '' ? null : asset
  const seen = `"first_observed":"${formatTimestamp(firstUs)}","kind":"payee","last_observed":"${formatTimestamp(lastUs)}"`
  const paid = `"method":"${method}","network":${JSON.stringify(network)},"origin":"${origin}","payee":${JSON.stringify(payee.payee)}`
  const url = JSON.stringify(addressOf(scheme, host, path))
  return `{"asset":${JSON.stringify(paidIn)},${seen},${paid},"rail":"${rail}","url":${url}}`
}

/**
 * Those of routes that nobody had named before are new, and said to the log here; others once they are stored. Of one that
 * was seen earlier than is known, the log is told again.
 */
export async function upsertPayees(transaction: HostTransaction, inputs: readonly Placed<PayeeInput>[]): Promise<void> {
  const { writer, dialect, log } = transaction
  const seen = new Sightings()
  const fresh = new Map<string, Placed<PayeeInput>>()
  const sources = new Map<string, string>()
  for (const input of inputs) {
    const { at, network, payee, asset, origin, source, firstUs, lastUs } = input
    const text = seen.add([at.hostId, at.routeId, network, payee, asset ?? '', origin], firstUs, lastUs)
    if (transaction.isCreated(at)) fresh.set(text, input)
    if (source !== undefined) sources.set(text, source)
  }
  if (seen.size === 0) return
  await log.reserve(fresh.size)
  const rows = seen.inKeyOrder().map(({ key, text, firstUs, lastUs }): Row => {
    const row = [...key, firstUs, lastUs, walletKey(String(key[3])), sources.get(text) ?? '']
    const input = fresh.get(text)
    if (input === undefined) return [...row, null]
    const placement = log.place(input.at.hostId, payeeText(input, { firstUs, lastUs }))
    log.keep(placement)
    return [...row, placement.id]
  })
  await UPSERT.runLater(writer, dialect, rows)
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
  source: 'text',
  log_id: 'int',
} as const

const UPSERT = new RowsStatement(
  (dialect, rows) => sql`insert into payees
      (host_id, route_id, network, payee, asset, origin, first_us, last_us, payee_key, source, log_id)
    select host_id, route_id, network, payee, asset, origin, first_us, last_us, payee_key, source, log_id
    from ${dialect.hostRows(COLUMNS, rows)} as v where true
    on conflict (host_id, route_id, network, payee, asset, origin) do update set
      first_us = ${dialect.least(sql.ref('payees.first_us'), sql.ref('excluded.first_us'))},
      last_us = ${dialect.greatest(sql.ref('payees.last_us'), sql.ref('excluded.last_us'))},
      source = case when payees.source = '' then excluded.source else payees.source end,
      log_id = case when excluded.first_us >= payees.first_us then payees.log_id end`,
)

/** Everybody seen as payee of a host, as written. */
export async function payeesOf(reader: Reader, hostId: number): Promise<string[]> {
  const rows = await reader.selectFrom('payees').select('payee').distinct().where('host_id', '=', hostId).execute()
  return rows.map(({ payee }) => payee)
}
