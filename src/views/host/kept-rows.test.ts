import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, aReview, evidence, NOON_US } from '../../../test/support/samples.ts'
import { DAY_US, dayOf } from '../../domain/time/day.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { fittingHosts, type HostFilter, type HostPlace, nextHosts } from '../../store/search/read-hosts.ts'
import type { Store } from '../../store/store.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { KeptRows } from './kept-rows.ts'

const TODAY = dayOf(NOON_US)
const [A, B] = ['a.example', 'b.example'] as const
const EVERYTHING: HostFilter = {
  ...{ rail: null, networkKey: null, maxPrice: null, check: null, requestedSinceUs: null, result: null, retired: null },
}

async function places(store: Store): Promise<HostPlace[]> {
  const ids = (await nextHosts(store, 'host', null, 10)).map(({ host_id }) => host_id)
  return fittingHosts(store, ids, EVERYTHING, {})
}

async function storeOfTwo(open: () => Promise<Store>): Promise<Store> {
  const store = await open()
  const listings = [A, B].map((host) => aListing({ host, description: `what ${host} sells` }))
  const probes = [A, B].map((host) => aProbe({ host, atUs: NOON_US - DAY_US, challenge: aChallenge(20_000) }))
  await saveEvidence(store, evidence({ listings, probes }))
  return store
}

onEachEngine('rows of hosts that were listed', (engine) => {
  it('stand while nothing of their host changes, and then say what a new reader is told', async () => {
    const store = await storeOfTwo(() => engine.open())
    const kept = new KeptRows(store)
    const read = async () => [...(await kept.read(await places(store), TODAY, 'first')).values()]
    const of = (rows: Awaited<ReturnType<typeof read>>, host: string) => rows.find(({ row }) => row.host === host)
    const before = await read()
    expect(before).toHaveLength(2)
    const changes = [
      () => saveEvidence(store, evidence({ probes: [aProbe({ host: A, atUs: NOON_US, httpStatus: 500 })] })),
      () => saveEvidence(store, evidence({ reviews: [aReview({ host: A })] })),
      () =>
        saveListings(store, { listings: [aListing({ host: A, price: 5, lastUs: NOON_US + 1, description: 'other' })] }),
    ]
    for (const change of changes) {
      const last = of(await read(), A)
      await change()
      const now = await read()
      expect(of(now, B)).toBe(of(before, B))
      expect(of(now, A)).not.toEqual(last)
      expect(now).toEqual([...(await new KeptRows(store).read(await places(store), TODAY, 'first')).values()])
    }
  })

  it('begin with another day when one does', async () => {
    const store = await storeOfTwo(() => engine.open())
    const kept = new KeptRows(store)
    const daysAt = async (today: number) =>
      [...(await kept.read(await places(store), today, 'first')).values()].map(({ row }) => row.days.length)
    expect(await daysAt(TODAY)).toEqual([1, 1])
    expect(await daysAt(TODAY + 30)).toEqual([0, 0])
    expect(await daysAt(TODAY)).toEqual([1, 1])
  })

  it('have as many texts as are asked for, whatever was asked before', async () => {
    const store = await storeOfTwo(() => engine.open())
    const listings = ['/1', '/2'].map((path) => aListing({ host: A, path, description: `of ${path}` }))
    await saveListings(store, { listings })
    const kept = new KeptRows(store)
    const textsOf = async (said: 'first' | 'several') =>
      [...(await kept.read(await places(store), TODAY, said)).values()].find(({ row }) => row.host === A)?.said
    const first = await textsOf('first')
    expect(first).toHaveLength(1)
    const several = await textsOf('several')
    expect(several).toHaveLength(3)
    expect(several?.[0]).toEqual(first?.[0])
    expect(await textsOf('first')).toEqual(first)
  })
})
