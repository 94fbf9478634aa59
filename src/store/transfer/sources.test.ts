import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onBothEngines, onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { SweepStatus } from '../../domain/sweep.ts'
import { endRows } from '../facts/row-ends.ts'
import { saveListings } from '../facts/save-listings.ts'
import { knownSource, saveFailedPage, saveSweep } from '../facts/sweeps.ts'
import { announceUnlisted } from '../facts/unlisted.ts'
import type { Store } from '../store.ts'
import { exportRecords } from './export.ts'
import { importFile } from './import.ts'
import { saveEvidence } from './save-evidence.ts'
import { verifyStore } from './verify.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HOST = 'api.seller.example'
const HOUR_US = 3_600_000_000
const PAGE = { limit: 50, cursor: null }

async function linesOf(store: Store): Promise<string[]> {
  const lines: string[] = []
  await exportRecords(store, async (records) => {
    lines.push(...records.map((record) => JSON.stringify(record)))
  })
  return lines
}

let files = 0
async function importLines(store: Store, lines: readonly string[]): Promise<void> {
  const file = join(folder, `${files++}.ndjson`)
  writeFileSync(file, lines.join('\n'))
  await importFile(store, file, [])
}

const sweepRow = (source: string, startedUs: number, status: SweepStatus, seen: number) => ({
  ...{ source, started_us: startedUs, ended_us: startedUs + 9, status, resumed: 1, seen, stored: 1, pages: 2 },
  ...{ bytes: 300, refused: '{"bad_item":3}', answers: '{"document":2}', announced: 7, error: 'http_500' },
})

/** One complete sweep as the ingester does it. */
async function sweep(store: Store, source: string, startedUs: number, paths: readonly string[], isWhole = true) {
  const listings = paths.map((path) => aListing({ source, path, firstUs: startedUs + 1, lastUs: startedUs + 1 }))
  await saveListings(store, { listings }, { announceUs: startedUs + 1 })
  const complete = { source, startedUs, endedUs: startedUs + 9, isWhole }
  await endRows(store, complete)
  await announceUnlisted(store, complete)
  await store.write(async (writer) => {
    await knownSource(writer, source)
    await saveSweep(writer, sweepRow(source, startedUs, 'complete', paths.length))
  })
}

/** A store whose host has a failing route that no source names any more, although one that was silent never ended its row. */
async function swept(store: Store): Promise<void> {
  await sweep(store, 'openapi', NOON_US, ['/gone'], false)
  await sweep(store, 'bazaar', NOON_US + HOUR_US, ['/ok', '/gone'])
  await saveEvidence(
    store,
    evidence({
      probes: [
        aProbe({ path: '/ok', atUs: NOON_US + HOUR_US }),
        aProbe({ path: '/gone', atUs: NOON_US + HOUR_US, httpStatus: 415 }),
      ],
    }),
  )
  await sweep(store, 'openapi', NOON_US + 2 * HOUR_US, [], false)
  await sweep(store, 'bazaar', NOON_US + 3 * HOUR_US, ['/ok'])
  await store.write(async (writer) => {
    await saveSweep(writer, sweepRow('bazaar', NOON_US + 4 * HOUR_US, 'failed', 0))
    const page = {
      url: 'https://bazaar.example/?offset=0',
      atUs: NOON_US + 4 * HOUR_US,
      error: 'http_500',
      status: 500,
    }
    await saveFailedPage(writer, 'bazaar', { ...page, body: 'oops' })
  })
}

onEachEngine('what sources say and how they were read', (engine) => {
  it('gives the same views in another store: of the host, of its routes and of the sources', async () => {
    const store = await engine.open()
    await swept(store)
    const lines = await linesOf(store)
    const other = await engine.open()
    await importLines(other, lines)
    const [here, there] = [directoryOf(store), directoryOf(other)]
    const view = await here.hostView(HOST, PAGE)
    expect(view?.now).toMatchObject({ httpStatus: 402 })
    expect(await there.hostView(HOST, PAGE)).toEqual(view)
    const { sources } = await here.sources()
    expect(sources.map(({ name, sweeps }) => [name, sweeps.length])).toEqual([
      ['bazaar', 3],
      ['openapi', 2],
    ])
    expect(await there.sources()).toEqual({ sources })
    let differences = 0
    await verifyStore(other, () => differences++)
    expect(differences).toBe(0)
  })

  it('gives the same bytes again, in whatever order the lines come and however often', async () => {
    const store = await engine.open()
    await swept(store)
    const lines = await linesOf(store)
    expect(lines.filter((line) => /^\{"kind":"(?:unlisted|sweep)"/.test(line))).toHaveLength(6)
    for (const order of [lines, lines.toReversed()]) {
      const other = await engine.open()
      for (const half of [order.slice(0, 9), order.slice(9)]) await importLines(other, half)
      await importLines(other, lines)
      expect(await linesOf(other)).toEqual(lines)
    }
  })

  it('does not take a route from the list that was seen since', async () => {
    const store = await engine.open()
    await swept(store)
    const gone = (await linesOf(store)).filter((line) => line.startsWith('{"kind":"unlisted"'))
    const other = await engine.open()
    await saveListings(other, { listings: [aListing({ path: '/gone', lastUs: NOON_US + 9 * HOUR_US })] })
    await importLines(other, gone)
    expect((await linesOf(other)).filter((line) => line.startsWith('{"kind":"unlisted"'))).toEqual([])
  })
})

onEachEngine('a route all of whose rows have ended', (engine) => {
  const unlisted = async (store: Store): Promise<unknown[]> =>
    (await linesOf(store)).filter((line) => line.startsWith('{"kind":"unlisted"')).map((line) => JSON.parse(line).since)

  it('is not listed either where its source was never swept completely before, or the row was older', async () => {
    const store = await engine.open()
    const old = aListing({ path: '/old', firstUs: NOON_US - 9, lastUs: NOON_US - 9 })
    await saveListings(store, { listings: [old] })
    await sweep(store, 'bazaar', NOON_US, ['/ok'])
    await saveListings(store, { listings: [{ ...old, path: '/older' }] })
    await sweep(store, 'bazaar', NOON_US + HOUR_US, ['/ok'])
    expect(await unlisted(store)).toHaveLength(2)
    const events = await store.read.selectFrom('events').select('kind').where('kind', '=', 'route_unlisted').execute()
    expect(events).toEqual([])
  })
})

// A cluster saves one shard after the other: there this holds for the announcements of each host.
onBothEngines('announcements that move to another store', (engine) => {
  it('are told in the order of their times, also those of today and of many hosts', async () => {
    const store = await engine.open()
    const nowUs = Date.now() * 1000
    const events = Array.from({ length: 4500 }, (_, n) => ({
      ...{ host: `h${(n * 7) % 13}.example`, kind: 'price_changed', atUs: nowUs - 10_000_000 + n, route: null },
      data: { from: null, to: String(n) },
    }))
    for (const event of [events.slice(3000), events.slice(0, 3000)])
      await saveEvidence(store, evidence({ events: event }))
    const other = await engine.open()
    await importLines(other, await linesOf(store))
    const told: number[] = []
    for (let after: string | null = null; ; ) {
      const page = await directoryOf(other).arrivals({ host: null, limit: 1000, after })
      if (page === undefined || page.items.length === 0) break
      told.push(...page.items.map(({ data }) => Number(data.to)))
      after = page.items.at(-1)?.id ?? null
    }
    expect(told).toEqual(events.map((_, n) => n))
  })
})
