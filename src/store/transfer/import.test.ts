import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, expect, inject, it } from 'vitest'
import { anyEvidence } from '../../../test/support/any-evidence.ts'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import {
  aChallenge,
  aListing,
  aPost,
  aProbe,
  aReview,
  aRoute,
  evidence,
  NOON_US,
} from '../../../test/support/samples.ts'
import { SQLITE_FILE } from '../engines/sqlite-file.ts'
import { openStore } from '../open.ts'
import type { Store } from '../store.ts'
import { type Evidence, NO_EVIDENCE } from './evidence.ts'
import { exportRecords } from './export.ts'
import { importFile } from './import.ts'
import { saveEvidence } from './save-evidence.ts'
import { verifyStore } from './verify.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function fileOf(text: string): string {
  const file = join(folder, `${files++}.ndjson`)
  writeFileSync(file, text)
  return file
}

async function exported(store: Store): Promise<string> {
  let text = ''
  await exportRecords(store, async (records) => {
    for (const record of records) text += `${JSON.stringify(record)}\n`
  })
  return text
}

async function differences(store: Store): Promise<unknown[]> {
  const found: unknown[] = []
  await verifyStore(store, (difference) => found.push(difference))
  return found
}

/** Runs `work` on an empty store of each engine there is. */
async function onEmptyStores(work: (store: Store) => Promise<void>): Promise<void> {
  const server = inject('databaseUrl')
  const made = inject('madeStores')
  const addresses = server === null ? [undefined] : [undefined, await freshDatabase(server, made?.postgres)]
  for (const databaseUrl of addresses) {
    const dataDir = mkdtempSync(join(folder, 'store-'))
    if (made !== null) copyFileSync(made.sqlite, join(dataDir, SQLITE_FILE))
    const store = await openStore({ dataDir, databaseUrl })
    try {
      await work(store)
    } finally {
      await store.close()
    }
  }
}

const HOST = 'api.seller.example'

/** Every kind, and every field that may be there or not; what is folded has its own test. */
const ONE_OF_ALL: Evidence = {
  ...NO_EVIDENCE,
  listings: [
    aListing(),
    aListing({ price: null, network: null, source: 'other source' }),
    aListing({ price: 0, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }),
    // A name that every object has.
    aListing({ network: 'constructor' }),
    aListing({ host: 'b.example:8443', scheme: 'http', method: 'DELETE', path: '/{id}?q=%7Bq%7D', rail: 'mpp' }),
  ],
  ownership: [
    { host: HOST, signer: '0xpayee', origin: `https://${HOST}`, proof: '0x55', firstUs: NOON_US, lastUs: NOON_US + 7 },
  ],
  payees: [
    { ...aRoute(), network: 'base', payee: '0xpayee', asset: null, origin: 'listing', firstUs: 1, lastUs: 2 },
    { ...aRoute(), network: 'base', payee: '0xpayee', asset: '0xasset', origin: 'challenge', firstUs: 1, lastUs: 2 },
  ],
  probes: [
    aProbe(),
    aProbe({ atUs: NOON_US + 1, challenge: aChallenge(10_000), remoteAddress: '192.0.2.1' }),
    aProbe({ atUs: NOON_US + 2, timings: { dnsMs: 0, connectMs: 1, tlsMs: null, firstByteMs: 3 } }),
    aProbe({ atUs: 0, httpStatus: null, latencyMs: 0, error: 'timed out' }),
  ],
  reviews: [
    aReview(),
    aReview({
      id: 'r2',
      level: 'Verified buyer',
      payment: { network: 'base', transaction: '0x1' },
      receipt: { a: [null] },
    }),
    aReview({ id: 'r3', wallet: null, signature: null, signedAt: null, level: 'Unsigned', superseded: true }),
    aReview({ id: 'r4', excluded: 'founder', levelReason: 'because', path: '/{id}', url: `https://${HOST}/7` }),
    aReview({ id: 'r5', wallet: null, signature: null, signedAt: null, hidden: { atUs: NOON_US, reason: 'spam' } }),
  ],
  posts: [
    aPost(),
    aPost({ id: 'p2', text: 'two\nlines \u2028 "quoted" 👍', hidden: { atUs: NOON_US, reason: 'spam' } }),
  ],
  events: [
    { host: HOST, kind: 'route-appeared', atUs: NOON_US, route: aRoute({ path: '/only-in-an-event' }), data: { a: 1 } },
    { host: 'only-in-an-event.example', kind: 'noted', atUs: NOON_US, route: null, data: { text: '\u2029\0\ud800' } },
  ],
}

