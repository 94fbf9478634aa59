import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { aListing, NOON_US } from '../../../test/support/samples.ts'
import { listingHistoryPage } from '../../render/html/pages/listing-history.tsx'
import { sourcesPage } from '../../render/html/pages/sources.tsx'
import { listingHistoryJson } from '../../render/json/listing-history.ts'
import { sourcePageJson } from '../../render/json/sources.ts'
import { listingHistoryMarkdown } from '../../render/markdown/listing-history.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import type { Store } from '../../store/store.ts'
import { exportRecords } from '../../store/transfer/export.ts'
import { importFile } from '../../store/transfer/import.ts'
import { listingHistory } from '../../wire/api/listing-history.ts'
import { sourcePage } from '../../wire/api/sources.ts'
import { addSeller } from '../add-seller.ts'
import { type Ingesting, sweepOnce } from '../ingester.ts'
import type { SourceConfig } from '../source.ts'
import { type Loopback, sendJson, serve } from '../testing/loopback.ts'
import { callsWith } from '../testing/manners.ts'

const HOST = 'own.seller.example'
const HOUR_US = 3_600_000_000
const SITE = { baseUrl: 'https://tollbook.example' }
const FIRST = { limit: 50, cursor: null }
const WELL_KNOWN: SourceConfig = { name: 'well-known', kind: 'well-known', address: '' }

const paid = (path: string) => ({ resource: `https://${HOST}${path}`, price: '$0.01', network: 'base' })
const foreign = (n: number) => ({ resource: `https://else${n}.example/x`, price: '$0.01', network: 'base' })

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function exported(store: Store): Promise<string> {
  let text = ''
  await exportRecords(store, async (records) => {
    for (const record of records) text += `${JSON.stringify(record)}\n`
  })
  return text
}

