import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CATALOGUE } from '../../src/cli/catalogue/catalogue.ts'
import { temporaryFolder } from '../support/engines.ts'
import { cleanEnvironment, type Ended, ended, ROOT } from '../support/program.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (command: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  ended(spawn(command, argv, { cwd: folder, env: cleanEnvironment({ DATA_DIR: join(folder, 'data'), ...env }) }))

const tollbook = (...argv: string[]): Promise<Ended> => run(process.execPath, [join(ROOT, 'bin/tollbook.js'), ...argv])

const coverage = z.object({ result: z.array(z.object({ url: z.string() })) })

/** Every file that a run of the command has executed. */
async function filesRunBy(...argv: string[]): Promise<string[]> {
  const into = join(folder, `coverage-${argv.join('')}`)
  const { code } = await run(process.execPath, [join(ROOT, 'bin/tollbook.js'), ...argv], { NODE_V8_COVERAGE: into })
  expect(code).toBe(0)
  return readdirSync(into)
    .flatMap((file) => coverage.parse(JSON.parse(readFileSync(join(into, file), 'utf8'))).result)
    .flatMap(({ url }) => (url.startsWith('file:') ? [url.slice(url.indexOf(ROOT) + ROOT.length + 1)] : []))
}

const MOST_BYTES = 60_000

describe('bin/tollbook.js', () => {
  it('runs by its own name', async () => {
    expect(statSync(join(ROOT, 'bin/tollbook.js')).mode & 0o111).toBe(0o111)
    const { code, out } = await run(join(ROOT, 'bin/tollbook.js'), ['--version'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
  })

  it.each([['--help'], ['--version'], ['post', '--help']])('loads no package for %s', async (...argv) => {
    const files = await filesRunBy(...argv)
    expect(files).toContain('dist/program/tollbook.js')
    expect(files.filter((file) => !/^(bin|dist\/program)\//.test(file))).toEqual([])
    // The packages are joined with the program; the smallest of them is larger than all of this.
    const bytes = files.reduce((sum, file) => sum + statSync(join(ROOT, file)).size, 0)
    expect(bytes).toBeLessThan(MOST_BYTES)
  })

  it.each(CATALOGUE.map(({ name }) => name))('explains %s', async (name) => {
    const { code, out, err } = await tollbook(name, '--help')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(`Usage: tollbook ${name}`)
    expect(out).toMatch(`\nExample\n  node bin/tollbook.js ${name}`)
  })

  it.each([
    [['doctr'], 'unknown command doctr (did you mean doctor? tollbook --help lists them)'],
    [['serve', '--role', 'web'], "Unknown option '--role' (did you mean --roles? tollbook serve --help lists them)"],
    [
      ['post', 'a.example', '--txt', 'x'],
      "Unknown option '--txt' (did you mean --text? tollbook post --help lists them)",
    ],
    [['migrate', '--now'], "Unknown option '--now' (tollbook migrate --help lists them)"],
    [
      ['import'],
      '<file>: expected an NDJSON file of records, a folder of an archive, or - (usage: tollbook import <file>)',
    ],
    [
      ['hide', 'post', 'x'],
      '--reason: expected why, in a line that everybody may read (usage: tollbook hide <kind> <id> --reason "…")',
    ],
  ])('called as %j says in one line what was meant, and ends with 2', async (argv, line) => {
    expect(await tollbook(...argv)).toEqual({ code: 2, out: '', err: `tollbook: ${line}\n` })
  })

  it('says what to do in a checkout that is not built, or not installed', async () => {
    const checkout = join(folder, 'checkout')
    cpSync(join(ROOT, 'bin'), join(checkout, 'bin'), { recursive: true })
    const called = (...argv: string[]): Promise<Ended> =>
      run(process.execPath, [join(checkout, 'bin/tollbook.js'), ...argv])
    const said = (line: string): Ended => ({ code: 1, out: '', err: `tollbook: ${line}\n` })
    expect(await called('--help')).toEqual(said('this checkout is not built (run npm ci in it)'))
    mkdirSync(join(checkout, 'node_modules'))
    expect(await called('--help')).toEqual(said('this checkout is not built (run npm run build in it)'))
    cpSync(join(ROOT, 'package.json'), join(checkout, 'package.json'))
    for (const part of ['dist/program', 'dist/src']) cpSync(join(ROOT, part), join(checkout, part), { recursive: true })
    expect(await called('--version')).toMatchObject({ code: 0, err: '' })
    expect(await called('serve')).toEqual(said('the package pino is not installed (run npm ci)'))
    // A newer Node has SQLite itself.
    if (process.getBuiltinModule('node:sqlite') === undefined)
      expect(await called('migrate')).toEqual(said('the package @photostructure/sqlite is not installed (run npm ci)'))
  })
})
