import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './asking.ts'
import { guarded } from './serve.ts'

/** A disk of its own, of a few megabytes, that only programs started by `node` see under `folder`. */
export interface SmallDisk {
  readonly folder: string
  /** How a program is started that sees it. */
  readonly node: readonly [string, ...string[]]
  /** Takes all room but so many bytes. */
  fill(leave: number): void
  empty(): void
  stop(): Promise<void>
}

const MEGABYTE = 1024 * 1024
const PATIENCE_MS = 10_000

/** `undefined` where this user may not mount anything, not even for itself. */
export async function openSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | undefined> {
  for (const own of [[], ['--user', '--map-root-user']]) {
    const mount = `mount -t tmpfs -o size=${megabytes}m none "$1" && echo mounted && exec sleep 3600`
    const holder = guarded(spawn('unshare', [...own, '--mount', 'sh', '-c', mount, 'sh', folder]))
    if (await isMounted(holder)) return diskOf(holder, folder, own.length > 0)
  }
  return undefined
}

const isMounted = (holder: ChildProcess): Promise<boolean> =>
  new Promise((done) => {
    holder.once('error', () => done(false))
    holder.once('exit', () => done(false))
    holder.stdout?.once('data', () => done(true))
  })

function diskOf(holder: ChildProcess, folder: string, isOwnUser: boolean): SmallDisk {
  const pid = String(holder.pid)
  const seen = join('/proc', pid, 'root', folder)
  const filler = join(seen, 'filler')
  const enter = ['--target', pid, '--mount', ...(isOwnUser ? ['--user', '--preserve-credentials'] : [])]
  return {
    folder,
    node: ['nsenter', ...enter, '--', process.execPath],
    fill: (leave) => {
      const file = openSync(filler, 'a')
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(seen)
          const room = bavail * bsize - leave
          if (room <= 0) return
          writeSync(file, Buffer.alloc(Math.min(room, MEGABYTE)))
        }
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler),
    stop: async () => {
      holder.kill('SIGKILL')
      await until(() => holder.exitCode !== null || holder.signalCode !== null, PATIENCE_MS)
    },
  }
}

/** Runs a command of the build where the disk is seen, and gives what it printed. */
export const runOn = (
  { node: [command, ...before] }: SmallDisk,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): string => execFileSync(command, [...before, ...argv], { env, encoding: 'utf8' })
