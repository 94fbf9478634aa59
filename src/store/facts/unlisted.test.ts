import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, NOON_US } from '../../../test/support/samples.ts'
import type { SweepStatus } from '../../domain/sweep.ts'
import type { Store } from '../store.ts'
import { saveListings } from './save-listings.ts'
import { saveSweep } from './sweeps.ts'
import { announceUnlisted } from './unlisted.ts'

const HOST = 'api.seller.example'
const HOUR_US = 3_600_000_000

const eventsOf = async (store: Store) =>
  (await store.read.selectFrom('events').select(['kind', 'data']).orderBy('at_us').orderBy('event_id').execute()).map(
    ({ kind, data }) => `${kind} ${data}`,
  )

onEachEngine('a route that a complete sweep no longer names', (engine) => {
  const sweepOf = (store: Store, source: string, startedUs: number, status: SweepStatus = 'complete') =>
    store.write((writer) =>
      saveSweep(writer, {
        ...{ source, started_us: startedUs, ended_us: startedUs + 9, status, resumed: 0, seen: 1, stored: 1, pages: 1 },
        ...{ bytes: 1, refused: '{}', answers: '{}', announced: null, error: null },
      }),
    )

  /** One sweep as the ingester does it: its pages, what it missed, its outcome. Answers how many routes are gone. */
  const sweep = async (store: Store, source: string, startedUs: number, paths: readonly string[], isWhole = true) => {
    const listings = paths.map((path) =>
      aListing({ source, path, firstUs: startedUs + 1, lastUs: startedUs + 1, price: 10_000 }),
    )
    await saveListings(store, { listings }, { announceUs: startedUs + 1 })
    const gone = await announceUnlisted(store, { source, startedUs, endedUs: startedUs + 9, isWhole })
    await sweepOf(store, source, startedUs)
    return gone
  }
  const kinds = async (store: Store) => (await eventsOf(store)).map((line) => line.split(' ')[0])

  it('is announced once, again when it comes back, and once more when it goes again', async () => {
    const store = await engine.open()
    expect(await sweep(store, 'bazaar', NOON_US, ['/a', '/b'])).toBe(0)
    expect(await sweep(store, 'bazaar', NOON_US + HOUR_US, ['/a'])).toBe(1)
    const versions = await directoryOf(store).hostVersion(HOST)
    expect(await sweep(store, 'bazaar', NOON_US + 2 * HOUR_US, ['/a'])).toBe(0)
    expect(await sweep(store, 'bazaar', NOON_US + 3 * HOUR_US, ['/a', '/b'])).toBe(0)
    expect(await sweep(store, 'bazaar', NOON_US + 4 * HOUR_US, ['/a'])).toBe(1)
    expect(versions).toBeGreaterThan(2)
    expect((await eventsOf(store)).filter((line) => line.includes('unlisted'))).toEqual([
      'route_unlisted {"source":"bazaar"}',
      'route_unlisted {"source":"bazaar"}',
    ])
    expect((await kinds(store)).filter((kind) => kind === 'route_appeared')).toHaveLength(3)
  })

  it('is still there while another source names it, and gone when that one drops it too', async () => {
    const store = await engine.open()
    await sweep(store, 'bazaar', NOON_US, ['/a'])
    await sweep(store, 'index', NOON_US + 100, ['/a'])
    expect(await sweep(store, 'bazaar', NOON_US + HOUR_US, [])).toBe(0)
    expect(await sweep(store, 'index', NOON_US + HOUR_US + 100, [])).toBe(1)
  })

  it('is left alone on a seller that did not answer, and by the first complete sweep', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing({ source: 'openapi', path: '/old' })] })
    expect(await sweep(store, 'openapi', NOON_US + 100, ['/a', '/b'], false)).toBe(0)
    expect(await sweep(store, 'openapi', NOON_US + HOUR_US, [], false)).toBe(0)
    expect(await sweep(store, 'openapi', NOON_US + 2 * HOUR_US, ['/a', '/b'], false)).toBe(0)
    expect(await sweep(store, 'openapi', NOON_US + 3 * HOUR_US, ['/a'], false)).toBe(1)
  })
})
