import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { saveProbes } from '../probes/save-probes.ts'
import { type Difference, verifyStore } from '../transfer/verify.ts'
import { knownNumbers, refText } from './known-numbers.ts'

onEachEngine('the numbers of hosts and routes', (engine) => {
  it('are remembered once they are committed, and entries go where they did before', async () => {
    const store = await engine.open()
    const listing = aListing({})
    await saveListings(store, { listings: [listing] })
    const route = knownNumbers(store).routes.get(refText(listing))
    expect(route?.hostId).toBe(knownNumbers(store).hosts.get(listing.host))
    await saveProbes(store, { probes: [aProbe({})] })
    const stored = await store.read.selectFrom('probes').select(['host_id', 'route_id']).execute()
    expect(stored).toEqual([{ host_id: route?.hostId, route_id: route?.routeId }])
  })

  it('are not remembered of a batch that was undone', async () => {
    const store = await engine.open()
    const undone = async (): Promise<void> => {
      throw new Error('undone')
    }
    await expect(saveListings(store, { listings: [aListing({})] }, { also: undone })).rejects.toThrow('undone')
    expect(knownNumbers(store).hosts.size + knownNumbers(store).routes.size).toBe(0)
    await saveListings(store, { listings: [aListing({})] })
    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
    expect(await store.read.selectFrom('routes').selectAll().execute()).toHaveLength(1)
  })
})