onEachEngine('where a seller is listed', (engine) => {
  const servers: Loopback[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  const world = async (document: () => unknown) => {
    const server = await serve((url, response) => {
      if (url.pathname !== '/.well-known/x402') response.writeHead(404).end()
      else sendJson(response, document())
    })
    servers.push(server)
    const store = await engine.open()
    let now = NOON_US
    const ingesting: Ingesting = {
      ...{ store, fetch: server.fetch, openLines: async function* () {}, allow: [], by: 'this', calls: callsWith() },
      ...{ intervals: { usualMs: 3_600_000, ofSource: new Map() }, sleep: async () => undefined, random: () => 0.5 },
      now: () => now++,
    }
    const later = (us: number): void => {
      now += us
    }
    return { store, ingesting, later, directory: directoryOf(store, [WELL_KNOWN]) }
  }

  it('tells first and last named, since which sweep no more, and what was refused with the document’s hash', async () => {
    let document = { resources: [paid('/a'), paid('/b'), ...Array.from({ length: 120 }, (_, n) => foreign(n))] }
    const { store, ingesting, later, directory } = await world(() => document)
    const other = { source: 'bazaar', firstUs: NOON_US - HOUR_US, lastUs: NOON_US - HOUR_US }
    await saveListings(store, { listings: [aListing({ ...other, host: HOST, path: '/a' })] })
    expect(await sweepOnce(ingesting, WELL_KNOWN)).toMatchObject({ status: 'complete', refused: { foreign_host: 120 } })
    const started = await store.read.selectFrom('sweeps').select('started_us').executeTakeFirst()
    later(HOUR_US)
    document = { resources: [paid('/a'), foreign(7), ...Array.from({ length: 19 }, (_, n) => foreign(50 + n))] }
    const body = JSON.stringify(document)
    await sweepOnce(ingesting, WELL_KNOWN)

    const view = await directory.listingHistory(HOST, FIRST)
    if (view === undefined || started === undefined) throw new Error('the host is listed')
    const json = listingHistoryJson(SITE, view)
    expect(listingHistory.parse(json)).toEqual(json)
    expect(json.sources.map(({ source, routes, routes_named }) => [source, routes, routes_named])).toEqual([
      ['bazaar', 1, 1],
      ['well-known', 2, 1],
    ])
    const [, dropped] = view.routes
    expect(dropped).toMatchObject({ path: '/b', sources: [{ source: 'well-known' }] })
    expect(dropped?.sources[0]?.goneUs).toBeGreaterThan(NOON_US + HOUR_US)
    expect(json.routes[1]?.sources[0]?.line).toMatch(
      /^well-known: first named \S+, last named \S+; no longer named since the complete sweep of 2026-11-14T13:/,
    )
    expect(json.documents).toMatchObject([
      {
        ...{ source: 'well-known', url: `https://${HOST}/.well-known/x402`, seen: 21, stored: 1, refused_total: 20 },
        sha256: createHash('sha256').update(body).digest('hex'),
      },
    ])
    expect(json.documents[0]?.refused).toHaveLength(20)
    expect(json.documents[0]?.refused[0]).toMatchObject({ reason: 'foreign_host', item: 'https://else7.example/x' })
    expect(json.documents[0]?.refused[0]?.words).toContain('somebody else')
    for (const text of [listingHistoryMarkdown(SITE, view), listingHistoryPage(SITE, view)]) {
      expect(text).toContain('no longer named since the complete sweep of 2026-11-14T13:')
      expect(text).toContain('refused foreign_host: https://else7.example/x')
      expect(text).toContain(json.documents[0]?.sha256)
    }
    const page = await directory.listingHistory(HOST, { limit: 1, cursor: null })
    const rest = await directory.listingHistory(HOST, { limit: 1, cursor: page?.next ?? null })
    expect([page?.routes[0]?.path, rest?.routes[0]?.path, rest?.next]).toEqual(['/a', '/b', null])
  })

  it('gives the newest sweep’s refusals by reason, at most 100 of each, and what changed since the one before', async () => {
    let document = { resources: [paid('/a'), ...Array.from({ length: 120 }, (_, n) => foreign(n))] }
    const { store, ingesting, later, directory } = await world(() => document)
    await saveListings(store, { listings: [aListing({ host: HOST, path: '/a' })] })
    await sweepOnce(ingesting, WELL_KNOWN)
    const first = await directory.source('well-known')
    expect(first?.refusals).toMatchObject([{ reason: 'foreign_host', total: 120, examples: { length: 100 } }])
    expect(first && sourcesPage(SITE, { sources: [first] })).toMatch(/, 1 row</)
    later(HOUR_US)
    document = { resources: [paid('/a'), paid('/b'), ...Array.from({ length: 20 }, (_, n) => foreign(n))] }
    await sweepOnce(ingesting, WELL_KNOWN)
    const source = await directory.source('well-known')
    if (source === undefined) throw new Error('the source is known')
    const json = sourcePageJson(source)
    expect(sourcePage.parse(json)).toEqual(json)
    expect(json.refusals).toMatchObject([{ reason: 'foreign_host', total: 20, examples: { length: 20 } }])
    expect(json.changed).toMatchObject({ seen: -99, stored: 1, refused: -100 })
    expect(json.changed?.line).toContain('−99 seen, +1 stored, −100 refused against the sweep of 2026-11-14 12:00')
    expect(sourcesPage(SITE, { sources: [source] })).toContain(json.changed?.line)
    expect(await directory.source('nobody')).toBeUndefined()
  })

  it('says why not, of a seller that no source names', async () => {
    const { ingesting, directory } = await world(() => ({ resources: [foreign(1)] }))
    expect(await directory.listingHistory(HOST, FIRST)).toBeUndefined()
    await addSeller(ingesting, HOST)
    expect(await directory.listingHistory(HOST, FIRST)).toMatchObject({
      ...{ host: HOST, sources: [], routes: [], next: null },
      documents: [{ source: 'well-known', refusedTotal: 1, refused: [{ reason: 'foreign_host' }] }],
    })
  })

  it('moves with an export: the same history on another machine, and an older reading changes nothing', async () => {
    let document = { resources: [paid('/a'), ...Array.from({ length: 120 }, (_, n) => foreign(n))] }
    const { store, ingesting, later, directory } = await world(() => document)
    await addSeller(ingesting, HOST)
    const old = await exported(store)
    later(HOUR_US)
    document = { resources: [paid('/a'), foreign(1)] }
    await addSeller(ingesting, HOST)
    const file = join(folder, `${engine.name}.ndjson`)
    const moved = await engine.open()
    for (const text of [await exported(store), old]) {
      writeFileSync(file, text)
      await importFile(moved, file, [])
      expect(await directoryOf(moved).listingHistory(HOST, FIRST)).toEqual(await directory.listingHistory(HOST, FIRST))
    }
    expect(await exported(moved)).toBe(await exported(store))
    writeFileSync(file, old)
    const older = await engine.open()
    await importFile(older, file, [])
    expect((await directoryOf(older).listingHistory(HOST, FIRST))?.documents).toMatchObject([
      { refused: { length: 100 }, refusedTotal: 120 },
    ])
  })
})
