import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { refusalWords } from '../../domain/words/refusal.ts'
import type { WhyView } from '../../views/why/why-view.ts'
import { timeOrNull } from '../values.ts'
import { sourceRefusalLine, whyLine, whyRouteLines } from '../why-words.ts'
import { documentJson, hostNamedJson, namedJson } from './listing-history.ts'

/** Why a host or a route is listed and probed as it is, or is not. */
export const whyJson = (view: WhyView) => ({
  host: view.host,
  path: view.path,
  line: whyLine(view),
  sources: view.sources.map(hostNamedJson),
  refused: view.refused.map((refusal) => ({
    ...{ source: refusal.source, reason: refusal.reason, words: refusalWords(refusal.reason), item: refusal.item },
    ...{ sweep: formatTimestamp(refusal.startedUs), untrusted: true, line: sourceRefusalLine(refusal) },
  })),
  documents: view.documents.map(documentJson),
  routes: view.routes.map((route) => ({
    ...{ method: route.method, address: route.address, path: route.path, rail: route.rail },
    sources: route.sources.map(namedJson),
    last_probe: route.last && { date: formatTimestamp(route.last.atUs), result: route.last.result },
    next_probe: timeOrNull(route.nextUs),
    held_back_by: route.holds,
    lines: whyRouteLines(view, route),
  })),
})
