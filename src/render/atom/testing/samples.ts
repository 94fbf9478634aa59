import type { EventView } from '../../../views/events/events-view.ts'
import { HOST, NOON_US } from '../../testing/sample-views.ts'

/** An invented announcement, for the tests of this room and its callers. */
export const event = (n: number, more: Partial<EventView> = {}): EventView => ({
  id: `event-${n}`,
  number: n,
  kind: 'price_changed',
  atUs: NOON_US + n,
  savedUs: NOON_US + n,
  host: HOST,
  route: {
    scheme: 'https',
    method: 'GET',
    path: '/v1/forecast',
    rail: 'x402',
    address: `https://${HOST}/v1/forecast`,
  },
  data: { from: '0.010000', to: '0.020000' },
  ...more,
})
