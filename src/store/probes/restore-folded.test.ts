import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { Store } from '../store.ts'
import { exportRecords } from '../transfer/export.ts'
import { importFile } from '../transfer/import.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'
import { retain } from './retention.ts'

const DAY_US = 86_400_000_000
const HOST = 'api.seller.example'

const linesOf = async (store: Store): Promise<string[]> => {
  const lines: string[] = []
  await exportRecords(store, async (records) => {
    lines.push(...records.map((record) => JSON.stringify(record)))
  })
  return lines
}

const importLines = async (store: Store, lines: readonly string[]): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-restore-'))
  const file = join(folder, 'records.ndjson')
  writeFileSync(file, lines.join('\n'))
  await importFile(store, file, [])
  rmSync(folder, { recursive: true, force: true })
}

const differences = async (store: Store): Promise<unknown[]> => {
  const found: unknown[] = []
  await verifyStore(store, (difference) => found.push(difference))
  return found
}

onEachEngine('entries that are no longer kept', (engine) => {
  const aged = async (): Promise<Store> => {
    const store = await engine.open()
    const probes = Array.from({ length: 40 }, (_, n) =>
      aProbe({
        atUs: NOON_US - n * 20 * DAY_US,
        latencyMs: 50 + n,
        httpStatus: [402, 200, 404, null][n % 4] ?? null,
        path: n % 2 ? '/a' : '/b',
        challenge: n % 4 === 0 && n > 20 ? aChallenge(10_000) : null,
      }),
    )
    await saveEvidence(store, evidence({ listings: [aListing({ path: '/a' }), aListing({ path: '/b' })], probes }))
    return store
  }

  it('go on counting in a store that the export is imported into, whose views and export are equal', async () => {
    const store = await aged()
    const { entries } = await retain(store, NOON_US, 400)
    expect(entries).toBeGreaterThan(10)
    const lines = await linesOf(store)
    expect(lines[0]).toMatch(/^\{"kind":"retention"/)
    const other = await engine.open()
    await importLines(other, lines)
    expect(await linesOf(other)).toEqual(lines)
    expect(await differences(other)).toEqual([])
    const page = { limit: 50, cursor: null }
    const [here, there] = [await directoryOf(store).hostView(HOST, page), await directoryOf(other).hostView(HOST, page)]
    expect(there).toEqual(here)
    expect(there?.counters.machineEvidenceRows).toBe(40)
    await importLines(other, lines)
    expect(await linesOf(other)).toEqual(lines)
    expect(await differences(other)).toEqual([])
  })

  it('do not count twice where they are still kept one by one', async () => {
    const lines = await (async () => {
      const store = await aged()
      await retain(store, NOON_US, 400)
      return linesOf(store)
    })()
    const other = await aged()
    await importLines(other, lines)
    expect((await directoryOf(other).hostView(HOST, { limit: 5, cursor: null }))?.counters.machineEvidenceRows).toBe(40)
    expect(await differences(other)).toEqual([])
  })

  /** Some months folded before any was archived, later ones after; with what the archive has and an export of the end. */
  const archivedLate = async () => {
    const store = await aged()
    const seen = [0, 1, 2].map((n) =>
      aProbe({ atUs: NOON_US - n * 200 * DAY_US - 5, path: '/a', httpStatus: 200, vantage: n < 1 ? 'north' : null }),
    )
    await saveEvidence(store, evidence({ probes: seen }))
    expect((await retain(store, NOON_US, 500)).entries).toBeGreaterThan(10)
    const kept = (await linesOf(store)).filter((line) => line.startsWith('{"kind":"probe"'))
    expect((await retain(store, NOON_US, 200)).entries).toBeGreaterThan(10)
    const today = await linesOf(store)
    return { store, archive: kept.filter((line) => !today.includes(line)), today }
  }
  const figuresOf = async (store: Store) => {
    const view = await directoryOf(store).hostView(HOST, { limit: 50, cursor: null })
    if (view === undefined) throw new Error('no host')
    const { counters, results, latency, routes } = view
    // A route's median is that of the entries that are there.
    return { counters, results, latency, routes: routes.map((route) => ({ ...route, medianMs: null })) }
  }

  it.each(['the archive first', 'the export first'])('count once with what is archived of them, %s', async (order) => {
    const { store, archive, today } = await archivedLate()
    const files = order === 'the archive first' ? [archive, today] : [today, archive]
    const other = await engine.open()
    for (const lines of [...files, ...files]) await importLines(other, lines)
    expect(await figuresOf(other)).toEqual(await figuresOf(store))
    expect(await differences(other)).toEqual([])
    const entries = (await linesOf(other)).filter((line) => line.startsWith('{"kind":"probe"'))
    expect(archive.every((line) => entries.includes(line))).toBe(order === 'the archive first')
    await retain(other, NOON_US, 200)
    expect(await linesOf(other)).toEqual(today)
    expect(await differences(other)).toEqual([])
  })

  it('count once where some of the archive came back, or was folded here before the export came', async () => {
    const { store, archive, today } = await archivedLate()
    const some = await engine.open()
    await importLines(some, archive.slice(0, 5))
    await importLines(some, today)
    expect(await figuresOf(some)).toEqual(await figuresOf(store))
    expect(await differences(some)).toEqual([])
    const again = await engine.open()
    await importLines(again, archive)
    await retain(again, NOON_US, 200)
    await importLines(again, [...today, ...today])
    expect(await figuresOf(again)).toEqual(await figuresOf(store))
    expect(await linesOf(again)).toEqual(today)
    expect(await differences(again)).toEqual([])
  })
})
