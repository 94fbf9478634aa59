import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { RUN } from './run-guard.mjs'

const ABOVE = resolve(import.meta.dirname, '../..')
/** The checkout, also for what was built from it. */
export const ROOT = basename(ABOVE) === 'dist' ? dirname(ABOVE) : ABOVE
const COMMAND = resolve(ROOT, 'bin/tollbook.js')

/** The file of a program that only a checkout starts; `scripts/bundle-program.mjs` names them. */
export function joined(name: string): string {
  const file = resolve(ROOT, `dist/joined/${name}.js`)
  if (!existsSync(file)) throw new Error('dist is missing or old: npm run build comes first')
  return file
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Names the files of a Postgres that nobody has started yet: a copy is made in a tenth of the time. */
export const UNUSED_POSTGRES = 'TOLLBOOK_TEST_POSTGRES'

/** The environment of a program under test: nothing of the developer's own configuration. */
export const cleanEnvironment = (more: Record<string, string | undefined>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  // By which it is ended when the test run is.
  [RUN]: process.env[RUN],
  [UNUSED_POSTGRES]: process.env[UNUSED_POSTGRES],
  ...more,
})

/** Runs `tollbook …` of the build to its end. */
export function tollbook(argv: readonly string[], env: Record<string, string | undefined>, cwd = ROOT): Promise<Ended> {
  if (!existsSync(resolve(ROOT, 'dist'))) throw new Error('dist is missing: npm run build comes first')
  return ended(spawn(process.execPath, [COMMAND, ...argv], { cwd, env: cleanEnvironment(env) }))
}

export function ended(child: ChildProcess): Promise<Ended> {
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })))
}

export interface Running {
  readonly address: string
  readonly child: ChildProcess
  /** SIGTERM, and how it ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Waits until a program says on which address it listens. */
export async function listening(
  child: ChildProcess,
  saying = /Tollbook listens on (http:\/\/[^\s"]+)/,
): Promise<Running> {
  const end = ended(child)
  const address = await new Promise<string>((found, failed) => {
    let seen = ''
    child.stdout?.on('data', (chunk) => {
      seen += chunk
      const match = saying.exec(seen)
      if (match?.[1]) found(match[1])
    })
    void end.then(({ code, out, err }) => failed(new Error(`ended with ${code}: ${out}${err}`)))
  })
  return {
    address,
    child,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return end
    },
  }
}

export const serving = (env: Record<string, string | undefined>, ...words: readonly string[]): Promise<Running> =>
  listening(
    spawn(process.execPath, [COMMAND, 'serve', ...words], {
      cwd: ROOT,
      env: cleanEnvironment({ PORT: '0', RATE_LIMITS: 'off', SOURCES: 'none', LOG_LEVEL: 'warn', ...env }),
    }),
  )
