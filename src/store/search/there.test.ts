import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { someone } from '../../../test/support/reviewing.ts'
import { aChallenge, aListing, aProbe, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { HOST, openSelling, ROUTE } from '../../../test/support/selling.ts'
import { RESULTS } from '../../domain/probe.ts'
import { DAY_US } from '../../domain/time/day.ts'
import type { HostQuery } from '../../views/host/hosts-view.ts'
import { endRows } from '../facts/row-ends.ts'
import { saveListings } from '../facts/save-listings.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { verifyStore } from '../transfer/verify.ts'

const rows = async (store: Store, more: Partial<HostQuery>) =>
  (await directoryOf(store).hosts({ ...ALL_HOSTS, ...more })).items
const names = async (store: Store, more: Partial<HostQuery>) => (await rows(store, more)).map(({ host }) => host)

const STATUS_OF = { answers: 200, '402-correct': 402, failed: 500, unreachable: null } as const

/** Every choice that is offered is of as many hosts as its list. */
async function expectChoices(store: Store): Promise<void> {
  const directory = directoryOf(store)
  for (const retired of [null, 'with', 'only'] as const) {
    const { facets } = await directory.home({ ...ALL_HOSTS, retired })
    const choices: readonly (readonly [Partial<HostQuery>, number])[] = [
      ...facets.rails.map(({ value, hosts }) => [{ rail: value }, hosts] as const),
      ...facets.networks.map(({ value, hosts }) => [{ network: value }, hosts] as const),
      ...facets.ceilings.map(({ value, hosts }) => [{ maxPrice: value }, hosts] as const),
      ...facets.checks.map(({ value, hosts }) => [{ check: value }, hosts] as const),
    ]
    for (const [choice, hosts] of choices)
      expect([retired, choice, (await names(store, { ...choice, retired })).length]).toEqual([retired, choice, hosts])
  }
}

async function expectSound(store: Store): Promise<void> {
  const differences: unknown[] = []
  await verifyStore(store, (one) => differences.push(one))
  expect(differences).toEqual([])
}

onEachEngine('what a host sells now', (engine) => {
  it('costs what routes cost that a source still names', async () => {
    const store = await engine.open()
    const left = { host: 'left.example', path: '/v1/cheap-bond' }
    const sold = { host: 'sold.example', path: '/v1/bond' }
    await saveEvidence(
      store,
      evidence({
        listings: [
          aListing({ ...left, price: 100, goneUs: NOON_US + 9 }),
          aListing({ ...left, path: '/v1/dear', price: 5_000_000 }),
          aListing({ ...sold, price: 500_000 }),
          aListing({ host: 'gone.example', path: '/x', price: 100, goneUs: NOON_US + 9 }),
        ],
        probes: [
          aProbe({ ...left, challenge: aChallenge(100) }),
          // Nobody ever listed it.
          aProbe({ host: 'added.example', path: '/bond', challenge: aChallenge(700) }),
        ],
        unlisted: [
          { ...aRoute(left), sinceUs: NOON_US + 9 },
          { ...aRoute({ host: 'gone.example', path: '/x' }), sinceUs: NOON_US + 9 },
        ],
      }),
    )
    const priced = await rows(store, { sort: 'price' })
    expect(priced.map(({ host, priceMin, priceMax }) => [host, priceMin, priceMax])).toEqual([
      ['sold.example', 500_000, 500_000],
      ['left.example', 5_000_000, 5_000_000],
      ['added.example', null, null],
      ['gone.example', null, null],
    ])
    for (const asked of [{}, { check: 'verified' }, { rail: 'x402' }, { network: 'base' }] as const) {
      expect(await names(store, { maxPrice: 1000, ...asked })).toEqual([])
      expect(await names(store, { q: 'bond', maxPrice: 1000, ...asked })).toEqual([])
    }
    expect(await names(store, { check: 'verified' })).toEqual([])
    for (const sort of ['price', 'match'] as const) {
      const found = await rows(store, { q: 'bond', sort })
      expect(found.map(({ host, match }) => [host, match?.price ?? null])).toEqual(
        expect.arrayContaining([
          ['sold.example', 500_000],
          ['left.example', null],
        ]),
      )
    }
    expect((await names(store, { q: 'cheap bond', sort: 'price' }))[0]).not.toBe('gone.example')
    await expectChoices(store)
    await expectSound(store)
    await saveListings(store, { listings: [aListing({ ...left, price: 100, lastUs: NOON_US + 20 })] })
    expect((await names(store, { sort: 'price' }))[0]).toBe('left.example')
    expect(await names(store, { check: 'verified', maxPrice: 1000 })).toEqual(['left.example'])
    await expectChoices(store)
  })

  it('is shown, in the order of prices, by the cheapest route of those with most of the words', async () => {
    const store = await engine.open()
    const at = (host: string, path: string, price: number, description?: string) =>
      aListing({ host, path, price, description })
    await saveListings(store, {
      listings: [
        at('a.example', '/bond/list', 50_000),
        at('a.example', '/misc', 1000, 'Every bond'),
        at('b.example', '/bond/list', 10_000),
        ...Array.from({ length: 25 }, (_, n) => at('c.example', `/bond/${n}`, 10 + n)),
        at('c.example', '/bond/list', 20_000),
      ],
    })
    const shown = async (q: string) =>
      (await rows(store, { q, sort: 'price' })).map(({ host, match }) => [host, match?.path, match?.price])
    expect(await shown('bond')).toEqual([
      ['c.example', '/bond/0', 10],
      ['a.example', '/misc', 1000],
      ['b.example', '/bond/list', 10_000],
    ])
    expect(await shown('bond list')).toEqual([
      ['b.example', '/bond/list', 10_000],
      ['c.example', '/bond/list', 20_000],
      ['a.example', '/bond/list', 50_000],
    ])
  })

  it('requested payment in the last day where the very route did that words or other conditions lead to', async () => {
    const store = await engine.open()
    const bond = { host: 'down.example', path: '/v1/bond' }
    const other = { host: 'down.example', path: '/v1/other' }
    const up = { host: 'up.example', path: '/v1/bond' }
    const listings = [aListing({ ...bond, price: 500 }), aListing({ ...other, rail: 'mpp' }), aListing(up)]
    const old = aProbe({ ...bond, atUs: NOON_US - 2 * DAY_US, challenge: aChallenge(500) })
    const probes = [old, aProbe({ ...bond, httpStatus: 500 }), aProbe({ ...other, rail: 'mpp' }), aProbe(up)]
    await saveEvidence(store, evidence({ listings, probes }))
    const requested = { requested: 'day' } as const
    expect(await names(store, requested)).toEqual(['down.example', 'up.example'])
    for (const more of [{ q: 'bond' }, { rail: 'x402' }, { network: 'base', rail: 'x402' }] as const) {
      expect(await names(store, { ...more })).toHaveLength(2)
      expect(await names(store, { ...more, ...requested })).toEqual(['up.example'])
    }
    expect(await names(store, { maxPrice: 1000, ...requested })).toEqual([])
    expect((await rows(store, { q: 'other', ...requested }))[0]?.match?.path).toBe('/v1/other')
  })

  it('has entries of a class where the very route has them that words or other conditions lead to', async () => {
    const store = await engine.open()
    const bond = { host: 'mixed.example', path: '/v1/bond' }
    const other = { host: 'mixed.example', path: '/v1/other' }
    const same = { host: 'same.example', path: '/v1/bond' }
    const listings = [aListing({ ...bond, price: 500 }), aListing({ ...other, rail: 'mpp' }), aListing(same)]
    await saveEvidence(store, evidence({ listings }))
    let hour = 0
    for (const result of RESULTS) {
      const httpStatus = STATUS_OF[result]
      const at = { httpStatus, atUs: NOON_US + ++hour }
      const probes = [aProbe({ ...other, rail: 'mpp', ...at }), aProbe({ ...same, ...at })]
      expect(await names(store, { result })).toEqual([])
      await saveEvidence(store, evidence({ probes }))
      expect(await names(store, { result })).toEqual(['mixed.example', 'same.example'])
      for (const more of [{ q: 'bond' }, { rail: 'x402' }, { network: 'base', rail: 'x402' }] as const)
        expect(await names(store, { ...more, result })).toEqual(['same.example'])
      expect(await names(store, { maxPrice: 1000, result })).toEqual([])
      expect((await rows(store, { q: 'other', result }))[0]?.match?.path).toBe('/v1/other')
    }
    // One that was there all along, and one that comes late.
    await saveEvidence(store, evidence({ probes: [aProbe({ ...bond, httpStatus: 500, atUs: NOON_US })] }))
    expect(await names(store, { q: 'bond', result: 'failed' })).toEqual(['mixed.example', 'same.example'])
    await saveEvidence(store, evidence({ probes: [aProbe({ ...bond, httpStatus: 200, atUs: NOON_US - 1 })] }))
    expect(await names(store, { q: 'bond', result: 'answers' })).toEqual(['mixed.example', 'same.example'])
    await expectSound(store)
  })

  it('has entries of a class and requested payment in the last day where one route did both', async () => {
    const store = await engine.open()
    const [paid, failing] = ['/v1/paid', '/v1/failing'].map((path) => ({ host: 'two.example', path }))
    const both = { host: 'one.example', path: '/v1/both' }
    const probes = [
      aProbe({ ...paid }),
      aProbe({ ...failing, httpStatus: 500 }),
      aProbe({ ...both, httpStatus: 500, atUs: NOON_US - 1 }),
      aProbe({ ...both }),
    ]
    await saveEvidence(store, evidence({ listings: [paid, failing, both].map(aListing), probes }))
    const found = await rows(store, { requested: 'day', result: 'failed' })
    expect(found.map(({ host, match }) => [host, match?.path])).toEqual([['one.example', '/v1/both']])
  })

  it('is offered to choose by the rails and networks where something is still sold', async () => {
    const store = await engine.open()
    const gone = aListing({ host: 'two.example', rail: 'mpp', network: 'tempo:4217', price: 5 })
    const ended = aListing({ host: 'two.example', network: 'solana', price: 7 })
    await saveListings(store, { listings: [gone, ended, aListing({ host: 'two.example', source: 'other' })] })
    const sweep = { source: 'bazaar', startedUs: NOON_US + 9, endedUs: NOON_US + 10, isWhole: true }
    const choices = async () => {
      const { facets } = await directoryOf(store).home(ALL_HOSTS)
      await expectChoices(store)
      return [...facets.rails, ...facets.networks].map(({ value }) => value)
    }
    expect(await choices()).toHaveLength(5)
    await saveEvidence(store, evidence({ unlisted: [{ ...gone, sinceUs: NOON_US + 9 }] }))
    await endRows(store, sweep)
    expect(await choices()).toEqual(['x402', 'eip155:8453'])
    await saveListings(store, {
      listings: [
        { ...gone, lastUs: NOON_US + 20 },
        { ...ended, lastUs: NOON_US + 20 },
      ],
    })
    expect(await choices()).toHaveLength(5)
  })

  it('costs what routes cost that its seller did not retire', async () => {
    const store = await engine.open()
    const { challenge, claim, say } = await openSelling(store)
    const account = someone()
    const old = aListing({ scheme: 'http', path: '/v1/old', price: 5_000_000, lastUs: NOON_US + 9 })
    await saveListings(store, {
      listings: [old, aListing({ host: 'other.example', path: '/v1/weather', price: 500_000 })],
    })
    await challenge([account.address], 3)
    await claim(account)
    const asked = { q: 'cheap weather', network: 'base', sort: 'price' } as const
    expect(await names(store, asked)).toEqual([HOST, 'other.example'])
    await say(account, { kind: 'retire', about: ROUTE, text: '' })
    expect(await names(store, asked)).toEqual(['other.example', HOST])
    for (const more of [{}, { check: 'verified' }, { rail: 'x402' }, { network: 'base' }] as const)
      expect(await names(store, { maxPrice: 10_000, ...more })).toEqual([])
    expect((await rows(store, { q: 'weather' }))[0]).toMatchObject({ priceMin: 5_000_000, match: null })
    await say(account, { kind: 'retire', about: ROUTE.replace('/v1/weather', '/v1/old'), text: '' })
    expect((await rows(store, { q: 'old' }))[0]).toMatchObject({ host: HOST, priceMin: null, priceMax: null })
    await expectChoices(store)
    // Sources go on to name what its seller retired.
    await saveListings(store, { listings: [{ ...old, lastUs: NOON_US + 20 }] })
    await expectChoices(store)
    await expectSound(store)
  })
})
