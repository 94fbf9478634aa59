import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../support/engines.ts'
import { cleanEnvironment, ended, listening, ROOT, type Running } from '../support/program.ts'

// No container engine can run here: its steps are done by hand, with exactly the files that they name.
const [BUILD = '', IMAGE = ''] = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  .split(/^FROM .*$/m)
  .slice(1)
const NOBODY = 65_534
const MINUTES_MS = 300_000

/** `COPY a b into` as `[['a', 'b'], 'into']`. */
const copiesIn = (stage: string): [string[], string][] =>
  [...stage.matchAll(/^COPY (?:--from=\w+ )?(.+) (\S+)$/gm)].map(([, files = '', into = '']) => [
    files.split(' '),
    into,
  ])

/** What the engine does not see of the checkout. */
const IGNORED = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')

const isIgnored = (file: string): boolean =>
  IGNORED.some((pattern) =>
    pattern.startsWith('**/*') ? file.endsWith(pattern.slice(4)) : file.split('/')[0] === pattern,
  )

/** Packages that are left when those of development are gone, as the lock file has them. */
function packagesOfImage(): string[] {
  const lock = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')))
  return Object.entries(lock.packages)
    .filter(([place, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place) && dev !== true)
    .filter(([place]) => existsSync(join(ROOT, place)))
    .map(([place]) => place)
}

/** Linked where the disk is the same one: a hundred thousand files. */
function copyPackages(places: readonly string[], target: string): void {
  const copy = (how: string): Buffer =>
    execFileSync('cp', [how, '--parents', '-t', target, ...places], { cwd: ROOT, stdio: 'pipe' })
  try {
    copy('-al')
  } catch {
    copy('-a')
  }
}

describe('the container', () => {
  const folder = temporaryFolder()
  const build = join(folder, 'build')
  const image = join(folder, 'app')
  const data = join(folder, 'data')
  let running: Running

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    for (const place of [build, image, data]) mkdirSync(place)
    for (const [files, into] of copiesIn(BUILD)) {
      for (const file of files) {
        const target = into === './' ? join(build, file) : join(build, into)
        const filter = (path: string): boolean => !isIgnored(relative(ROOT, path))
        cpSync(join(ROOT, file), target, { recursive: true, filter })
      }
    }
    symlinkSync(join(ROOT, 'node_modules'), join(build, 'node_modules'))
    const prepared = await ended(spawn('npm', ['run', 'prepare'], { cwd: build, env: cleanEnvironment({}) }))
    expect(prepared.code, prepared.out + prepared.err).toBe(0)
    for (const [files, into] of copiesIn(IMAGE)) {
      for (const file of files.map((name) => name.replace('/app/', ''))) {
        if (file === 'node_modules') continue
        cpSync(join(build, file), into === './' ? join(image, file) : join(image, into), { recursive: true })
      }
    }
    copyPackages(packagesOfImage(), image)
    chownSync(data, NOBODY, NOBODY)
  }, MINUTES_MS)

  afterAll(async () => {
    await running?.stop()
    rmSync(folder, { recursive: true, force: true })
  }, MINUTES_MS)

  const entry = /^ENTRYPOINT (.+)$/m.exec(IMAGE)?.[1] ?? ''
  const command = /^CMD (.+)$/m.exec(IMAGE)?.[1] ?? ''
  const words: string[] = [entry, command]
    .flatMap((json) => z.array(z.string()).parse(JSON.parse(json)))
    .map((word) => word.replace('/app/', `${image}/`))
  const asNobody = { uid: NOBODY, gid: NOBODY, cwd: image }
  const environment = { NODE_ENV: 'production', DATA_DIR: data, PORT: '0', SOURCES: 'none', HOME: data }

  it('holds what its files name, and starts as nobody', async () => {
    const [program = '', ...argv] = words
    running = await listening(
      spawn(program === 'node' ? process.execPath : program, argv, { ...asNobody, env: cleanEnvironment(environment) }),
    )
    expect((await fetch(`${running.address}/readyz`)).status).toBe(200)
    expect((await fetch(`${running.address}/`)).status).toBe(200)
  })

  it('is healthy by its own health check, whatever PORT says, and not when nobody answers', () => {
    const check = z
      .tuple([z.string(), z.string(), z.string()])
      .parse(JSON.parse(/HEALTHCHECK[\s\S]+?CMD (\[.+\])$/m.exec(IMAGE)?.[1] ?? ''))
    const asked = (PORT: string): number | null => {
      try {
        execFileSync(process.execPath, check.slice(1), { ...asNobody, env: cleanEnvironment({ PORT }), stdio: 'pipe' })
        return 0
      } catch (error) {
        return error instanceof Error && 'status' in error ? Number(error.status) : null
      }
    }
    expect(asked(new URL(running.address).port)).toBe(0)
    expect(asked('1')).toBe(1)
  })

  it('runs commands beside it on the same store', async () => {
    const { code, out } = await ended(
      spawn(process.execPath, [resolve(image, 'bin/tollbook.js'), 'verify'], {
        ...asNobody,
        env: cleanEnvironment(environment),
      }),
    )
    expect([code, out]).toEqual([0, 'Verified 0 hosts, 0 differences.\n'])
  })
})
