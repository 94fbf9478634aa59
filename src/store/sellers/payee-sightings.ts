import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import type { SellerHost } from '../../domain/host.ts'
import type { PayeeOrigin } from '../../domain/money/payee.ts'
import { PAYEE_DAYS } from '../../domain/seller/proof.ts'
import { DAY_US, type Day, dayOf } from '../../domain/time/day.ts'
import { walletKey } from '../../domain/wallet.ts'
import type { JsonText } from '../schema.ts'
import type { Row } from '../sql/dialect.ts'
import { readJson } from '../sql/json.ts'
import type { Store } from '../store.ts'

/** Where and when a wallet was named as payee. */
export interface PayeeSightings {
  /** Days on which live challenges of the host named it; as many as decide, no more. */
  readonly days: readonly Day[]
  readonly isListed: boolean
  /** All hosts that named it, in whatever way. */
  readonly hosts: readonly SellerHost[]
}

/** Different challenges of a host that are looked through. */
const MOST_CHALLENGES = 2000
/** Hosts beyond these say nothing more: a payee of so many is nobody's own. */
const MOST_HOSTS = 200

export async function readPayeeSightings(store: Store, hostId: number, wallet: string): Promise<PayeeSightings> {
  const key = walletKey(wallet)
  const named = await sql<{ origin: PayeeOrigin; first_us: number; last_us: number }>`select origin, first_us, last_us
    from payees where payee_key = ${key} and host_id = ${hostId}`.execute(store.read)
  const hosts = await sql<{ name: string }>`select h.name from hosts as h
    where h.host_id in (select distinct p.host_id from payees as p where p.payee_key = ${key})
    order by h.name limit ${sql.lit(MOST_HOSTS)}`.execute(store.read)
  const live = named.rows.filter(({ origin }) => origin === 'challenge')
  // First and last sight are kept when single entries are not any more.
  const days = new Set(live.flatMap(({ first_us, last_us }) => [dayOf(first_us), dayOf(last_us)]))
  if (live.length > 0 && days.size < PAYEE_DAYS) {
    for (const day of await challengeDays(store, hostId, key)) days.add(day)
  }
  return {
    days: [...days].toSorted((a, b) => a - b),
    isListed: named.rows.some(({ origin }) => origin === 'listing'),
    hosts: hosts.rows.map(({ name }) => name),
  }
}

/** Some of the days on which a kept entry of the host holds a challenge that names the payee. */
async function challengeDays({ read, dialect }: Store, hostId: number, key: string): Promise<Day[]> {
  const like = `%${key.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const found = await sql<{ challenge_id: number; body: JsonText<Challenge> }>`select challenge_id, body
    from challenges where host_id = ${hostId} and lower(body) like ${like} escape '\\'
    limit ${sql.lit(MOST_CHALLENGES)}`.execute(read)
  const naming = found.rows.filter(({ body }) =>
    readJson(body).offers.some(({ payee }) => payee !== null && walletKey(payee) === key),
  )
  if (naming.length === 0) return []
  const ids = naming.map(({ challenge_id }): Row => [challenge_id])
  const days = await sql<{ day: number }>`select distinct p.at_us / ${sql.lit(DAY_US)} as day from probes as p
    where p.host_id = ${hostId} and p.challenge_id in (select id from ${dialect.rows({ id: 'int' }, ids)} as n)
    limit ${sql.lit(PAYEE_DAYS)}`.execute(read)
  return days.rows.map(({ day }) => Number(day))
}