onEachEngine('transfer', (engine) => {
  it('carries every kind of evidence to an empty store of either engine, to the byte', async () => {
    const source = await engine.open()
    await saveEvidence(source, ONE_OF_ALL)
    const text = await exported(source)
    const lines = text.split('\n')
    const kinds = ['listing', 'payee', 'probe', 'review', 'post', 'event', 'ownership']
    const counts = kinds.map((kind) => lines.filter((line) => line.startsWith(`{"kind":"${kind}"`)).length)
    expect(counts).toEqual([5, 2, 4, 5, 2, 2, 1])
    await onEmptyStores(async (target) => {
      expect(await importFile(target, fileOf(text), [])).toBe(21)
      expect(await exported(target)).toBe(text)
      expect(await differences(target)).toEqual([])
    })
  })

  it('gives the same bytes again, in any order of lines and however often', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvidence, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat()),
        async (batches, order) => {
          const source = await openStore(await engine.empty())
          for (const batch of batches) await saveEvidence(source, batch)
          const text = await exported(source)
          expect(await differences(source)).toEqual([])
          await source.close()
          const lines = text.split('\n').filter((line) => line !== '')
          const rank = new Map(lines.map((line) => [line, order.next().value]))
          const shuffled = lines.toSorted((a, b) => Number(rank.get(a)) - Number(rank.get(b)))
          await onEmptyStores(async (target) => {
            expect(await importFile(target, fileOf(shuffled.join('\n')), [])).toBe(lines.length)
            expect(await exported(target)).toBe(text)
            expect(await differences(target)).toEqual([])
            await importFile(target, fileOf(text), [])
            expect(await exported(target)).toBe(text)
            expect(await differences(target)).toEqual([])
          })
        },
      ),
      { numRuns: 4 },
    )
  })

  it('adds what one file has to what is there, and nothing twice', async () => {
    const store = await engine.open()
    await saveEvidence(store, ONE_OF_ALL)
    const whole = await exported(store)
    const lines = whole.split('\n').filter((line) => line !== '')
    await onEmptyStores(async (target) => {
      for (const part of [lines.slice(0, 12), lines.slice(5), lines.slice(3, 15)]) {
        await importFile(target, fileOf(part.join('\n')), [])
      }
      expect(await exported(target)).toBe(whole)
      expect(await differences(target)).toEqual([])
    })
  })

  it('takes more lines than one batch holds', async () => {
    const store = await engine.open()
    const probes = Array.from({ length: 4500 }, (_, i) =>
      aProbe({ atUs: NOON_US + i, path: `/${i % 7}`, latencyMs: i }),
    )
    await saveEvidence(store, evidence({ probes }))
    const text = await exported(store)
    await onEmptyStores(async (target) => {
      const seen: string[] = []
      await importFile(target, fileOf(text), [], ({ phase, records, total }) =>
        seen.push(`${phase} ${records} ${total}`),
      )
      expect(seen).toEqual([
        'checking 2000 null',
        'checking 4000 null',
        'saving 0 4500',
        'saving 2000 4500',
        'saving 4000 4500',
        'saving 4500 4500',
      ])
      expect(await exported(target)).toBe(text)
      expect(await differences(target)).toEqual([])
    })
  })

  it('takes every line once, of a file that is too long to be kept whole while it is checked', async () => {
    const store = await engine.open()
    const probes = Array.from({ length: 700 }, (_, i) => aProbe({ atUs: NOON_US + i, latencyMs: i }))
    await saveEvidence(store, evidence({ probes }))
    const text = await exported(store)
    const file = fileOf(text.replaceAll('\n', '\n\n'))
    await onEmptyStores(async (target) => {
      expect(await importFile(target, file, [], undefined, undefined, text.length / 2)).toBe(
        text.split('\n').length - 1,
      )
      expect(await exported(target)).toBe(text)
    })
  })

  const good = (n: number, more: object = {}): string =>
    JSON.stringify({
      kind: 'probe',
      method: 'GET',
      url: `https://${HOST}/v1`,
      rail: 'x402',
      date: `2026-11-14T12:34:56.${String(n).padStart(6, '0')}Z`,
      http_status: 402,
      latency_ms: 80,
      error: null,
      ...more,
    })
  const listing = (more: object): string =>
    JSON.stringify({
      kind: 'listing',
      source: 'bazaar',
      method: 'GET',
      url: `https://${HOST}/v1`,
      rail: 'x402',
      price: '0.010000',
      network: 'base',
      label: 'directory-observed',
      first_observed: '2026-11-14T12:34:56.000001Z',
      last_observed: '2026-11-14T12:34:56.000001Z',
      ...more,
    })
  const nest = `{"kind":"event","host":"${HOST}","event":"noted","date":"2026-11-14T12:34:56Z","route":null,"data":{"a":`

  it.each([
    ['is not JSON', '{"kind":"probe"', 'not JSON'],
    ['is two records', `${good(1)}${good(2)}`, 'not JSON'],
    ['is no record', '[]', 'Invalid input: expected object, received array'],
    ['has an unknown kind', good(1, { kind: 'rumour' }), "kind: Invalid discriminator value. Expected 'listing' |"],
    ['has an unknown field', good(1, { extra: 1 }), 'Unrecognized key: "extra"'],
    ['has a bad price', listing({ price: '0.01' }), 'price: expected a decimal with six fractional digits, or null'],
    ['has a bad time', good(1, { date: '2026-02-30T00:00:00.000000Z' }), 'date: expected a UTC time such as'],
    [
      'ends before it begins',
      listing({ last_observed: '2026-11-14T12:34:56Z' }),
      'last_observed: must not be before first_observed',
    ],
    ['names a refused host', good(1, { url: 'https://127.0.0.1/v1' }), 'url: an IP address is not a seller host'],
    [
      'names a host that is not allowed here',
      good(1, { url: 'https://api.seller.test/v1' }),
      'url: names under .test are not public',
    ],
    ['has a bad status', good(1, { http_status: 0 }), 'http_status: Too small'],
    ['is too long', good(1, { error: 'x'.repeat(1_000_000) }), 'longer than any record'],
    ['is too deep', `${nest}${'['.repeat(200_000)}${']'.repeat(200_000)}}}`, 'data: nested deeper than'],
  ])('names a line that %s by its number, and imports nothing of its file', async (_what, bad, reason) => {
    const store = await engine.open()
    await saveEvidence(store, evidence({ listings: [aListing()] }))
    const before = await exported(store)
    // Blank lines are skipped and counted.
    const text = [good(1), '', `${good(2)}\r`, bad, good(3), ''].join('\n')
    await expect(importFile(store, fileOf(text), [])).rejects.toMatchObject({
      slug: 'bad-record',
      message: expect.stringContaining(`line 4: ${reason}`),
      more: { line: 4 },
    })
    expect(await exported(store)).toBe(before)
    expect(await differences(store)).toEqual([])
  })

  it('imports nothing of a file whose last line is bad, however many batches stand before it', async () => {
    const store = await engine.open()
    const lines = Array.from({ length: 4100 }, (_, i) => good(i))
    const ahead = JSON.stringify({ kind: 'retention', kept_since: '2090-01-01T00:00:00.000000Z' })
    await expect(importFile(store, fileOf([...lines, ahead].join('\n')), [])).rejects.toThrow(
      'line 4101: kept_since: lies in the future; nothing was imported',
    )
    await expect(importFile(store, fileOf([...lines, 'oops'].join('\n')), [])).rejects.toThrow('line 4101: not JSON')
    expect(await exported(store)).toBe('')
  })

  it('reads an empty file, blank lines, CRLF and a last line without an end', async () => {
    const store = await engine.open()
    expect(await importFile(store, fileOf(''), [])).toBe(0)
    expect(await importFile(store, fileOf('\n \r\n\t\n\n'), [])).toBe(0)
    expect(await exported(store)).toBe('')
    expect(await importFile(store, fileOf(`\r\n${good(1)}\r\n\r\n${good(2)}\r\n${good(3)}`), [])).toBe(3)
    const expected = [good(1), good(2), good(3)].map((line) => `${line}\n`).join('')
    expect(await exported(store)).toBe(expected)
    expect(await differences(store)).toEqual([])
  })

  it('stops reading a file of which millions of lines have nothing on them', async () => {
    const store = await engine.open()
    const file = `${fileOf('')}.gz`
    const record = JSON.stringify({ kind: 'host', host: 'api.seller.example' })
    writeFileSync(file, gzipSync(`${'\n'.repeat(10_000_001)}${record}\n`))
    await expect(importFile(store, file, [])).rejects.toMatchObject({
      detail: 'line 10000001: nothing on it, as on millions before; nothing was imported',
    })
    writeFileSync(file, gzipSync(`${' '.repeat(999)}\n`.repeat(10_001)))
    await expect(importFile(store, file, [])).rejects.toThrow('line 10001: nothing on it')
  })

  it('passes over the byte order mark of a file, and over none within it', async () => {
    const store = await engine.open()
    expect(await importFile(store, fileOf(`\uFEFF${good(1)}\n${good(2)}`), [])).toBe(2)
    expect(await exported(store)).toBe(`${good(1)}\n${good(2)}\n`)
    const marked = fileOf(`${good(3)}\n\uFEFF${good(4)}`)
    await expect(importFile(store, marked, [])).rejects.toThrow('line 2: not JSON')
  })

  it('takes a network whose id has signs of base64', async () => {
    const store = await engine.open()
    const network = 'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI='
    await saveEvidence(store, { ...NO_EVIDENCE, listings: [aListing({ network })] })
    const text = await exported(store)
    expect(text).toContain(`"network":"${network}"`)
    const empty = await engine.open()
    await importFile(empty, fileOf(text), [])
    expect(await exported(empty)).toBe(text)
    expect(await differences(empty)).toEqual([])
  })

  it('takes the names that the operator allows', async () => {
    const store = await engine.open()
    const line = good(1, { url: 'http://api.seller.test:8402/v1' })
    expect(await importFile(store, fileOf(line), ['*.seller.test'])).toBe(1)
    expect(await exported(store)).toBe(`${line}\n`)
  })

  it('says so when there is no such file', async () => {
    const store = await engine.open()
    await expect(importFile(store, join(folder, 'nowhere.ndjson'), [])).rejects.toThrow('ENOENT')
  })
})
