import { entryNote } from '../../domain/now/sights-line.ts'
import { probeLine } from '../../domain/probe.ts'
import type { ProbeView, RouteProbeView } from '../../views/host/host-view.ts'

/** The exact printed lines, and below each from where it was looked at, where the prober said so. */
export function entriesText(probes: readonly ProbeView[]): string {
  let text = ''
  for (const probe of probes) {
    const note = entryNote(probe)
    text += text === '' ? probeLine(probe) : `\n${probeLine(probe)}`
    if (note !== null) text += `\n  ${note}`
  }
  return text
}

/** In a list over several routes: the exact line, and below it the route. */
export function routeEntryText(probe: RouteProbeView): string {
  const note = entryNote(probe)
  const route = `${probe.method} ${probe.address}, ${probe.rail}`
  return `${probeLine(probe)}\n  ${note === null ? route : `${route}, ${note}`}`
}
