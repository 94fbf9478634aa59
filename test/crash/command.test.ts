import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { freshDatabase } from '../support/postgres.ts'
import { cleanEnvironment, ended, ROOT, tollbook } from '../support/program.ts'
import { startSeeded } from './seeded.ts'
import { linesOf } from './units.ts'

const KILLS = 5
const UNITS = [0, 1, 2, 3]

const folders: string[] = []
const aFolder = (): string => {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** `tollbook import`, killed after so long. */
async function killedImport(file: string, dataDir: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [resolve(ROOT, 'bin/tollbook.js'), 'import', file], {
    env: cleanEnvironment({ DATA_DIR: dataDir }),
  })
  const end = ended(child)
  await Promise.race([wait(afterMs), end])
  child.kill('SIGKILL')
  await end
}

describe('tollbook import', () => {
  it('that was killed is completed by running it again, and moves on from SQLite to Postgres', async () => {
    if (!existsSync(resolve(ROOT, 'dist'))) throw new Error('dist is missing: npm run build comes first')
    const folder = aFolder()
    const lines = UNITS.flatMap(linesOf)
    const file = join(folder, 'records.ndjson')
    writeFileSync(file, `${lines.join('\n')}\n`)

    const began = performance.now()
    const whole = await tollbook(['import', file], { DATA_DIR: aFolder() })
    const wholeMs = performance.now() - began
    expect(whole).toMatchObject({ code: 0, out: `Imported ${lines.length} records.\n` })

    const random = startSeeded('tollbook import')
    const sqlite = { DATA_DIR: aFolder() }
    // An import that is killed before it has opened anything would leave no store to verify.
    expect(await tollbook(['migrate'], sqlite)).toMatchObject({ code: 0 })
    for (let n = 0; n < KILLS; n++) {
      await killedImport(file, sqlite.DATA_DIR, random.between(Math.round(wholeMs * 0.2), Math.round(wholeMs)))
      expect(await tollbook(['verify'], sqlite)).toMatchObject({
        code: 0,
        out: expect.stringContaining(' 0 differences'),
      })
    }
    // What was durable before the last kill is not counted again.
    expect((await tollbook(['import', file], sqlite)).out).toMatch(
      /^Imported \d+ records(?:; \d+ of \d+ were there already)?\.\n$/,
    )
    expect((await tollbook(['import', file], sqlite)).out).toBe(
      `Imported 0 records; ${lines.length} of ${lines.length} were there already.\n`,
    )
    expect(await tollbook(['verify'], sqlite)).toMatchObject({ code: 0, out: 'Verified 6 hosts, 0 differences.\n' })
    const moved = join(folder, 'moved.ndjson')
    expect(await tollbook(['export', moved], sqlite)).toMatchObject({ code: 0 })
    const text = readFileSync(moved, 'utf8')
    expect(text.trimEnd().split('\n').toSorted()).toEqual(lines.toSorted())

    const server = inject('databaseUrl')
    if (server === null) return
    const postgres = { DATA_DIR: aFolder(), DATABASE_URL: await freshDatabase(server) }
    expect(await tollbook(['import', moved], postgres)).toMatchObject({ code: 0 })
    expect(await tollbook(['verify'], postgres)).toMatchObject({ code: 0, out: 'Verified 6 hosts, 0 differences.\n' })
    // Nothing else is said, of listeners that pile up neither.
    expect(await tollbook(['export'], postgres)).toEqual({ code: 0, out: text, err: '' })
  }, 180_000)

  it('of a file with a bad line says which, and imports nothing', async () => {
    const folder = aFolder()
    const file = join(folder, 'records.ndjson')
    writeFileSync(file, `${linesOf(0).join('\n')}\n{"kind":"rumour"}\n`)
    const data = { DATA_DIR: join(folder, 'data') }
    const { code, out, err } = await tollbook(['import', file], data)
    expect(code).not.toBe(0)
    expect(`${out}${err}`).toContain('line 2001: kind: ')
    expect((await tollbook(['export'], data)).out).toBe('')
  })
})
