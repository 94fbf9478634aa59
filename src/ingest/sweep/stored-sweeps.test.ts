import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import {
  leaseSource,
  readSource,
  readSweeps,
  releaseSource,
  renewSource,
  SourceLost,
} from '../../store/facts/sweeps.ts'
import type { Store } from '../../store/store.ts'
import { exportRecords } from '../../store/transfer/export.ts'
import { evidenceOf } from '../../store/transfer/import.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../../store/transfer/verify.ts'
import { recordSchema } from '../../wire/records.ts'
import { addSeller } from '../add-seller.ts'
import { ingestForever, sweepOnce } from '../ingester.ts'
import type { SourceConfig } from '../source.ts'
import { ingestingWith } from '../testing/ingesting.ts'
import { type Answer, type Loopback, sendJson, serve } from '../testing/loopback.ts'

const HOUR_US = 3_600_000_000
const MINUTE_US = 60_000_000
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const payee = privateKeyToAccount(`0x${'5'.repeat(64)}`)

const item = (n: number, amount = '10000') => ({
  resource: `https://h${n % 7}.seller.example/r/${n}`,
  type: 'http',
  x402Version: 2,
  lastUpdated: '2026-11-14T00:00:00Z',
  accepts: [{ scheme: 'exact', network: 'eip155:8453', amount, asset: USDC, payTo: payee.address }],
})

/** A facilitator with this many items. */
const facilitator =
  (items: readonly unknown[]): Answer =>
  (url, response) => {
    const offset = Number(url.searchParams.get('offset'))
    const limit = Number(url.searchParams.get('limit'))
    sendJson(response, {
      x402Version: 2,
      items: items.slice(offset, offset + limit),
      pagination: { limit, offset, total: items.length },
    })
  }

