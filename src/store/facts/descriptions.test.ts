import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, NOON_US } from '../../../test/support/samples.ts'
import type { Store } from '../store.ts'
import { exportRecords } from '../transfer/export.ts'
import { importFile } from '../transfer/import.ts'
import type { ListingInput } from './listings.ts'
import { saveListings } from './save-listings.ts'

const HOST = 'tides.example'
const said = (description: string | null | undefined, more: Partial<ListingInput> = {}): ListingInput =>
  aListing({ host: HOST, path: '/v1/levels', description, ...more })

const save = (store: Store, ...listings: ListingInput[]): Promise<void> =>
  saveListings(store, { listings }, { announceUs: NOON_US })

const texts = async (store: Store): Promise<string[]> =>
  (await store.read.selectFrom('descriptions').select(['source', 'text']).orderBy('source').execute()).map(
    ({ source, text }) => `${source}: ${text}`,
  )

const QUERY = { ...ALL_HOSTS, sort: 'match' } as const
const found = async (store: Store, q: string): Promise<string[]> =>
  (await directoryOf(store).hosts({ ...QUERY, q })).items.map(({ host }) => host)

async function exported(store: Store): Promise<string> {
  const lines: string[] = []
  await exportRecords(store, async (records) => {
    for (const record of records) lines.push(JSON.stringify(record))
  })
  return `${lines.join('\n')}\n`
}

