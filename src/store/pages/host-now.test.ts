import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { planOf } from '../../../test/support/plans.ts'
import { aChallenge, aListing, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { saveProbes } from '../probes/save-probes.ts'
import { differingOf, nowOf } from './host-now.ts'

const HOST = 'api.seller.example'
const PATHS = ['/a', '/b', '/c', '/d']
/** The numbers of routes follow from their names: these have the least and the greatest. */
const [LEAST, GREATEST] = ['/c', '/d'] as const

onEachEngine('the route that stands for its host', (engine) => {
  const listed = async () => {
    const store = await engine.open()
    await saveListings(store, { listings: PATHS.map((path) => aListing({ path })) })
    return store
  }
  const rowOf = async (store: Awaited<ReturnType<typeof listed>>) =>
    (await directoryOf(store).hosts(ALL_HOSTS)).items[0]

  it('is the first of those that are listed for one price, whichever was looked at last', async () => {
    const store = await listed()
    const asked = (path: string, atUs: number) =>
      aProbe({ path, atUs, challenge: aChallenge(20_000 + PATHS.indexOf(path)) })
    await saveProbes(store, { probes: PATHS.map((path, n) => asked(path, NOON_US + n)) })
    const first = (await rowOf(store))?.check
    for (const [n, path] of [...PATHS, ...PATHS].entries()) {
      await saveProbes(store, { probes: [asked(path, NOON_US + 100 + n)] })
      expect((await rowOf(store))?.check).toEqual(first)
    }
    expect(first?.asks?.offers).toMatchObject([{ price: 20_000 + PATHS.indexOf(LEAST) }])
  })

  it('is the first of those that fail since one moment, or that last requested payment at one moment', async () => {
    const store = await listed()
    await saveProbes(store, { probes: PATHS.map((path) => aProbe({ path, httpStatus: 500 })) })
    for (const [n, path] of [...PATHS, ...PATHS].entries()) {
      await saveProbes(store, { probes: [aProbe({ path, httpStatus: 500, atUs: NOON_US + 1 + n })] })
      expect((await rowOf(store))?.now?.address).toBe(`https://${HOST}${LEAST}`)
    }
    await saveProbes(store, { probes: PATHS.map((path) => aProbe({ path, atUs: NOON_US + 100 })) })
    expect((await rowOf(store))?.now?.address).toBe(`https://${HOST}${GREATEST}`)
  })

  it('is one that is listed for a price, before those that are listed for none', async () => {
    const store = await engine.open()
    await saveListings(store, {
      listings: PATHS.map((path) => aListing({ path, price: path === '/b' ? 10_000 : null })),
    })
    const { offers } = aChallenge(20_000)
    const elsewhere = { ...aChallenge(20_000), offers: offers.map((offer) => ({ ...offer, network: 'solana' })) }
    await saveProbes(store, {
      probes: PATHS.map((path) => aProbe({ path, challenge: path === '/b' ? aChallenge(900_000) : elsewhere })),
    })
    expect((await rowOf(store))?.check).toMatchObject({ differs: 4, asks: { offers: [{ price: 900_000 }] } })
  })

  it('is found by an index, however many are equal', async () => {
    const store = await listed()
    const { dialect } = store
    const differing = sql`select ${differingOf(dialect, sql`1`)} as one from host_counters as c where c.host_id = 1`
    expect(await planOf(store, differing.compile(store.read))).not.toMatch(/sort|temp b-tree/i)
    const now = sql`select ${nowOf(dialect, sql`1`)} as one from host_counters as c where c.host_id = 1`
    const plan = await planOf(store, now.compile(store.read))
    expect(plan).toMatch(/route_state_by_run/)
    expect(plan.replaceAll(/Presorted Key: p.at_us|Sort Key: p.at_us DESC, p.route_id DESC/g, '')).not.toMatch(
      /Sort Key|temp b-tree/i,
    )
  })
})
