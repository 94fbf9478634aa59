import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aRoute } from '../../../test/support/samples.ts'
import { hostKey, nextKey, routeKey } from '../../domain/keys.ts'
import { saveListings } from '../facts/save-listings.ts'
import { findMeantRoute, findPlaces } from './find-route.ts'

onEachEngine('finding where addresses lead', (engine) => {
  it('finds many at once in their order: listed as they are, through a template, or not at all', async () => {
    const store = await engine.open()
    const listings = ['/a', '/users/:id', '/users/me', '', '/stock/[symbol]', '/paid/*'].map((path) =>
      aListing({ path }),
    )
    await saveListings(store, { listings: [...listings, aListing({ host: 'b.example', rail: 'mpp' })] })
    const asked = [
      aRoute({ path: '/users/7' }),
      aRoute({ path: '/a' }),
      aRoute({ host: 'b.example', rail: 'mpp' }),
      aRoute({ path: '/nowhere' }),
      aRoute({ path: '/a', method: 'POST' }),
      aRoute({ path: '/users/me' }),
      aRoute({ host: 'nobody.example' }),
      aRoute({ path: '' }),
      aRoute({ path: '/a' }),
      aRoute({ path: '/stock/AAPL' }),
      aRoute({ path: '/paid/x' }),
      aRoute({ path: '/paid/x/y' }),
    ]
    const found = await findPlaces(store.read, store.dialect, asked)
    const paths = ['/users/:id', '/a', '/v1/weather', undefined, undefined, '/users/me', undefined, '', '/a']
    const patterns = ['/stock/[symbol]', '/paid/*', undefined]
    expect(found.map(({ route }) => route?.path)).toEqual([...paths, ...patterns])
    const hosts = asked.map(({ host }) => (host === 'nobody.example' ? undefined : hostKey(host)))
    expect(found.map(({ hostId }) => hostId)).toEqual(hosts)
    const { host: _, ...me } = aRoute({ path: '/users/me' })
    expect(found[5]?.route).toEqual({ ...me, routeId: routeKey(me) })
    expect(await findPlaces(store.read, store.dialect, [])).toEqual([])
  })

  it('finds what a template stands for, whatever framework writes it so', async () => {
    const store = await engine.open()
    const filled: readonly (readonly [template: string, path: string])[] = [
      ['/a/<int:id>', '/a/7'],
      ['/b/%3Cid%3e', '/b/7'],
      ['/c/[[...slug]]', '/c/7'],
      ['/d/%5Bid%5D', '/d/7'],
      ['/e/**', '/e/7'],
      ['/f/*path', '/f/7'],
      ['/g*', '/g7'],
      ['/h/{id:[0-9]+}', '/h/7'],
      ['/i/x-[id]', '/i/x-7'],
    ]
    await saveListings(store, { listings: filled.map(([path]) => aListing({ path })) })
    const found = await findPlaces(
      store.read,
      store.dialect,
      filled.map(([, path]) => aRoute({ path })),
    )
    expect(found.map(({ route }) => route?.path)).toEqual(filled.map(([template]) => template))
  })

  it('finds the route of a call that has a query of its own, unless that is listed itself', async () => {
    const store = await engine.open()
    const paths = ['/a', '/a?unit=c', '/users/:id', '', '/quote?symbol=:symbol', '/price-:sym']
    await saveListings(store, { listings: paths.map((path) => aListing({ path })) })
    const called = ['/a?city=paris', '/a?unit=c', '/users/7?full=1', '/?q=1', '/', '/b?city=paris']
    const filled = ['/quote?symbol=BTC', '/price-BTC', '/price-BTC?full=1', '/quote?symbol=a/b', '/users/7/8', '/quote']
    const found = await findPlaces(
      store.read,
      store.dialect,
      [...called, ...filled].map((path) => aRoute({ path })),
    )
    expect(found.map(({ route }) => route?.path)).toEqual([
      ...['/a', '/a?unit=c', '/users/:id', '', '', undefined],
      ...['/quote?symbol=:symbol', '/price-:sym', '/price-:sym', '/quote?symbol=:symbol', undefined, undefined],
    ])
  })

  it('finds a route by every spelling of one and the same request, the very one first', async () => {
    const store = await engine.open()
    const on = (host: string, ...paths: string[]) => paths.map((path) => aListing({ host, path }))
    const listings = [
      ...on('slash.example', '/', '/caf%C3%A9', '/:any', '/~user'),
      ...on('bare.example', '', '?x=1', '/café', '/na%c3%afve', '/a|b', '/%7ea%00b'),
      ...on('both.example', '', '/'),
    ]
    await saveListings(store, { listings })
    const asked: readonly (readonly [host: string, path: string, listed: string | undefined])[] = [
      ['slash.example', '', '/'],
      ['slash.example', '?x=1', '/'],
      ['slash.example', '/caf%c3%a9', '/caf%C3%A9'],
      ['slash.example', '/café?full=1', '/caf%C3%A9'],
      ['slash.example', '/%7euser', '/~user'],
      ['slash.example', '/CAF%C3%89', '/:any'],
      ['bare.example', '/', ''],
      ['bare.example', '/?x=1', '?x=1'],
      ['bare.example', '/caf%C3%A9', '/café'],
      ['bare.example', '/na%C3%AFve', '/na%c3%afve'],
      ['bare.example', '/a%7Cb', '/a|b'],
      ['bare.example', '/na%2Fve', undefined],
      ['bare.example', '/%ff', undefined],
      ['bare.example', '/%00', undefined],
      ['bare.example', '/%7Ea%00b?full=1', '/%7ea%00b'],
      ['bare.example', '/caf%25C3%25A9', undefined],
      ['both.example', '', ''],
      ['both.example', '/', '/'],
    ]
    const found = await findPlaces(
      store.read,
      store.dialect,
      asked.map(([host, path]) => aRoute({ host, path })),
    )
    expect(found.map(({ route }) => route?.path)).toEqual(asked.map(([, , listed]) => listed))
  })

  it('finds hosts and routes whose numbers others had already', async () => {
    const store = await engine.open()
    const { host, ...route } = aRoute()
    const hostId = nextKey(hostKey(host))
    const taken = { host_id: hostId, route_id: routeKey(route), ...route, path: '/other' }
    await store.write(async (writer) => {
      await writer
        .insertInto('hosts')
        .values({ host_id: hostKey(host), name: 'other.example' })
        .execute()
      await writer.insertInto('routes').values(taken).execute()
    })
    await saveListings(store, { listings: [aListing()] })
    expect(await findPlaces(store.read, store.dialect, [aRoute()])).toEqual([
      { hostId, route: { ...route, routeId: nextKey(routeKey(route)) } },
    ])
  })

  it('asks the store twice for a call of any method, and has that planned once', async () => {
    const store = await engine.open()
    await saveListings(store, {
      listings: [aListing({ path: '/a', isMethodStated: false }), aListing({ path: '/users/:id' })],
    })
    const { host, ...asked } = aRoute({ method: 'POST', path: '/a' })
    let times = 0
    const read = store.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        times += 1
        return result
      },
    })
    const found = await findMeantRoute({ read, dialect: store.dialect }, hostKey(host), asked)
    expect([found?.method, found?.path, times]).toEqual(['GET', '/a', 2])
    // A coordinator of Citus plans by itself.
    if (engine.name !== 'postgres') return
    await store.snapshot(async (read) => {
      for (let call = 0; call < 20; call++) await findMeantRoute({ ...store, read }, hostKey(host), asked)
      const plans = await sql<{ custom: number }>`select custom_plans as custom from pg_prepared_statements`.execute(
        read,
      )
      // Postgres tries each five times before it keeps the plan of one.
      expect(plans.rows.map(({ custom }) => custom)).toEqual([5, 5])
    })
  })
})
