import { readFileSync } from 'node:fs'

/** The most bytes that a process has held since it began to run its program. Linux alone tells of others. */
export function peakOf(pid: number): number | undefined {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

/** Of this process. What the system counts by itself has what its parent held when it was started among it. */
export const ownPeak = (): number => peakOf(process.pid) ?? process.resourceUsage().maxRSS * 1024
