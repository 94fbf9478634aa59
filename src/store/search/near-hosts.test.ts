import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import type { Store } from '../store.ts'
import { nearHosts } from './near-hosts.ts'

onEachEngine('hosts that somebody may have meant', (engine) => {
  it('are found through two letters that changed places, a parent, a subdomain or a missing prefix, the nearest first', async () => {
    const store = await engine.open()
    const hosts = ['api.weather.example', 'weather.example', 'eu.api.weather.example', 'unrelated-and-long.example']
    await saveListings(store, { listings: hosts.map((host) => aListing({ host })) })
    const { nearHosts } = directoryOf(store)
    expect((await nearHosts('api.waether.example'))[0]).toBe('api.weather.example')
    expect(await nearHosts('weather.exampel')).toEqual(['weather.example', 'api.weather.example'])
    expect(await nearHosts('us.weather.example')).toContain('weather.example')
    expect((await nearHosts('weather.example')).slice(0, 2)).toEqual(['weather.example', 'api.weather.example'])
    expect(await nearHosts('nothing-like-it.example')).toEqual([])
  })

  it('are looked for as seldom for a name of a hundred labels as for one of few, and its domain is found', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing({ host: 'weather.example' })] })
    let looks = 0
    const getExecutor = () => {
      looks += 1
      return store.read.getExecutor()
    }
    const counting: Store = { ...store, read: Object.create(store.read, { getExecutor: { value: getExecutor } }) }
    const labels = Array.from({ length: 100 }, (_, n) => 'abcdefghij'[n % 10])
    expect(await nearHosts(counting, `${labels.join('.')}.weather.example`)).toEqual(['weather.example'])
    expect(looks).toBeLessThanOrEqual(8)
  })
})

onEachEngine('routes that somebody may have meant', (engine) => {
  it('are the most alike first, whether they stand before or after the asked one', async () => {
    const store = await engine.open()
    const after = Array.from({ length: 30 }, (_, n) => `/v1/forecasts/${n}`)
    const host = 'api.weather.example'
    const paths = ['/v1/forecast', ...after]
    await saveListings(store, { listings: paths.map((path) => aListing({ host, path })) })
    const near = await directoryOf(store).nearRoutes(host, '/v1/forecasts')
    expect(near).toHaveLength(5)
    expect(near[0]?.url).toBe(`https://${host}/v1/forecast`)
    expect((await directoryOf(store).nearRoutes(host, '/v1/forecasts/7'))[0]?.url).toBe(
      `https://${host}/v1/forecasts/7`,
    )
  })
})
