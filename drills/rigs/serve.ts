import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { cleanEnvironment, listening, ROOT, type Running } from '../../test/support/program.ts'

export const COMMAND = resolve(ROOT, 'bin/tollbook.js')

/** Loaded before a program, by `--import`: its wall clock then follows a file. Of the sources, as it is. */
export const SHIFTED_CLOCK = resolve(ROOT, 'drills/children/shifted-clock.mjs')

/** What every directory of a drill is started with. */
export const QUIET = {
  ...{ PORT: '0', BIND: '127.0.0.1', RATE_LIMITS: 'off', SOURCES: 'none', PROBE_CHECK: 'none', LOG_LEVEL: 'warn' },
  BASE_URL: 'http://tollbook.example',
} as const

export interface Served extends Running {
  readonly port: number
  readonly pid: number
  /** Lines of its log so far. */
  readonly lines: readonly string[]
  /** kill -9. Resolves when it is gone. */
  kill(): Promise<void>
}

/** A process that does not outlive this one. */
export function guarded(child: ChildProcess): ChildProcess {
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

/** `tollbook serve` of the build, as an operator starts it. `node` is how Node is called, for those who change it. */
export async function startServe(
  env: Readonly<Record<string, string | undefined>>,
  node: readonly [string, ...string[]] = [process.execPath],
): Promise<Served> {
  const [command, ...before] = node
  const child = guarded(
    spawn(command, [...before, COMMAND, 'serve'], { cwd: ROOT, env: cleanEnvironment({ ...QUIET, ...env }) }),
  )
  const lines: string[] = []
  child.stdout?.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')))
  child.stderr?.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')))
  const running = await listening(child)
  return {
    ...running,
    port: Number(new URL(running.address).port),
    pid: child.pid ?? 0,
    lines,
    kill: async () => {
      await running.stop('SIGKILL')
    },
  }
}