onEachEngine('descriptions of routes', (engine) => {
  it('are kept by route and source, and found by their words and by typing errors in them', async () => {
    const store = await engine.open()
    await save(store, said('Harbour levels for sailors'), said('Gauges of every quay', { source: 'own-list' }))
    expect(await texts(store)).toEqual(['bazaar: Harbour levels for sailors', 'own-list: Gauges of every quay'])
    for (const q of ['harbour', 'sailors', 'gauges quay', 'sialors']) expect(await found(store, q), q).toEqual([HOST])
    const view = await directoryOf(store).hostView(HOST, { limit: 50, cursor: null })
    expect(view?.routes[0]?.descriptions).toEqual([
      { source: 'bazaar', text: 'Harbour levels for sailors' },
      { source: 'own-list', text: 'Gauges of every quay' },
    ])
  })

  it('show with a search the one that fits it best, and without one the first', async () => {
    const store = await engine.open()
    await save(store, said('Harbour levels'), said('Moon phases', { path: '/v1/moon' }))
    const row = async (q: string | null) =>
      (await directoryOf(store).hosts({ ...QUERY, q })).items[0]?.description?.text
    expect(await row('moon')).toBe('Moon phases')
    expect(await row('harbour')).toBe('Harbour levels')
    expect(await row(null)).toMatch(/^(Harbour levels|Moon phases)$/)
  })

  it('are replaced without a new row, an announcement or words of before', async () => {
    const store = await engine.open()
    await save(store, said('Harbour levels'))
    const events = async () => (await store.read.selectFrom('events').selectAll().execute()).length
    const before = await events()
    await save(store, said('Moon phases', { lastUs: NOON_US + 5 }))
    expect(await texts(store)).toEqual(['bazaar: Moon phases'])
    expect(await found(store, 'moon')).toEqual([HOST])
    expect(await found(store, 'harbour')).toEqual([])
    // Its path says so too.
    expect(await found(store, 'levels')).toEqual([HOST])
    expect(await events()).toBe(before)
    const rows = await store.read.selectFrom('listings').selectAll().execute()
    expect(rows).toMatchObject([{ first_us: NOON_US, last_us: NOON_US + 5 }])
  })

  it('stay where a source says nothing about them, and go where it says that there are none', async () => {
    const store = await engine.open()
    await save(store, said('Harbour levels'))
    await save(store, said(undefined, { lastUs: NOON_US + 5 }))
    expect(await texts(store)).toEqual(['bazaar: Harbour levels'])
    await save(store, said(null, { lastUs: NOON_US + 6 }))
    expect(await texts(store)).toEqual([])
    expect(await found(store, 'harbour')).toEqual([])
  })

  it('belong to the newest row of their source, whatever arrives after it', async () => {
    const store = await engine.open()
    await save(store, said('Moon phases', { lastUs: NOON_US + 5 }))
    await save(store, said('Harbour levels'), said('Old prices', { price: 7 }))
    expect(await texts(store)).toEqual(['bazaar: Moon phases'])
    const [low, high] = [said('B', { lastUs: NOON_US + 9 }), said('A', { lastUs: NOON_US + 9, network: 'solana' })]
    await save(store, low, high)
    expect(await texts(store)).toEqual(['bazaar: A'])
  })

  it('are kept of an older row where the newer one says nothing about them, whichever came first', async () => {
    const [older, newer] = [said('Harbour levels'), said(undefined, { price: 20_000, lastUs: NOON_US + 5 })]
    for (const [first, second] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const store = await engine.open()
      await save(store, first)
      await save(store, second)
      expect(await texts(store)).toEqual(['bazaar: Harbour levels'])
      expect(await found(store, 'harbour')).toEqual([HOST])
      expect(await exported(store)).toContain('"description":"Harbour levels"')
    }
  })

  it('cost a sweep that finds nothing new no write', async () => {
    const store = await engine.open()
    const listings = Array.from({ length: 30 }, (_, n) => said(`Levels of quay ${n}`, { path: `/v1/${n}` }))
    await save(store, ...listings)
    const rows = () => store.read.selectFrom('descriptions').selectAll().orderBy('route_id').execute()
    const places = () => store.read.selectFrom('search_places').selectAll().orderBy('word').execute()
    const before = [await rows(), await places()]
    // Postgres says by whom a row was last written.
    const writers = async () =>
      store.dialect.engine === 'sqlite'
        ? []
        : await store.read
            .selectFrom('descriptions')
            .select((row) => row.ref('xmin' as 'text').as('by'))
            .execute()
    const written = await writers()
    await save(store, ...listings.map((listing) => ({ ...listing, lastUs: NOON_US + 60 })))
    expect([await rows(), await places()]).toEqual(before)
    expect(await writers()).toEqual(written)
  })

  it('add no more than 300 words of one host to the index, however many routes it has', async () => {
    const store = await engine.open()
    const word = (n: number) => `w${[...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}x`
    const listings = Array.from({ length: 40 }, (_, n) =>
      said(Array.from({ length: 20 }, (_, at) => word(n * 20 + at)).join(' '), { path: `/v1/${n}` }),
    )
    await save(store, ...listings)
    const described = await store.read.selectFrom('search_places').select('word').where('place', '=', 3).execute()
    expect(described).toHaveLength(300)
  })

  it('move with an export, and a file from before there were any imports as it did', async () => {
    const store = await engine.open()
    await save(store, said('Harbour levels'), said('Older', { price: 7, lastUs: NOON_US }))
    await save(store, said(undefined, { host: 'plain.example' }))
    const file = await exported(store)
    const records = file
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const listings = records.filter(({ kind }) => kind === 'listing')
    expect(listings.filter((record) => 'description' in record)).toMatchObject([
      { price: '0.010000', description: 'Harbour levels' },
    ])
    const folder = mkdtempSync(join(tmpdir(), 'tollbook-descriptions-'))
    try {
      writeFileSync(join(folder, 'records.ndjson'), file)
      const other = await engine.open()
      await importFile(other, join(folder, 'records.ndjson'), [])
      expect(await exported(other)).toBe(file)
      expect(await found(other, 'harbour')).toEqual([HOST])
      const before = listings.map(({ description, ...record }) => record)
      writeFileSync(join(folder, 'before.ndjson'), before.map((record) => JSON.stringify(record)).join('\n'))
      await importFile(other, join(folder, 'before.ndjson'), [])
      expect(await texts(other)).toEqual(['bazaar: Harbour levels'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
