import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
  /** Ended, and nobody has waited for it yet. */
  readonly isEnded: boolean
}

/** Every process of the machine. From `/proc` where there is one: small Linux images have no `ps`. */
export function processTable(): Process[] {
  if (existsSync('/proc/self/stat')) {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? fromProc(Number(name)) : []))
  }
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,command='], { encoding: 'utf8', maxBuffer: 1 << 26 })
  return rows.split('\n').flatMap((row) => {
    const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? []
    if (command === undefined) return []
    return [{ pid: Number(pid), parent: Number(parent), command, isEnded: state?.startsWith('Z') ?? false }]
  })
}

/** `<pid> (<name>) <state> <parent> …`, where the name may hold anything. */
function fromProc(pid: number): Process[] {
  try {
    const [, state, parent] = /^.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return [{ pid, parent: Number(parent), command, isEnded: state === 'Z' }]
  } catch {
    // It has ended since it was listed.
    return []
  }
}
