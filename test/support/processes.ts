import { readdirSync, readFileSync } from 'node:fs'

/** All processes that descend from one, by id. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (of: number): number[] => (children.get(of) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

function parentOf(name: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1])
  } catch {
    // It has ended meanwhile.
    return undefined
  }
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
