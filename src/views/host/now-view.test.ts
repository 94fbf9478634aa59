import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { nowLine } from '../../domain/now/now.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { saveSweep } from '../../store/facts/sweeps.ts'
import { announceUnlisted } from '../../store/facts/unlisted.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import type { Store } from '../../store/store.ts'
import { verifyStore } from '../../store/transfer/verify.ts'

const HOST = 'api.seller.example'
const HOUR_US = 3_600_000_000
const FIRST = { limit: 50, cursor: null }

onEachEngine('what is true of a host now', (engine) => {
  const nowOf = async (store: Store) => (await directoryOf(store).hostView(HOST, FIRST))?.now
  const probed = (store: Store, path: string, httpStatus: number | null, atUs: number) =>
    saveProbes(store, {
      probes: [aProbe({ path, httpStatus, atUs, challenge: httpStatus === 402 ? aChallenge(10_000) : null })],
    })

  it('is nothing before a probe, then its worst route, and how many share it', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: ['/a', '/b', '/c', '/d'].map((path) => aListing({ path })) })
    expect(await nowOf(store)).toBeNull()
    for (const path of ['/a', '/b', '/c']) await probed(store, path, 402, NOON_US)
    await probed(store, '/b', 402, NOON_US + 1)
    expect(await nowOf(store)).toMatchObject({
      ...{ httpStatus: 402, checkedUs: NOON_US + 1, asked: { price: 10_000, network: 'base' }, routes: 3, of: 3 },
      address: `https://${HOST}/b`,
    })
    await probed(store, '/c', 200, NOON_US + HOUR_US)
    expect(await nowOf(store)).toMatchObject({ httpStatus: 200, routes: 1, of: 3, address: `https://${HOST}/c` })
    await probed(store, '/b', 500, NOON_US + 2 * HOUR_US)
    await probed(store, '/a', 503, NOON_US + 3 * HOUR_US)
    const now = await nowOf(store)
    expect(now).toMatchObject({
      httpStatus: 500,
      routes: 2,
      of: 3,
      sinceUs: NOON_US + 2 * HOUR_US,
      last402Us: NOON_US + 1,
    })
    expect(now && nowLine(now)).toBe(
      'Failing since 2026-11-14 14:00 (HTTP 500); last requested payment 2026-11-14 12:00',
    )
    await probed(store, '/c', null, NOON_US + 4 * HOUR_US)
    expect(await nowOf(store)).toMatchObject({ httpStatus: null, routes: 1, of: 3 })
  })

  it('leaves out routes that no source names any more, and takes them in again', async () => {
    const store = await engine.open()
    const listings = ['/kept', '/gone'].map((path) => aListing({ path, firstUs: NOON_US, lastUs: NOON_US }))
    await saveListings(store, { listings })
    await probed(store, '/kept', 402, NOON_US)
    await probed(store, '/gone', 500, NOON_US)
    const sweep = { source: 'bazaar', startedUs: NOON_US + 5, endedUs: NOON_US + 9, isWhole: true }
    await store.write((writer) =>
      saveSweep(writer, {
        ...{ source: 'bazaar', started_us: NOON_US - 1, ended_us: NOON_US, status: 'complete', resumed: 0, seen: 2 },
        ...{ stored: 2, pages: 1, bytes: 1, refused: '{}', answers: '{}', announced: null, error: null },
      }),
    )
    await saveListings(store, { listings: [aListing({ path: '/kept', firstUs: NOON_US, lastUs: NOON_US + 6 })] })
    expect(await announceUnlisted(store, sweep)).toBe(1)
    expect(await nowOf(store)).toMatchObject({ httpStatus: 402, routes: 1, of: 1 })
    await saveListings(store, { listings: [aListing({ path: '/gone', firstUs: NOON_US, lastUs: NOON_US + 20 })] })
    expect(await nowOf(store)).toMatchObject({ httpStatus: 500, routes: 1, of: 2 })
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })
})
