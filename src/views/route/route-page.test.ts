import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, aReview, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { DAY_US } from '../../domain/time/day.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'

const HOST = aRoute().host
const PAID = {
  ...{ network: 'eip155:8453', payee: '0xpayee', asset: '0xasset', origin: 'challenge' as const },
  ...{ firstUs: NOON_US, lastUs: NOON_US },
}
const FIRST = { limit: 50, cursor: null }
const asked = { method: 'GET', path: '/v1/weather', rail: 'x402', scheme: null } as const

onEachEngine('one route', (engine) => {
  it('has rows of each source, however many of them and however new one names', async () => {
    const store = await engine.open()
    const one = aListing({ source: 'payai', price: 9, network: 'eip155:9', lastUs: NOON_US })
    // All at the lowest price, which is a fact of the route.
    const many = Array.from({ length: 250 }, (_, n) =>
      aListing({ source: 'bazaar', price: 5, network: `eip155:${1000 + n}`, lastUs: NOON_US + 1 + n }),
    )
    await saveListings(store, { listings: [one, ...many] })
    const view = await directoryOf(store).route(HOST, asked, FIRST)
    const { listings = [], listingsTotal } = view?.route ?? {}
    expect([listings.length, listingsTotal]).toEqual([200, 251])
    expect(listings.filter(({ source }) => source === 'payai').map(({ price }) => price)).toEqual([9])
  })

  it('has its own listings, reviews and every entry, page by page, and nobody else’s', async () => {
    const store = await engine.open()
    const others = [{ path: '/v1/weather/' }, { method: 'POST' as const }, { rail: 'mpp' as const }]
    await saveEvidence(
      store,
      evidence({
        listings: [
          ...Array.from({ length: 30 }, (_, index) => aListing({ price: 1000 + index })),
          ...others.map((other) => aListing({ ...other, price: 7 })),
        ],
        probes: [
          ...Array.from({ length: 12 }, (_, index) => aProbe({ atUs: NOON_US + index })),
          ...others.map((other) => aProbe({ ...other, httpStatus: 500 })),
        ],
        payees: [{ ...aRoute(), ...PAID }, ...others.map((other) => ({ ...aRoute(other), ...PAID, payee: '0xother' }))],
        reviews: Array.from({ length: 8 }, (_, index) => aReview({ id: `r-${index}`, submittedUs: NOON_US + index })),
      }),
    )
    const directory = directoryOf(store)
    const first = await directory.route(HOST, asked, { limit: 7, cursor: null })
    expect(first?.route).toMatchObject({ method: 'GET', path: '/v1/weather', rail: 'x402', scheme: 'https' })
    expect(first?.route.listings).toHaveLength(30)
    expect(first?.route.reviews.map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map((index) => `r-${index}`))
    expect(first?.route.probesTotal).toBe(12)
    const rest = await directory.route(HOST, asked, { limit: 7, cursor: first?.nextProbes ?? null })
    const seen = [...(first?.route.probes ?? []), ...(rest?.route.probes ?? [])]
    expect(seen.map(({ atUs, httpStatus }) => [atUs - NOON_US, httpStatus])).toEqual(
      Array.from({ length: 12 }, (_, index) => [11 - index, 402]),
    )
    expect(rest?.nextProbes).toBeNull()
    expect(first).toMatchObject({ payees: [{ payee: '0xpayee', origin: 'challenge' }], payeesTotal: 1 })
  })

  it('has what its own answers asked for in the last days, of so many of them at most, and nothing that sources say', async () => {
    const store = await engine.open()
    const at = (hour: number, price: number | null, network?: string) =>
      aProbe({ atUs: NOON_US - hour * 3_600_000_000, challenge: price === null ? null : aChallenge(price, network) })
    await saveEvidence(
      store,
      evidence({
        listings: [aListing({ price: 7 }), aListing({ path: '/v1/other', price: 7 })],
        probes: [
          at(24 * 91, 9000),
          ...[at(5, 1000), at(4, 1000, 'base'), at(3, 2000), at(2, null), at(1, 1000)],
          aProbe({ path: '/v1/other', challenge: aChallenge(3000) }),
          // Dated ahead: of a clock that was.
          aProbe({ atUs: NOON_US + DAY_US, challenge: aChallenge(4000) }),
        ],
      }),
    )
    const directory = directoryOf(store)
    const askedIn = async () => (await directory.route(HOST, asked, FIRST))?.asked
    expect(await askedIn()).toMatchObject({
      ...{ entries: 4, isCut: false },
      prices: [
        { price: 1000, network: 'eip155:8453', entries: 3, firstUs: at(5, 1).atUs, lastUs: at(1, 1).atUs },
        { price: 2000, entries: 1, firstUs: at(3, 1).atUs, lastUs: at(3, 1).atUs },
      ],
    })
    // Another price every minute: the newest are looked at.
    const restless = Array.from({ length: 510 }, (_, n) => ({ ...at(0, 5000 + n), atUs: NOON_US - n * 1_000_000 }))
    await saveEvidence(store, evidence({ probes: restless }))
    const cut = await askedIn()
    expect(cut).toMatchObject({ entries: 500, isCut: true })
    expect(cut?.prices.map(({ price }) => price)).toEqual(Array.from({ length: 500 }, (_, n) => 5000 + n))
  })

  it('is the https one of two schemes unless http is asked for', async () => {
    const store = await engine.open()
    const listings = [aListing({ scheme: 'http', price: 1 }), aListing({ price: 2 })]
    await saveEvidence(store, evidence({ listings, probes: [aProbe({ scheme: 'http', httpStatus: 200 })] }))
    const directory = directoryOf(store)
    const secure = await directory.route(HOST, asked, FIRST)
    const plain = await directory.route(HOST, { ...asked, scheme: 'http' }, FIRST)
    expect([secure?.route.price, secure?.route.probes.length]).toEqual([2, 0])
    expect([plain?.route.price, plain?.route.probes.length]).toEqual([1, 1])
  })

  it('is not there where the host has no such route, or nobody named the host', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const directory = directoryOf(store)
    expect(await directory.route(HOST, { ...asked, path: '/v1/weathe' }, FIRST)).toBeUndefined()
    expect(await directory.route('other.example', asked, FIRST)).toBeUndefined()
  })
})

