import { formatPrice } from '../../domain/money/price.ts'
import type { PriceChange, RouteFacts } from '../../domain/money/route-price.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { HostTransaction, PlacedEvent } from '../hosts/host-transaction.ts'
import type { RouteId } from '../hosts/route-ref.ts'

/** Facts of a route that are others than before. */
export interface FactChange extends RouteId {
  readonly before: RouteFacts
  readonly after: RouteFacts
  /** No listing had spoken for the route before, or none did any more. */
  readonly isNew: boolean
  /** What sources say differently, each of its own price; that another row gives the route its price is none of it. */
  readonly prices: readonly PriceChange[]
}

export function announceFacts(transaction: HostTransaction, changes: readonly FactChange[]): void {
  const { announceUs } = transaction
  if (announceUs !== null) transaction.announce(changes.flatMap(announcementOf(announceUs)))
}

const priced = (price: number | null): string | null => (price === null ? null : formatPrice(price))

/** A first price is a route that appeared; another price of a source, or another status, is a change. */
const announcementOf =
  (atUs: TimestampUs) =>
  ({ hostId, routeId, before, after, isNew, prices }: FactChange): PlacedEvent[] => {
    const place = { hostId, routeId, atUs }
    if (isNew) {
      return [{ kind: 'route_appeared', data: { price: priced(after.price), network: after.network }, ...place }]
    }
    const events = prices.map(({ source, network, from, to }): PlacedEvent => {
      const data = { from: priced(from), to: priced(to), source, network }
      return { kind: 'price_changed', data, ...place }
    })
    if (before.probeStatus !== after.probeStatus) {
      events.push({ kind: 'probe_status_changed', data: { from: before.probeStatus, to: after.probeStatus }, ...place })
    }
    return events
  }
