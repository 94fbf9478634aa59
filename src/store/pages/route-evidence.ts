import { sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import type { MicroDollars } from '../../domain/money/price.ts'
import type { Rail } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import { type ListingColumns, listingOf } from '../facts/listings.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import type { JsonText, Reader } from '../schema.ts'
import { readJson } from '../sql/json.ts'

/** What a payment for a route is held against. */
export interface RouteEvidence {
  /** Who was seen to be paid, by a listing or a live challenge. */
  readonly payees: readonly { readonly network: string; readonly payee: string; readonly isSharer: boolean }[]
  /** Every price that was seen, with when. Network null: said for any; price null: not known in dollars. */
  readonly prices: readonly {
    readonly network: string | null
    readonly price: MicroDollars | null
    /** By a live challenge; otherwise a source said it. */
    readonly isAsked: boolean
    readonly firstUs: TimestampUs
    readonly lastUs: TimestampUs
  }[]
}

export async function readRouteEvidence(reader: Reader, { hostId, routeId }: RouteId): Promise<RouteEvidence> {
  const [payees, listings, challenges] = await Promise.all([
    sql<{ network: string; payee: string; sharer: number }>`select network, payee,
        min(case when origin = 'split' then 1 else 0 end) as sharer
      from payees where host_id = ${hostId} and route_id = ${routeId} group by network, payee`.execute(reader),
    sql<ListingColumns>`select source, price, network, first_us, last_us, gone_us from listings
      where host_id = ${hostId} and route_id = ${routeId}`.execute(reader),
    sql<{ body: JsonText<Challenge>; first_us: number; last_us: number; rail: Rail }>`select c.body, r.rail,
        min(p.at_us) as first_us, max(p.at_us) as last_us
      from probes as p
      join challenges as c on c.host_id = p.host_id and c.challenge_id = p.challenge_id
      join routes as r on r.host_id = p.host_id and r.route_id = p.route_id
      where p.host_id = ${hostId} and p.route_id = ${routeId} and p.challenge_id is not null
      group by c.challenge_id, c.body, r.rail`.execute(reader),
  ])
  const listed = listings.rows.map(listingOf).map(({ network, price, firstUs, lastUs }) => {
    return { network, price, isAsked: false, firstUs, lastUs }
  })
  const asked = challenges.rows.flatMap(({ body, rail, first_us, last_us }) => {
    const offers = readJson(body).offers.filter((offer) => offer.rail === rail)
    return offers.map(({ network, price }) => ({ network, price, isAsked: true, firstUs: first_us, lastUs: last_us }))
  })
  const seen = payees.rows.map(({ network, payee, sharer }) => ({ network, payee, isSharer: sharer === 1 }))
  return { payees: seen, prices: [...listed, ...asked] }
}

/** How many other hosts the same payee was seen for: a transfer alone does not say which of them was paid. */
export async function otherHostsOf(reader: Reader, hostId: number, payee: string): Promise<number> {
  const found = await sql<{ n: number }>`select count(distinct host_id) as n from payees
    where payee_key = ${walletKey(payee)} and host_id <> ${hostId}`.execute(reader)
  return found.rows[0]?.n ?? 0
}
