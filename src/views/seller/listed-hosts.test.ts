import { expect, it } from 'vitest'
import { ALL_HOSTS, directoryOf } from '../../../test/support/directory.ts'
import { type Engine, onEachEngine } from '../../../test/support/engines.ts'
import { someone } from '../../../test/support/reviewing.ts'
import { aListing, NOON_US } from '../../../test/support/samples.ts'
import { HOST, openSelling } from '../../../test/support/selling.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import type { HostQuery } from '../host/hosts-view.ts'

const NEW_HOST = 'api.new.example'

/** Two hosts of one seller, of which it can retire the one. */
async function selling(engine: Engine) {
  const store = await engine.open()
  const { challenge, claim, say } = await openSelling(store)
  const account = someone()
  await saveListings(store, { listings: [aListing({ host: NEW_HOST, scheme: 'http' })] })
  await challenge([account.address], 3)
  await claim(account)
  const move = () => store.write((writer) => writer.updateTable('retirements').set({ moved_to: NEW_HOST }).execute())
  return { store, retire: () => say(account, { kind: 'retire', about: HOST, text: '' }), move }
}

onEachEngine('the list of hosts with what sellers retired', (engine) => {
  it('marks the retired ones where they are listed', async () => {
    const { store, retire, move } = await selling(engine)
    await retire()
    const directory = directoryOf(store)
    const marks = async (retired: 'with' | 'only' | null) =>
      (await directory.hosts({ ...ALL_HOSTS, retired })).items.map((row) => [row.host, row.retired])
    const mark = { sinceUs: NOON_US, movedTo: null, statementId: expect.any(String) }
    expect(await marks('with')).toEqual([
      [NEW_HOST, null],
      [HOST, mark],
    ])
    expect(await marks('only')).toEqual([[HOST, mark]])
    expect(await marks(null)).toEqual([[NEW_HOST, undefined]])
    await move()
    // Nobody has claimed the new one.
    const lost = { ...mark, isMoveLost: true }
    expect(await marks('only')).toEqual([[HOST, lost]])
    const home = await directory.home({ ...ALL_HOSTS, retired: 'only' })
    expect(home.rows[0]?.retired).toEqual(lost)
  })

  it('offers every choice with as many hosts as its list has, whichever retired ones it is of', async () => {
    const { store, retire } = await selling(engine)
    await saveListings(store, {
      listings: [
        aListing({ host: 'api.mpp.example', rail: 'mpp', network: 'tempo:4217', price: 500 }),
        aListing({ host: 'api.dear.example', network: 'eip155:8453', price: 900_000 }),
      ],
    })
    await retire()
    const directory = directoryOf(store)
    const told: number[] = []
    for (const retired of [null, 'with', 'only'] as const) {
      const { facets, retiredHosts } = await directory.home({ ...ALL_HOSTS, retired })
      const choices: readonly (readonly [Partial<HostQuery>, number])[] = [
        ...facets.rails.map(({ value, hosts }) => [{ rail: value }, hosts] as const),
        ...facets.networks.map(({ value, hosts }) => [{ network: value }, hosts] as const),
        ...facets.ceilings.map(({ value, hosts }) => [{ maxPrice: value }, hosts] as const),
        ...facets.checks.map(({ value, hosts }) => [{ check: value }, hosts] as const),
        [{ requested: 'day' }, facets.requestedToday],
      ]
      for (const [choice, hosts] of choices) {
        const { items } = await directory.hosts({ ...ALL_HOSTS, retired, ...choice })
        expect([retired, choice, items.length]).toEqual([retired, choice, hosts])
      }
      expect(retiredHosts).toBe(1)
      told.push(facets.rails.reduce((sum, { hosts }) => sum + hosts, 0))
    }
    expect(told).toEqual([3, 4, 1])
  })

  it('counts no host as not checked whose routes are checked, though one of them is retired alone', async () => {
    const store = await engine.open()
    const { challenge, claim, say } = await openSelling(store)
    const [account, host] = [someone(), 'api.checked.example']
    await saveListings(store, { listings: [aListing({ host, scheme: 'http', network: 'eip155:8453', price: 10_000 })] })
    await challenge([account.address], 3, host)
    await claim(account, host)
    const unverified = async (retired: 'with' | 'only' | null) => {
      // One that has counted nothing yet.
      const directory = directoryOf(store)
      const { facets } = await directory.home({ ...ALL_HOSTS, retired })
      const { items } = await directory.hosts({ ...ALL_HOSTS, retired, check: 'unverified' })
      expect(facets.checks.find(({ value }) => value === 'unverified')?.hosts ?? 0).toBe(items.length)
      return items.map((row) => row.host)
    }
    expect(await unverified(null)).toEqual([HOST])
    await say(account, { host, kind: 'retire', about: `GET http://${host}/v1/weather x402`, text: '' })
    expect(await unverified(null)).toEqual([HOST])
    await say(account, { host, kind: 'retire', about: host, text: '' })
    for (const retired of [null, 'with', 'only'] as const) await unverified(retired)
  })

  it('counts those that a search leaves out which finds nothing else', async () => {
    const { store, retire } = await selling(engine)
    await retire()
    const directory = directoryOf(store)
    const found = async (more: Partial<typeof ALL_HOSTS>) => {
      const query = { ...ALL_HOSTS, ...more }
      const { retiredFound } = await directory.home(query)
      expect((await directory.hosts(query)).retiredFound ?? null).toEqual(retiredFound)
      return retiredFound
    }
    expect(await found({ q: HOST, sort: 'match' })).toEqual({ hosts: 1, isMore: false })
    expect(await found({ q: 'zebra', sort: 'match' })).toEqual({ hosts: 0, isMore: false })
    expect(await found({ q: HOST, rail: 'mpp' })).toEqual({ hosts: 0, isMore: false })
    expect(await found({ q: HOST, retired: 'with' })).toBeNull()
    expect(await found({ q: 'weather', sort: 'match' })).toBeNull()
    expect(await found({})).toBeNull()
  })

  it('names what a search that finds nothing finds with one condition or one word less', async () => {
    const { store } = await selling(engine)
    const directory = directoryOf(store)
    const wider = async (more: Partial<HostQuery>) => {
      const asked = { ...ALL_HOSTS, ...more }
      return (await directory.home(asked)).wider?.map(({ q, rail, network }) => [q, rail, network])
    }
    expect(await wider({ q: 'weather', rail: 'mpp' })).toEqual([['weather', null, null]])
    expect(await wider({ q: 'weather zebra', network: 'base' })).toEqual([
      ['weather', null, 'base'],
      [null, null, 'base'],
    ])
    expect(await wider({ rail: 'mpp', network: 'solana' })).toEqual([])
    expect(await wider({ q: 'weather' })).toBeUndefined()
    // Without its only condition it is the list of all.
    expect(await wider({ q: 'zebra' })).toEqual([])
  })

  it('looks with the rail and the network chosen that the words name of a search that finds nothing', async () => {
    const store = await engine.open()
    const route = { host: 'api.draws.example', path: '/v1/images' }
    await saveListings(store, { listings: [aListing({ ...route, network: 'eip155:84532' })] })
    const wider = async (q: string, more: Partial<HostQuery> = {}) => {
      const { wider: found = [] } = await directoryOf(store).home({ ...ALL_HOSTS, q, ...more })
      return found.map((one) => [one.q, one.rail, one.network])
    }
    expect(await wider('cheap image api that takes USDC on Base Sepolia')).toEqual([
      ['cheap image api', null, 'Base Sepolia'],
    ])
    expect((await wider('x402 images'))[0]).toEqual(['images', 'x402', null])
    // Nothing is there.
    expect(await wider('image mpp')).toEqual([
      ['image', null, null],
      ['image', null, null],
    ])
    expect(await wider('84532')).toEqual([])
    expect(await wider('x402', { rail: 'mpp' })).toEqual([])
    expect(await wider('who sells images?')).toContainEqual(['images', null, null])
    // Of a network with nothing: where it is instead.
    const home = await directoryOf(store).home({ ...ALL_HOSTS, q: 'image api that takes USDC on Base' })
    expect(home.wider?.[0]).toMatchObject({ q: 'image api', network: null, foundOn: ['Base Sepolia'] })
  })

  it('lists what is chosen by words that nothing has and that name nothing else', async () => {
    const store = await engine.open()
    const listed = { path: '/v1/images', network: 'eip155:84532' }
    await saveListings(store, {
      listings: [
        aListing({ ...listed, host: 'api.draws.example', price: 8000 }),
        aListing({ ...listed, host: 'api.dear.example', price: 30_000 }),
        aListing({ host: 'mpp.example', rail: 'mpp', network: 'tempo:4217', price: 20_000 }),
      ],
    })
    const directory = directoryOf(store)
    const found = async (q: string) => {
      const page = await directory.hosts({ ...ALL_HOSTS, q, sort: 'match' })
      const home = await directory.home({ ...ALL_HOSTS, q, sort: 'match' })
      expect(home.query).toEqual(page.instead?.query ?? { ...ALL_HOSTS, q, sort: 'match' })
      return [page.instead?.words, ...page.items.map(({ host }) => host)]
    }
    const drawn = ['api.dear.example', 'api.draws.example']
    expect(await found('x402')).toEqual(['x402', ...drawn])
    expect(await found('APIs on Base Sepolia?')).toEqual(['APIs on Base Sepolia?', ...drawn])
    expect(await found('under 1 cent')).toEqual(['under 1 cent', 'api.draws.example'])
    expect(await found('cheapest x402')).toEqual(['cheapest x402', ...drawn.toReversed()])
    expect(await found('USDC')).toEqual([undefined])
    expect(await found('solana')).toEqual([undefined])
    // Something is called so: that is listed, and the way to the rest is beside it.
    expect(await found('mpp')).toEqual([undefined, 'mpp.example'])
    const { wider } = await directory.hosts({ ...ALL_HOSTS, q: 'mpp', sort: 'match' })
    expect(wider).toMatchObject([{ q: null, rail: 'mpp' }])
    const small = await directory.hosts({ ...ALL_HOSTS, q: 'x402', sort: 'match', limit: 1 })
    const next = { ...(small.instead?.query ?? ALL_HOSTS), cursor: small.next }
    expect((await directory.hosts(next)).items.map(({ host }) => host)).toEqual(drawn.slice(1))
  })
})
