import fc from 'fast-check'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../transfer/verify.ts'
import { saveListings } from './save-listings.ts'

const path = fc.constantFrom('/a', '/b')
const price = fc.constantFrom(1000, 2000)
const minuteUs = fc.integer({ min: 0, max: 8 }).map((minute) => NOON_US + minute * 60_000_000)

const listing = fc
  .record({
    path,
    source: fc.constantFrom('bazaar', 'openapi'),
    price: fc.option(price),
    network: fc.constantFrom('eip155:8453', 'base-sepolia', null),
    lastUs: minuteUs,
    sweepUs: fc.option(minuteUs, { nil: undefined }),
    isOneOfSeveral: fc.constantFrom(undefined, undefined, true),
  })
  .map((one) => aListing({ ...one, firstUs: one.lastUs }))
const probe = fc
  .record({ path, atUs: minuteUs, price: fc.option(price) })
  .map(({ path, atUs, price }) => aProbe({ path, atUs, challenge: price === null ? null : aChallenge(price) }))
const batch = fc.record({
  listings: fc.array(listing, { maxLength: 4 }),
  probes: fc.array(probe, { maxLength: 3 }),
  isAnnounced: fc.boolean(),
})
/** What is said of one host, in this order. */
const story = fc.array(batch, { minLength: 1, maxLength: 6 })
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never
/** To verify a store takes longer than to tell a story. */
const STORIES = 8

async function tell(store: Store, host: string, batches: Story): Promise<void> {
  for (const { listings, probes, isAnnounced } of batches) {
    const said = {
      listings: listings.map((one) => ({ ...one, host })),
      probes: probes.map((one) => ({ ...one, host })),
    }
    await saveEvidence(store, evidence(said), isAnnounced ? { announceUs: NOON_US } : {})
  }
}

onEachEngine('the facts of a route', (engine) => {
  it('are those of its rows after every batch, whatever sources say again, change, take back or say late', async () => {
    const store = await engine.open()
    let hosts = 0
    const differences: Difference[] = []
    await fc.assert(
      fc.asyncProperty(fc.array(story, { minLength: STORIES, maxLength: STORIES }), async (stories) => {
        // One store for all runs, a host for each story.
        for (const batches of stories) await tell(store, `h${hosts++}.seller.example`, batches)
        await verifyStore(store, (difference) => differences.push(difference))
        expect(differences.splice(0)).toEqual([])
      }),
      { numRuns: 40 / STORIES },
    )
  })

  it('differ from a challenge in what a row states, whatever it leaves out', async () => {
    const store = await engine.open()
    const listings = [aListing({ price: 20_000 }), aListing({ source: 'own', network: null })]
    await saveEvidence(store, evidence({ listings, probes: [aProbe({ challenge: aChallenge(5_000_000) })] }))
    const [state] = await store.read.selectFrom('route_state').select(['price', 'probe_status']).execute()
    expect(state).toEqual({ price: 10_000, probe_status: 'differs' })
    const [host] = await store.read.selectFrom('host_counters').select('routes_differs').execute()
    expect(host?.routes_differs).toBe(1)
  })

  it('are not read again for a route of which nothing new is said', async () => {
    const store = await engine.open()
    const sweep = (lastUs: number) =>
      saveListings(store, { listings: [aListing({ firstUs: lastUs, lastUs })] }, { announceUs: lastUs })
    await sweep(NOON_US)
    await spoilStatus(store)
    await sweep(NOON_US + 1)
    const [state] = await store.read.selectFrom('route_state').select('probe_status').execute()
    expect(state?.probe_status).toBe('differs')
  })
})

/** Something that reading the rows again would put right. */
const spoilStatus = (store: Store) =>
  store.write(async (writer) => {
    await writer.updateTable('route_state').set({ probe_status: 'differs' }).execute()
  })
