import { thousands } from '../../domain/count.ts'
import { latencyLine } from '../../domain/latency.ts'
import { type Now, nowLine } from '../../domain/now/now.ts'
import { summaryLine } from '../../domain/probe.ts'
import type { RouteView } from '../../views/host/host-view.ts'
import type { ProbeWindow } from '../../views/route/windows.ts'
import { neverProbed, placeLines, requestedLine, whyUnprobed } from '../now/now-words.ts'

export const nowText = (route: RouteView): string =>
  route.now === null ? neverProbed(whyUnprobed(route)) : nowLine(route.now)

/** Beside what is true now: that somebody turned probes away, and what each vantage sees. */
export const besideNow = (now: Now | null): string[] => (now === null ? [] : placeLines(now))

/** `- 7 d: …` with how often payment was requested and the latency, p95 too. */
export function windowItem({ name, results, latency }: ProbeWindow): string {
  const p95 = latency === null ? '' : `, p95 ${thousands(latency.p95Ms)} ms`
  return `- ${name}: ${requestedLine(results)}\n  ${summaryLine(results)}\n  ${latencyLine(latency)}${p95}`
}
