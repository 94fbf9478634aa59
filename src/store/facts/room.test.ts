import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { NOON_US } from '../../../test/support/samples.ts'
import { MOST_PAYEES } from '../../domain/money/payee.ts'
import { routePageMarkdown } from '../../render/markdown/route-page.ts'
import { saveProbes } from '../probes/save-probes.ts'
import type { Store } from '../store.ts'
import { NO_EVIDENCE } from '../transfer/evidence.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../transfer/verify.ts'
import type { ListingInput } from './listings.ts'
import type { PayeeInput } from './payees.ts'
import { MOST_ROWS } from './room.ts'
import { saveListings } from './save-listings.ts'

const HOST = 'restless.seller.example'
const HOUR_US = 3_600_000_000

const row = (price: number, atUs: number, more: Partial<ListingInput> = {}): ListingInput => ({
  ...({ host: HOST, scheme: 'https', method: 'GET', path: '/v1/x', rail: 'x402', source: 'bazaar' } as const),
  ...{ price, network: 'base', firstUs: atUs, lastUs: atUs },
  ...more,
})

const rowsOf = async (store: Store) =>
  (await store.read.selectFrom('listings').selectAll().where('price', '>=', -1).execute()).length

const routeOf = async (store: Store) => (await directoryOf(store).hostView(HOST, { limit: 5, cursor: null }))?.routes[0]

onEachEngine('a source that names another price of a route at every sweep', (engine) => {
  it('opens so many rows of it and no more: a price beyond is none, and the route stays listed', async () => {
    const store = await engine.open()
    const known = Array.from({ length: MOST_ROWS }, (_, n) => row(n + 1, NOON_US + n))
    await saveEvidence(store, { ...NO_EVIDENCE, listings: known })
    let atUs = NOON_US
    const sweep = async (...said: ReturnType<typeof row>[]): Promise<void> => {
      atUs += HOUR_US
      const listings = said.map((one) => ({ ...one, firstUs: atUs, lastUs: atUs, sweepUs: atUs }))
      await saveListings(store, { listings }, { announceUs: atUs })
    }

    for (const price of [5001, 5002, 5003]) await sweep(row(price, atUs))
    expect(await rowsOf(store)).toBe(MOST_ROWS + 1)
    expect(await routeOf(store)).toMatchObject({ price: null, network: 'base' })

    // A network that it never named there is none, either; another writing of one that it did name is that one.
    await sweep(row(5004, atUs, { network: 'eip155:8453' }), row(5005, atUs, { network: 'eip155:777001' }))
    await sweep(row(5006, atUs, { network: 'eip155:777002' }))
    expect(await rowsOf(store)).toBe(MOST_ROWS + 2)

    // What it named before, it goes on to name; others have room of their own.
    await sweep(row(7, atUs))
    expect(await routeOf(store)).toMatchObject({ price: 7, network: 'base' })
    await sweep(row(3, atUs, { source: 'payai' }), row(7, atUs))
    expect(await routeOf(store)).toMatchObject({ price: 3, spread: { low: 3, high: 7 } })
    expect(await rowsOf(store)).toBe(MOST_ROWS + 3)

    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })
})

const payee = (n: number, atUs: number, more: Partial<PayeeInput> = {}): PayeeInput => ({
  ...({
    host: HOST,
    scheme: 'https',
    method: 'GET',
    path: '/v1/x',
    rail: 'x402',
    origin: 'listing',
    source: 'bazaar',
  } as const),
  ...{ network: 'base', asset: null, payee: `0x${n.toString(16).padStart(40, '0')}`, firstUs: atUs, lastUs: atUs },
  ...more,
})

const ROUTE = { method: 'GET', path: '/v1/x', rail: 'x402', scheme: 'https' } as const
const pageOf = (store: Store) => directoryOf(store).route(HOST, ROUTE, { limit: 5, cursor: null })

