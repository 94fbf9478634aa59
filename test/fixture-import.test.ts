import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { RESULTS, type ResultCounts } from '../src/domain/probe.ts'
import type { Store } from '../src/store/store.ts'
import { importFile } from '../src/store/transfer/import.ts'
import { verifyStore } from '../src/store/transfer/verify.ts'
import { directoryOf } from './support/directory.ts'
import { onEachEngine, temporaryFolder } from './support/engines.ts'
import { fixtureRecords } from './support/fixture-records.ts'

const FIXTURE = resolve(import.meta.dirname, '../../shared/fixtures/bazaar-probes.ndjson')
const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type PerHost = Record<string, ResultCounts>

/** Lines `<count> <host> <status>` by tools that know nothing of this program. */
function counted(file: string): PerHost {
  const cut = String.raw`sed -E 's#^\{"url": "https?://([^/?"]*)[^"]*", .*"status": ([^,]*), .*#\1 \2#' "$0"`
  const text = execFileSync('sh', ['-c', `${cut} | sort | uniq -c`, file], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  const hosts: Record<string, Record<keyof ResultCounts, number>> = {}
  for (const line of text.trim().split('\n')) {
    const [, n, host = '', status] = /^ *(\d+) (\S+) (\d+|null)$/.exec(line) ?? expect.fail(`not a count: ${line}`)
    const counts = hosts[host] ?? { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }
    hosts[host] = counts
    if (status === 'null') counts.unreachable += Number(n)
    else if (status === '402') counts['402-correct'] += Number(n)
    else counts[Number(status) < 400 ? 'answers' : 'failed'] += Number(n)
  }
  return hosts
}

/** What the views of all hosts say. */
async function shown(store: Store): Promise<PerHost> {
  const directory = directoryOf(store)
  const hosts: PerHost = {}
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof directory.hosts>> = await directory.hosts({
      ...{ q: null, rail: null, network: null, maxPrice: null, result: null, sort: 'host' },
      limit: 200,
      cursor,
    })
    for (const { host } of page.items) {
      const view = await directory.hostView(host, { limit: 1, cursor: null })
      const counts = view?.results ?? expect.fail(`${host} is listed and has no view`)
      hosts[host] = counts
      expect(view?.latency?.samples).toBe(total({ [host]: counts }))
      expect(view?.counters.machineEvidenceRows).toBe(total({ [host]: counts }))
    }
    cursor = page.next
  } while (cursor !== null)
  return hosts
}

const total = (hosts: PerHost): number =>
  Object.values(hosts).reduce((sum, counts) => sum + RESULTS.reduce((n, result) => n + counts[result], 0), 0)

async function imported(store: Store, file: string): Promise<ReturnType<typeof fixtureRecords>> {
  const made = fixtureRecords(readFileSync(file, 'utf8'))
  const records = join(folder, 'records.ndjson')
  writeFileSync(records, made.records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  expect(await importFile(store, records, [])).toBe(made.records.length)
  expect((await verifyStore(store, () => undefined)).differences).toBe(0)
  return made
}

const outcome = (
  url: string,
  second: number,
  status: number | null,
  latencyMs: number | null = 70,
  error: string | null = null,
): string =>
  `{"url": "${url}", "at": "2026-08-22T06:21:${String(second).padStart(2, '0')}.954Z", "status": ${status}, "latencyMs": ${latencyMs}, "error": ${JSON.stringify(error)}}\n`

onEachEngine('the import of probe outcomes', (engine) => {
  it('gives the counts that sort and uniq give, on an invented file', async () => {
    const file = join(folder, 'invented.ndjson')
    const taken = [
      outcome('https://a.example/v1/x', 1, 402),
      outcome('https://a.example/v1/x', 2, 402),
      outcome('https://a.example/v1/:id', 3, 200),
      outcome('http://a.example/v1/x?y=1', 4, 404),
      outcome('https://b.example/{id}', 5, null, null, 'fetch failed'),
      outcome('https://b.example/{id}', 6, null, 10_000, 'timed out'),
      outcome('https://b.example/', 7, 503),
      outcome('https://b.example:8443/', 8, 301),
    ]
    const left = [outcome('https://127.0.0.1/v1', 9, 200), outcome('https://seller.internal/v1', 10, 402)]
    writeFileSync(file, taken.join(''))
    const whole = join(folder, 'whole.ndjson')
    writeFileSync(whole, [...taken, ...left].join(''))
    const store = await engine.open()
    const { records, refused } = await imported(store, whole)
    expect(refused).toEqual([
      { line: 9, reason: 'url: an IP address is not a seller host' },
      { line: 10, reason: 'url: names under .internal are not public' },
    ])
    expect(records[0]).toEqual({
      kind: 'probe',
      ...{ method: 'GET', url: 'https://a.example/v1/x', rail: 'x402' },
      date: '2026-08-22T06:21:01.954000Z',
      ...{ http_status: 402, latency_ms: 70, error: null },
    })
    const hosts = await shown(store)
    expect(hosts).toEqual({
      'a.example': { answers: 1, '402-correct': 2, failed: 1, unreachable: 0 },
      'b.example': { answers: 0, '402-correct': 0, failed: 1, unreachable: 2 },
      'b.example:8443': { answers: 1, '402-correct': 0, failed: 0, unreachable: 0 },
    })
    expect(hosts).toEqual(counted(file))
  })

  it.skipIf(!existsSync(FIXTURE))('gives the counts that sort and uniq give, on real outcomes', async () => {
    const store = await engine.open()
    const { records, refused } = await imported(store, FIXTURE)
    const lines = Number(execFileSync('wc', ['-l', FIXTURE], { encoding: 'utf8' }).split(' ')[0])
    expect(records.length + refused.length).toBe(lines)
    expect(refused).toEqual([])
    const hosts = await shown(store)
    expect(hosts).toEqual(counted(FIXTURE))
    expect(total(hosts)).toBe(lines)
  })
})
