import { entryNote } from '../../domain/now/sights-line.ts'
import { probeLine } from '../../domain/probe.ts'
import type { ProbeView, RouteProbeView } from '../../views/host/host-view.ts'

/** The exact printed line, and below it from where it was looked at, where the prober said so. */
export function entryLines(probe: ProbeView): string[] {
  const note = entryNote(probe)
  return note === null ? [probeLine(probe)] : [probeLine(probe), `  ${note}`]
}

/** In a list over several routes: the exact line, and below it the route. */
export function routeEntryText(probe: RouteProbeView): string {
  const note = entryNote(probe)
  const route = `${probe.method} ${probe.address}, ${probe.rail}`
  return `${probeLine(probe)}\n  ${note === null ? route : `${route}, ${note}`}`
}
