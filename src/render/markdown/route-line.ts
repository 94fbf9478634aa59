import { classify } from '../../domain/probe.ts'
import type { RouteView } from '../../views/host/host-view.ts'
import { sourcesSay } from '../observed.ts'
import { counted, networkText, priceText, timeText } from '../values.ts'
import { codeSpan } from './quote.ts'

/** One route in one line, for hosts with more routes than a reader takes in at once. */
export function routeLine(route: RouteView): string {
  const newest = route.probes[0]
  const words = sourcesSay(route)
  const facts = [
    `price ${priceText(route.price)}`,
    `rail ${route.rail}`,
    `network ${networkText(route.network, codeSpan)}`,
    `probe status ${route.probeStatus}`,
    ...(words === null ? [] : [words]),
    newest === undefined ? 'no probe' : `newest probe ${classify(newest.httpStatus)} ${timeText(newest.atUs)}`,
    ...(route.reviewsTotal === 0 ? [] : [counted(route.reviewsTotal, 'review')]),
  ]
  return `- ${codeSpan(`${route.method} ${route.address}`)}: ${facts.join(', ')}`
}