onEachEngine('sweeps', (engine) => {
  const servers: Loopback[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  const world = async (answer: Answer, store?: Store) => {
    const server = await serve(answer)
    servers.push(server)
    const opened = store ?? (await engine.open())
    const ingesting = ingestingWith(opened, server.fetch, NOON_US)
    const bazaar: SourceConfig = { name: 'bazaar', kind: 'bazaar', address: 'http://facilitator.example' }
    return { server, store: opened, ingesting, later: ingesting.later, bazaar, directory: directoryOf(opened) }
  }

  const events = async (store: Store) =>
    (await store.read.selectFrom('events').select(['kind', 'data']).orderBy('at_us').execute()).map(
      ({ kind, data }) => `${kind} ${data}`,
    )

  const differences = async (store: Store): Promise<Difference[]> => {
    const found: Difference[] = []
    await verifyStore(store, (difference) => found.push(difference))
    return found
  }

  it('store every item of every page, with payees and the outcome', async () => {
    const { ingesting, bazaar, store, directory } = await world(
      facilitator(Array.from({ length: 250 }, (_, n) => item(n))),
    )
    const outcome = await sweepOnce(ingesting, bazaar)
    expect(outcome).toMatchObject({ status: 'complete', seen: 250, stored: 250, pages: 6, announced: 250 })
    const view = await directory.hostView('h3.seller.example', { limit: 50, cursor: null })
    expect(view?.counters.routes).toBe(36)
    expect(view?.routes[0]).toMatchObject({ price: 10_000, network: 'eip155:8453', probeStatus: 'unverified' })
    expect(await store.read.selectFrom('payees').select(['payee', 'source']).distinct().execute()).toEqual([
      { payee: payee.address, source: 'bazaar' },
    ])
    expect(await readSweeps(store.read, 'bazaar', 5)).toMatchObject([{ status: 'complete', seen: 250, stored: 250 }])
    expect(await differences(store)).toEqual([])
  })

  it('note of a row that its source names no method, until it names one', async () => {
    const items: object[] = [item(1)]
    const { ingesting, bazaar, store, directory, later } = await world(facilitator(items))
    const rowsOf = async (from = directory) =>
      (await from.hostView('h1.seller.example', { limit: 5, cursor: null }))?.routes.flatMap((route) => route.listings)
    await sweepOnce(ingesting, bazaar)
    expect(await rowsOf()).toMatchObject([{ isMethodStated: false }])
    const moved = await engine.open()
    await exportRecords(store, async (records) => {
      const read = records.map((record) => recordSchema([]).parse(record))
      await saveEvidence(moved, evidenceOf(read))
    })
    expect(await rowsOf(directoryOf(moved))).toMatchObject([{ isMethodStated: false }])
    later(HOUR_US)
    items[0] = { ...item(1), extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } } } } }
    await sweepOnce(ingesting, bazaar)
    expect((await rowsOf())?.map((row) => row.isMethodStated)).toEqual([undefined])
  })

  it('move last observed, keep first observed, and announce what appeared and changed', async () => {
    const items = [item(1), item(2)]
    const { ingesting, bazaar, store, directory, later } = await world(facilitator(items))
    await sweepOnce(ingesting, bazaar)
    later(HOUR_US)
    items[0] = item(1, '20000')
    await sweepOnce(ingesting, bazaar)
    const [changed] = (await directory.hostView('h1.seller.example', { limit: 5, cursor: null }))?.routes ?? []
    expect(changed?.price).toBe(20_000)
    expect(changed?.listings.map((row) => [row.price, row.lastUs > NOON_US + HOUR_US])).toEqual([
      [20_000, true],
      [10_000, false],
    ])
    const [same] = (await directory.hostView('h2.seller.example', { limit: 5, cursor: null }))?.routes ?? []
    expect(same?.listings).toHaveLength(1)
    expect(same?.listings[0]?.firstUs).toBeLessThan(NOON_US + HOUR_US)
    expect(same?.listings[0]?.lastUs).toBeGreaterThan(NOON_US + HOUR_US)
    expect(await events(store)).toEqual([
      'route_appeared {"price":"0.010000","network":"eip155:8453"}',
      'route_appeared {"price":"0.010000","network":"eip155:8453"}',
      'price_changed {"from":"0.010000","to":"0.020000","source":"bazaar","network":"eip155:8453"}',
    ])
  })

  it('go on from where one was cut off, and lose nothing', async () => {
    const items = Array.from({ length: 500 }, (_, n) => item(n))
    const all = facilitator(items)
    let broken = true
    const { ingesting, bazaar, store, server } = await world((url, response, request) => {
      if (broken && Number(url.searchParams.get('offset')) >= 300) response.destroy()
      else all(url, response, request)
    })
    expect(await sweepOnce(ingesting, bazaar)).toMatchObject({ status: 'partial', seen: 300 })
    broken = false
    const before = server.asked.length
    expect(await sweepOnce(ingesting, bazaar)).toMatchObject({
      status: 'complete',
      seen: 500,
      stored: 500,
      resumed: true,
    })
    const offsets = server.asked.slice(before).map((asked) => /offset=(\d+)/.exec(asked)?.[1])
    expect(offsets.slice(0, 2)).toEqual(['300', '400'])
    expect(await readSweeps(store.read, 'bazaar', 5)).toHaveLength(1)
  })

  it('report a collapse and do not believe it', async () => {
    const items = Array.from({ length: 200 }, (_, n) => item(n))
    const { ingesting, bazaar, store } = await world((url, response, request) =>
      facilitator(items)(url, response, request),
    )
    await sweepOnce(ingesting, bazaar)
    items.splice(10)
    expect(await sweepOnce(ingesting, bazaar)).toMatchObject({ status: 'collapsed', seen: 10 })
    expect((await store.read.selectFrom('listings').select('source').execute()).length).toBe(200)
  })

  it('move the rows of a document that has not changed', async () => {
    const services = {
      version: 1,
      services: [
        {
          id: 'x',
          name: 'X',
          serviceUrl: 'https://x.seller.example/mpp',
          status: 'active',
          endpoints: [
            {
              method: 'GET',
              path: '/a',
              payment: {
                intent: 'charge',
                method: 'tempo',
                currency: '0x20c000000000000000000000b9537d11c60e8b50',
                decimals: 6,
                amount: '5000',
              },
            },
          ],
        },
      ],
    }
    const { ingesting, directory, later } = await world((_url, response, request) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else sendJson(response, services, { etag: '"v1"' })
    })
    const source: SourceConfig = {
      name: 'mpp',
      kind: 'mpp-directory',
      address: 'http://directory.example/api/services',
    }
    await sweepOnce(ingesting, source)
    later(HOUR_US)
    expect(await sweepOnce(ingesting, source)).toMatchObject({
      status: 'complete',
      stored: 1,
      answers: { not_modified: 1 },
    })
    const view = await directory.hostView('x.seller.example', { limit: 5, cursor: null })
    expect(view?.routes[0]).toMatchObject({ path: '/mpp/a', rail: 'mpp', price: 5000, network: 'tempo:4217' })
    expect(view?.routes[0]?.listings[0]?.lastUs).toBeGreaterThan(NOON_US + HOUR_US)
  })

  it('keep a claim to a host that a payee of it signed, and no other', async () => {
    const origin = 'https://own.seller.example'
    const good = await payee.signMessage({ message: origin })
    const stranger = await privateKeyToAccount(`0x${'6'.repeat(64)}`).signMessage({ message: origin })
    const { ingesting, store } = await world((url, response) => {
      if (url.pathname !== '/.well-known/x402') response.writeHead(404).end()
      else
        sendJson(response, {
          version: 1,
          resources: [
            {
              resource: `${origin}/paid`,
              accepts: [
                { scheme: 'exact', network: 'base', maxAmountRequired: '10000', asset: USDC, payTo: payee.address },
              ],
            },
          ],
          ownershipProofs: [stranger, good],
        })
    })
    const added = await addSeller(ingesting, 'own.seller.example')
    expect(added.map(({ source, found }) => [source, found.listings.length])).toEqual([
      ['openapi', 0],
      ['well-known', 1],
    ])
    const kept = await store.read.selectFrom('ownership').select(['signer', 'origin']).execute()
    expect(kept).toEqual([{ signer: payee.address, origin }])
  })

  it('leave a source alone that another program sweeps', async () => {
    const { ingesting, bazaar, store } = await world(facilitator([item(1)]))
    expect(await leaseSource(store, 'bazaar', 'another', NOON_US, NOON_US + MINUTE_US)).toBe(true)
    expect(await sweepOnce(ingesting, bazaar)).toBeNull()
    await releaseSource(store, 'bazaar', 'another', 0)
    expect(await sweepOnce(ingesting, bazaar)).toMatchObject({ status: 'complete' })
  })

  it('that stood still while another program swept bring nothing back that it saw go', async () => {
    let items = [item(1), item(2), item(3)]
    let meanwhile: (() => Promise<unknown>) | null = null
    const { ingesting, bazaar, store, later } = await world(async (url, response, request) => {
      const answer = facilitator(items)
      const other = meanwhile
      meanwhile = null
      await other?.()
      answer(url, response, request)
    })
    await sweepOnce(ingesting, bazaar)
    meanwhile = async () => {
      later(HOUR_US)
      items = [item(1), item(3)]
      expect(await sweepOnce({ ...ingesting, by: 'another' }, bazaar)).toMatchObject({ status: 'complete' })
    }
    expect(await sweepOnce(ingesting, bazaar)).toBeNull()
    const told = (await events(store)).map((event) => event.split(' ')[0])
    expect(told).toEqual([...Array(3).fill('route_appeared'), 'route_unlisted'])
    const ended = await store.read.selectFrom('listings').select('gone_us').where('gone_us', 'is not', null).execute()
    expect(ended).toHaveLength(1)
    expect(await readSweeps(store.read, 'bazaar', 5)).toHaveLength(2)
  })

  it('take no source again that they have lost', async () => {
    const { store } = await world(facilitator([]))
    await leaseSource(store, 'bazaar', 'this', NOON_US, NOON_US + 1)
    await leaseSource(store, 'bazaar', 'another', NOON_US + 1, NOON_US + HOUR_US)
    await releaseSource(store, 'bazaar', 'another', 0)
    await expect(renewSource(store, 'bazaar', 'this', NOON_US + HOUR_US)).rejects.toThrow(SourceLost)
    expect(await readSource(store.read, 'bazaar')).toMatchObject({ lease_by: null, lease_until_us: 0 })
  })

  it('of sellers are due soon again when there was nobody to ask, and as usual when there was', async () => {
    const { ingesting, store } = await world((_url, response) => response.writeHead(404).end())
    const source: SourceConfig = { name: 'well-known', kind: 'well-known', address: '' }
    const waitUs = async (): Promise<number> => {
      await sweepOnce(ingesting, source)
      const row = await store.read.selectFrom('sources').select('due_us').executeTakeFirst()
      return (row?.due_us ?? 0) - ingesting.now()
    }
    expect(await waitUs()).toBeLessThan(HOUR_US / 2)
    await saveListings(store, { listings: [aListing()] })
    expect(await waitUs()).toBeGreaterThan(HOUR_US / 2)
  })

  it('are due when the last one was of a clock that was ahead, and at no other time before', async () => {
    const { ingesting, bazaar, store } = await world(facilitator([item(1)]))
    const swept = async (dueUs: number, isClockRight = async () => true): Promise<number> => {
      await leaseSource(store, 'bazaar', 'this', NOON_US, NOON_US)
      await releaseSource(store, 'bazaar', 'this', dueUs)
      const stop = new AbortController()
      let outcomes = 0
      const trouble = (_: string, error: unknown): never => {
        throw error
      }
      const sleep = async (): Promise<void> => stop.abort()
      await ingestForever({ ...ingesting, sleep, isClockRight }, [bazaar], stop.signal, () => outcomes++, trouble)
      return outcomes
    }
    expect(await swept(NOON_US + 1.05 * HOUR_US)).toBe(0)
    // Of another machine, whose clock is half an hour ahead.
    expect(await swept(NOON_US + 1.5 * HOUR_US)).toBe(0)
    // Nor by a clock that is wrong itself.
    expect(await swept(NOON_US + 24 * HOUR_US, async () => false)).toBe(0)
    expect(await swept(NOON_US + 24 * HOUR_US)).toBe(1)
  })

  it('wait for no program whose clock was ahead', async () => {
    const { ingesting, bazaar, store } = await world(facilitator([item(1)]))
    await leaseSource(store, 'bazaar', 'ahead', NOON_US + HOUR_US, NOON_US + HOUR_US + MINUTE_US)
    expect(await sweepOnce(ingesting, bazaar)).toMatchObject({ status: 'complete' })
  })

  it('say who has the source and until when', async () => {
    const { ingesting, bazaar, store } = await world(facilitator([item(1)]))
    await leaseSource(store, 'bazaar', 'elsewhere:7:a-0', NOON_US, NOON_US + MINUTE_US)
    const told: unknown[] = []
    const onBusy = (holder: unknown): number => told.push(holder)
    expect(await sweepOnce({ ...ingesting, isEnded: () => false }, bazaar, { onBusy })).toBeNull()
    expect(told).toEqual([{ by: 'elsewhere:7:a-0', untilUs: NOON_US + MINUTE_US }])
  })

  it('take a source over at once from a program that is known to have ended, and from no other', async () => {
    const { ingesting, bazaar, store } = await world(facilitator([item(1)]))
    const isEnded = (program: string): boolean => program === 'here:7:a-0'
    await leaseSource(store, 'bazaar', 'elsewhere:7:a-0', NOON_US, NOON_US + MINUTE_US)
    expect(await sweepOnce({ ...ingesting, isEnded }, bazaar)).toBeNull()
    await releaseSource(store, 'bazaar', 'elsewhere:7:a-0', 0)
    await leaseSource(store, 'bazaar', 'here:7:a-0', NOON_US, NOON_US + HOUR_US)
    expect(await sweepOnce({ ...ingesting, isEnded }, bazaar)).toMatchObject({ status: 'complete' })
    // Of two that find it dead, one gets it.
    await leaseSource(store, 'bazaar', 'here:7:a-0', NOON_US, NOON_US + HOUR_US)
    const both = ['one', 'other'].map((by) =>
      leaseSource(store, 'bazaar', by, NOON_US, NOON_US + HOUR_US, 'here:7:a-0'),
    )
    expect((await Promise.all(both)).sort()).toEqual([false, true])
  })

  it('keep the page that failed, for study', async () => {
    const { ingesting, bazaar, store } = await world((_url, response) => response.end('{"items": [oops'))
    expect(await sweepOnce(ingesting, bazaar)).toMatchObject({ status: 'failed', error: 'invalid_json' })
    const row = await store.read.selectFrom('sources').select('failed_page').executeTakeFirst()
    expect(JSON.parse(row?.failed_page ?? '{}')).toMatchObject({
      error: 'invalid_json',
      status: 200,
      body: '{"items": [oops',
    })
  })
})
