import { readFileSync } from 'node:fs'
import { processTable } from './process-table.ts'

/** All processes that descend from one, by id. */
export function descendants(pid: number): number[] {
  const all = processTable()
  const below = (of: number): number[] =>
    all.flatMap((child) => (child.parent === of ? [child.pid, ...below(child.pid)] : []))
  return below(pid)
}

/** Kernel ticks in a second, which Linux has told programs for decades. */
const TICKS = 100
const USER_TIME = 11
const SYSTEM_TIME = 12

/** Seconds of processor time that a process and all that descend from it have used so far. */
export const cpuSeconds = (pid: number): number =>
  [pid, ...descendants(pid)].reduce((sum, each) => {
    const fields = statOf(each)
    return sum + (Number(fields[USER_TIME] ?? 0) + Number(fields[SYSTEM_TIME] ?? 0)) / TICKS
  }, 0)

/** The fields of `/proc/<pid>/stat` behind the name, which may hold spaces. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // It has ended meanwhile.
    return []
  }
}
