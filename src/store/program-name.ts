import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** Of this process alone: another that has its number, before it or after it, has another one. */
const PROCESS = randomUUID().slice(0, 8)
let names = 0

/** This program, unlike every other that shares its store: `<machine>:<process>:<what makes it one of its kind>`. */
export const programName = (): string => `${hostname()}:${process.pid}:${PROCESS}-${names++}`

const NAME = /^(.+):(\d+):([^:]+)$/

/**
 * Whether a program of this machine has ended, by its name. Of other machines nothing is known, and containers are machines
 * here: each has its own name and numbers of processes.
 */
export function isEndedProgram(name: string): boolean {
  const [, machine, pid, one = ''] = NAME.exec(name) ?? []
  if (machine !== hostname() || pid === undefined) return false
  return Number(pid) === process.pid ? !one.startsWith(`${PROCESS}-`) : !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
