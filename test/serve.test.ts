import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onEachEngine, temporaryFolder } from './support/engines.ts'
import { type Running, serving, tollbook } from './support/program.ts'

const URL_OF_ROUTE = 'https://api.example.com/v1/x'
const LISTING = {
  kind: 'listing',
  source: 'bazaar',
  method: 'GET',
  url: URL_OF_ROUTE,
  rail: 'x402',
  price: '0.010000',
  network: 'base',
  label: 'directory-observed',
  first_observed: '2026-11-01T00:00:00.000000Z',
  last_observed: '2026-11-14T00:00:00.000000Z',
}
const probe = (date: string, http_status: number | null, latency_ms: number, error: string | null = null) => ({
  kind: 'probe',
  method: 'GET',
  url: URL_OF_ROUTE,
  rail: 'x402',
  date,
  http_status,
  latency_ms,
  error,
})

onEachEngine('a running server and the commands beside it', (engine) => {
  let folder: string
  let env: Record<string, string | undefined>
  let server: Running

  beforeEach(async () => {
    folder = temporaryFolder()
    const { dataDir, databaseUrl } = await engine.empty()
    env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
    // Probing would add entries of its own to what is imported here.
    server = await serving({ ...env, PROBE_OPT_OUT: '*.com' })
  })

  afterEach(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const importing = (records: readonly object[]) => {
    const file = join(folder, 'records.ndjson')
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'))
    return tollbook(['import', file], env)
  }
  const page = async (path: string, accept = 'application/json'): Promise<string> =>
    (await fetch(`${server.address}${path}`, { headers: { accept } })).text()

  it('show within a second what was imported, exactly as specified, in every representation', async () => {
    expect(await page('/hosts/api.example.com')).toContain('"status":404')
    await importing([LISTING])
    await expect.poll(() => page('/hosts/api.example.com'), { timeout: 1000 }).toContain('"routes":1')
    const { out } = await importing([
      probe('2026-11-14T12:34:56.123456Z', 402, 80),
      probe('2026-11-14T12:34:57.000001Z', 200, 161),
      probe('2026-11-14T12:34:58.000000Z', 415, 1400, 'unsupported media type'),
      probe('2026-11-14T12:34:59.000000Z', null, 10_000, 'deadline'),
    ])
    expect(out).toBe('Imported 4 records.\n')
    await expect.poll(() => page('/hosts/api.example.com'), { timeout: 1000 }).toContain('"machine_evidence_rows":4')
    const lines = [
      '1 answers · 1 402-correct · 1 failed · 1 unreachable',
      'Latency: 4 samples: minimum 80 ms, median 780.5 ms, maximum 10,000 ms',
      'bazaar: price 0.010000, network base, label directory-observed, observed 2026-11-01T00:00:00.000000Z to 2026-11-14T00:00:00.000000Z',
      'unreachable — date 2026-11-14T12:34:59.000000Z; HTTP no data; latency 10000 ms; error deadline',
      'failed — date 2026-11-14T12:34:58.000000Z; HTTP 415; latency 1400 ms; error unsupported media type',
      'answers — date 2026-11-14T12:34:57.000001Z; HTTP 200; latency 161 ms; error no data',
      '402-correct — date 2026-11-14T12:34:56.123456Z; HTTP 402; latency 80 ms; error no data',
    ]
    const texts = await Promise.all(
      ['text/html', 'text/markdown', 'application/json'].map((accept) => page('/hosts/api.example.com', accept)),
    )
    for (const text of texts) {
      for (const line of [
        ...lines,
        'Machine-observed probe history',
        'This evidence is not a review.',
        'Reviews for this route',
        'No thread posts exist.',
      ]) {
        expect(text).toContain(line)
      }
      expect(lines.slice(3).map((line) => text.indexOf(line))).toEqual(
        lines
          .slice(3)
          .map((line) => text.indexOf(line))
          .toSorted((a, b) => a - b),
      )
    }
    const cards = await page('/hosts/api.example.com?view=cards', 'text/html')
    expect(cards.replaceAll(/<[^>]*>/g, '')).toMatch(
      /Price: 0\.010000Rail: x402Network: baseD-184Probe status: unverified/,
    )
  })

  it('import nothing of a file with a bad line, and name the line', async () => {
    const { code, err } = await importing([
      LISTING,
      probe('2026-11-14T12:34:56.123456Z', 402, 80),
      { ...LISTING, price: '0.01' },
    ])
    expect(code).toBe(1)
    expect(err).toMatch(
      /^tollbook: line 3: price: expected a decimal with six fractional digits, or null; nothing was imported \([^\n]+\)\n$/,
    )
    expect(await page('/v1/hosts')).toBe('{"sort":"host","hosts":[],"next":null}\n')
  })

  it('export while the server runs, and the export gives the same views elsewhere', async () => {
    await importing([LISTING, probe('2026-11-14T12:34:56.123456Z', 402, 80)])
    const file = join(folder, 'everything.ndjson')
    expect((await tollbook(['export', file], env)).code).toBe(0)
    const other = await engine.empty()
    const there = { DATA_DIR: other.dataDir, DATABASE_URL: other.databaseUrl }
    await tollbook(['import', file], there)
    expect((await tollbook(['export'], there)).out).toBe(readFileSync(file, 'utf8'))
    expect((await tollbook(['verify'], there)).out).toBe('Verified 1 host, 0 differences.\n')
  })

  it('keep everything that was acknowledged when the server is killed', async () => {
    await importing([LISTING])
    await server.stop('SIGKILL')
    server = await serving({ ...env, PROBE_OPT_OUT: '*.com' })
    expect(await page('/hosts/api.example.com')).toContain('"routes":1')
  })
})
