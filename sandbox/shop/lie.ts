import type { IncomingMessage } from 'node:http'
import type { SampleRoute } from './seller.ts'

const isProber = ({ headers }: IncomingMessage): boolean => headers['user-agent']?.startsWith('Tollbook/') ?? false

/** The route as whoever sends this request finds it. */
export function routeFor(route: SampleRoute, request: IncomingMessage): SampleRoute {
  const { lie, ...shown } = route
  if (lie === undefined || isProber(request)) return shown
  const { asks = route.asks, terms = route.terms } = lie
  return { ...route, asks, ...(terms && { terms }) }
}

/** What a payment may be for: what was asked at first, and what a liar asks for after that. */
export function stagesOf(route: SampleRoute): readonly SampleRoute[] {
  const { lie, ...rest } = route
  const after = lie?.after
  return typeof after === 'object' ? [route, { ...rest, asks: after.asks }] : [route]
}