onEachEngine('the routes of a host', (engine) => {
  it('are filtered by a part of the path, whatever its case, and by method; the rest is counted', async () => {
    const store = await engine.open()
    const paths = ['/V1/Weather', '/v1/weather/now', '/v1/100%_done', '/v1/100xxdone', '/v2/air']
    const listings = paths.flatMap((path) => [aListing({ path }), aListing({ path, method: 'POST' })])
    await saveListings(store, { listings })
    const directory = directoryOf(store)
    const found = async (q: string | null, method: 'GET' | 'POST' | null = null) => {
      const page = await directory.routes(HOST, { limit: 3, cursor: null, q, method })
      return [page?.total, page?.items.map((route) => `${route.method} ${route.path}`)]
    }
    expect(await found('WEATHER', 'GET')).toEqual([2, ['GET /V1/Weather', 'GET /v1/weather/now']])
    expect(await found('100%_', 'POST')).toEqual([1, ['POST /v1/100%_done']])
    expect(await found('nowhere')).toEqual([0, []])
    expect((await found(null, 'POST'))[0]).toBe(5)
    const view = await directory.hostView(HOST, { limit: 3, cursor: null, q: 'v1', method: null })
    expect(view?.filter).toEqual({ q: 'v1', method: null, total: 8 })
    expect(view?.counters.routes).toBe(10)
    const rest = await directory.hostView(HOST, { limit: 50, cursor: view?.nextRoutes ?? null, q: 'v1', method: null })
    expect([...(view?.routes ?? []), ...(rest?.routes ?? [])]).toHaveLength(8)
  })
})

onEachEngine('the windows of a route', (engine) => {
  it('hold what is dated at their very edge, and nothing that lies ahead', async () => {
    const store = await engine.open()
    const dayUs = 86_400_000_000
    const edges = [1, 7, 30].flatMap((days) => [-1, 0, 1].map((us) => NOON_US - days * dayUs + us))
    const probes = [...edges, NOON_US, NOON_US + dayUs].map((atUs, n) => aProbe({ atUs, latencyMs: n }))
    await saveEvidence(store, evidence({ listings: [aListing()], probes }))
    const page = await directoryOf(store).route(HOST, asked, FIRST)
    expect(page?.windows.map(({ latency }) => latency?.samples)).toEqual([3, 6, 9])
    expect(page?.windows.map(({ latency }) => latency?.maxMs)).toEqual([9, 9, 9])
  })
})

onEachEngine('the day that pages end with', (engine) => {
  it('moves the epoch when it changes, so that what is cached is made again', async () => {
    const store = await engine.open()
    let nowUs = NOON_US
    const directory = directoryOf(store, [], () => nowUs)
    const [day, epoch] = [directory.today(), directory.epoch()]
    expect(directory.epoch()).toBe(epoch)
    nowUs += 12 * 3_600_000_000
    expect(directory.today()).toBe(day + 1)
    expect(directory.epoch()).toBeGreaterThan(epoch)
  })

  it('never gives an epoch of before again when the clock is set back and something is written', async () => {
    const store = await engine.open()
    let nowUs = NOON_US
    const directory = directoryOf(store, [], () => nowUs)
    const epochs = [directory.epoch()]
    for (let minute = 0; minute < 3; minute++) {
      nowUs -= 60_000_000
      await saveListings(store, { listings: [aListing({ lastUs: NOON_US + minute })] })
      epochs.push(directory.epoch())
    }
    expect(epochs).toEqual([...new Set(epochs)].sort((a, b) => a - b))
  })
})
