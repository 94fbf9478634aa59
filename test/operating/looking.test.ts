import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import { SCHEMA_VERSION } from '../../src/store/schema-version.ts'
import { onEachEngine, temporaryFolder } from '../support/engines.ts'
import { tollbook } from '../support/program.ts'

const QUIET = { SOURCES: 'none', PROBE_CHECK: 'none', BASE_URL: 'https://directory.example' }
const folders: string[] = []
const folder = (): string => {
  const made = temporaryFolder()
  folders.push(made)
  return made
}
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

/** Every file with what is in it; the log's index is SQLite's own and says nothing. */
const filesIn = (place: string): string[] =>
  readdirSync(place)
    .filter((name) => !name.endsWith('-shm'))
    .toSorted()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(place, name)))
          .digest('hex')}`,
    )

const findingOf = (out: string, name: string): string =>
  new RegExp(`^(ok|warn|FAIL) +${name} +(.*)$`, 'm').exec(out)?.[0] ?? out

onEachEngine('doctor, verify and payments only look', (engine) => {
  it('at a store of this version, which they find well', async () => {
    const options = await engine.empty()
    const env = { ...QUIET, DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl }
    await (await openStore(options)).close()
    const before = filesIn(options.dataDir)
    expect((await tollbook(['verify'], env)).out).toBe('Verified 0 hosts, 0 differences.\n')
    expect((await tollbook(['payments'], env)).out).toBe('No payments.\n')
    const { out } = await tollbook(['doctor'], env)
    expect(findingOf(out, 'database')).toMatch(new RegExp(`^ok .*, schema version ${SCHEMA_VERSION}$`))
    expect(filesIn(options.dataDir)).toEqual(before)
  })

  it('at a store of an older version, which they leave as it is', async () => {
    const options = await engine.empty()
    const env = { ...QUIET, DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl }
    const store = await openStore(options)
    await store.write((writer) => writer.updateTable('schema_version').set({ version: 3 }).execute())
    await store.close()
    const before = filesIn(options.dataDir)
    const doctor = await tollbook(['doctor'], env)
    expect(findingOf(doctor.out, 'database')).toMatch(/^warn .*has schema version 3; this program needs \d+$/)
    const verify = await tollbook(['verify'], env)
    expect(verify.err).toMatch(
      /^tollbook: the data has schema version 3, this program needs \d+ \(.*changes nothing\)\n$/,
    )
    expect(verify.code).toBe(1)
    expect(filesIn(options.dataDir)).toEqual(before)
    expect((await tollbook(['payments'], env)).code).toBe(1)
  })

  it('at a store that is not there yet, which they do not make', async () => {
    const options = await engine.unmade()
    const place = join(options.dataDir, 'deep', 'data')
    const env = { ...QUIET, DATA_DIR: place, DATABASE_URL: options.databaseUrl }
    const { code, out } = await tollbook(['doctor'], env)
    expect(findingOf(out, 'database')).toMatch(/^ok .*the first start makes it/)
    expect(code).toBe(0)
    expect((await tollbook(['verify'], env)).code).toBe(1)
    expect(existsSync(place)).toBe(false)
    if (options.databaseUrl === undefined) return
    const client = new pg.Client({ connectionString: options.databaseUrl })
    await client.connect()
    const { rows } = await client.query("select count(*)::int as n from pg_tables where schemaname = 'public'")
    await client.end()
    expect(rows).toEqual([{ n: 0 }])
  })
})

describe('doctor comes to its end', () => {
  const doctor = (env: Record<string, string>) => tollbook(['doctor'], { ...QUIET, ...env })

  it.each(['/etc/passwd/x', '/proc/nope', '/proc/self/nope/deeper'])('where DATA_DIR is %s', async (DATA_DIR) => {
    const { code, out, err } = await doctor({ DATA_DIR })
    expect(err).toBe('')
    expect(findingOf(out, 'database')).toMatch(/^FAIL .*cannot be made/)
    expect(out).toMatch(/^1 to put right, and \d warnings\.\n$/m)
    expect(code).toBe(1)
  })

  it('where the store is not one', async () => {
    const place = folder()
    writeFileSync(join(place, 'tollbook.db'), 'no database at all, whatever its name says'.repeat(100))
    const { code, out } = await doctor({ DATA_DIR: place })
    expect(findingOf(out, 'database')).toMatch(/^FAIL .*file is not a database/)
    expect(code).toBe(1)
  })

  it('where nobody answers for Postgres', async () => {
    const { code, out } = await doctor({
      DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
      DATA_DIR: folder(),
    })
    expect(findingOf(out, 'database')).toMatch(/^FAIL .*cannot be used: .*ECONNREFUSED/)
    expect(out).not.toContain('secret')
    expect(code).toBe(1)
  })

  it('where the file of a source is missing, or is there', async () => {
    const place = folder()
    mkdirSync(join(place, 'listings'))
    writeFileSync(join(place, 'there.ndjson'), '')
    const SOURCES = `mine=file:${join(place, 'there.ndjson')},other=file:${join(place, 'missing.ndjson')}`
    const { code, out } = await doctor({ DATA_DIR: place, SOURCES })
    expect(findingOf(out, 'source mine')).toMatch(/^ok .*there\.ndjson$/)
    expect(findingOf(out, 'source other')).toMatch(/^FAIL .*missing\.ndjson cannot be read \(ENOENT\)$/)
    expect(code).toBe(1)
  })

  it('and names variables that nothing reads with the ones that were meant', async () => {
    const { out } = await doctor({
      DATA_DIR: folder(),
      DATABSE_URL: 'x',
      RATELIMITS: 'off',
      PGPORT: '1',
      LANGUAGE: 'en',
    })
    expect(out).toMatch(/^warn {2}variable DATABSE_URL +nothing reads it\n +→ did you mean DATABASE_URL\?$/m)
    expect(out).toMatch(/^warn {2}variable RATELIMITS +nothing reads it\n +→ did you mean RATE_LIMITS\?$/m)
    expect(out).not.toMatch(/PGPORT|LANGUAGE/)
  })

  it('also when whoever reads it leaves early', () => {
    const env = { ...process.env, ...QUIET, DATA_DIR: folder() }
    const script = `"${process.execPath}" bin/tollbook.js doctor | head -1`
    expect(execFileSync('bash', ['-c', script], { env, encoding: 'utf8', stdio: 'pipe' })).toMatch(/^ok +configuration/)
  })
})
