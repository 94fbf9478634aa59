import { classify, type ProbeResult } from '../../domain/probe.ts'
import type { RouteProbeView } from '../../views/host/host-view.ts'

/** Entries in a row whose results are of one class, newest first. */
export interface ProbeRun {
  readonly result: ProbeResult
  readonly entries: readonly RouteProbeView[]
}

export function runsOf(entries: readonly RouteProbeView[]): ProbeRun[] {
  const runs: { result: ProbeResult; entries: RouteProbeView[] }[] = []
  for (const entry of entries) {
    const result = classify(entry.httpStatus)
    const last = runs.at(-1)
    if (last?.result === result) last.entries.push(entry)
    else runs.push({ result, entries: [entry] })
  }
  return runs
}