onEachEngine('a source that names another payee of a route at every sweep', (engine) => {
  it('has so many of them kept and no more, and those who are there go on to be seen', async () => {
    const store = await engine.open()
    const [earlier, later] = [NOON_US - HOUR_US, NOON_US]
    const known = Array.from({ length: MOST_PAYEES - 2 }, (_, n) => payee(n + 1, earlier))
    await saveListings(store, { listings: [row(5, NOON_US)], payees: known })
    expect((await pageOf(store))?.payeesTotal).toBe(MOST_PAYEES - 2)
    const named = (ns: readonly number[], more: Partial<PayeeInput> = {}) => ns.map((n) => payee(n, later, more))

    // Two of them have room: those that are named first, one of them twice.
    await saveListings(store, { listings: [row(5, later)], payees: named([6001, 6001, 6002, 6003, 7]) })
    const kept = async () =>
      (await store.read.selectFrom('payees').select(['payee', 'origin']).where('last_us', '=', later).execute())
        .map(({ payee: wallet, origin }) => `${origin} ${Number(wallet)}`)
        .toSorted()
    expect(await kept()).toEqual(['listing 6001', 'listing 6002', 'listing 7'])
    await saveListings(store, { listings: [row(5, later)], payees: named([6004, 8]) })
    expect(await kept()).toEqual(['listing 6001', 'listing 6002', 'listing 7', 'listing 8'])

    // Its own challenges, and other routes, have room of their own.
    await saveProbes(store, { probes: [], payees: named([6005], { origin: 'challenge' }) })
    await saveListings(store, { listings: [], payees: named([6006], { path: '/v1/y' }) })
    expect(await kept()).toEqual([
      ...['challenge 6005', 'listing 6001', 'listing 6002', 'listing 6006', 'listing 7', 'listing 8'],
    ])

    // So have other sources; whom this one named first stays in its room.
    await saveListings(store, { listings: [row(5, later)], payees: named([6007, 9], { source: 'payai' }) })
    await saveListings(store, { listings: [row(5, later)], payees: named([6007, 6008]) })
    const rooms = await store.read
      .selectFrom('payees')
      .select(['payee', 'source'])
      .where('last_us', '=', later)
      .execute()
    expect(
      rooms.filter(({ payee: wallet }) => [9, 6007, 6008].includes(Number(wallet))).map(({ source }) => source),
    ).toEqual(['bazaar', 'payai'])

    const view = await pageOf(store)
    expect(view?.payeesTotal).toBe(MOST_PAYEES + 2)
    const words =
      'At most 5,000 payees that each source names are kept of one route, and as many that live challenges name; others are left out.'
    expect(view && routePageMarkdown({ baseUrl: 'https://directory.example' }, view)).toContain(words)
  })

  it('has them kept once of a route that one save brings with more', async () => {
    const store = await engine.open()
    const payees = Array.from({ length: MOST_PAYEES + 5 }, (_, n) => payee(n + 1, NOON_US))
    for (const _time of ['first', 'again']) await saveListings(store, { listings: [row(5, NOON_US)], payees })
    const rows = await store.read.selectFrom('payees').select('payee').execute()
    expect(rows.map(({ payee: wallet }) => Number(wallet)).toSorted((a, b) => a - b)).toEqual(
      payees.slice(0, MOST_PAYEES).map(({ payee: wallet }) => Number(wallet)),
    )
  })

  it('is moved whole with those of other sources, and has its own room where it was moved to', async () => {
    const store = await engine.open()
    const moved = Array.from({ length: 2 * MOST_PAYEES }, (_, n) => payee(n + 1, NOON_US, { source: undefined }))
    for (const _time of ['first', 'again'])
      await saveEvidence(store, { ...NO_EVIDENCE, listings: [row(5, NOON_US)], payees: moved })
    const later = NOON_US + HOUR_US
    const payees = [payee(3, later), payee(2 * MOST_PAYEES + 1, later)]
    await saveListings(store, { listings: [row(5, later)], payees })
    const rows = await store.read.selectFrom('payees').select(['source', 'last_us']).execute()
    expect(rows.length).toBe(moved.length + 1)
    // It is told whose room one is in that came without.
    const inRoom = rows.filter(({ source }) => source === 'bazaar')
    expect(inRoom.map(({ last_us }) => last_us)).toEqual([later, later])
  })
})

onEachEngine('payees of a route that several programs name', (engine) => {
  it('are counted again long before there may be too many', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [row(5, NOON_US)], payees: [payee(1, NOON_US)] })
    // By another program.
    const others = Array.from({ length: MOST_PAYEES - 1 }, (_, n) => payee(10_000 + n, NOON_US))
    await saveListings({ ...store }, { listings: [], payees: others })
    let next = 100
    for (let save = 0; save < 4; save++) {
      const named = Array.from({ length: 300 }, () => payee(next++, NOON_US))
      await saveListings(store, { listings: [], payees: named })
    }
    const { n } = await store.read
      .selectFrom('payees')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(n).toBeGreaterThanOrEqual(MOST_PAYEES)
    expect(n).toBeLessThanOrEqual(MOST_PAYEES + MOST_PAYEES / 5)
  })
})
