import { expect, it } from 'vitest'
import type { Writer } from '../../src/store/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { differencesIn, entriesIn, list, nowUs, proberOf, range, round, SILENT, sellersForTests } from './probing.ts'
import { always402, payment, withoutRobots } from './sellers.ts'

const sellersThat = sellersForTests()

/** A store that answers, and whose transactions end as told. */
const endingAs = (store: Store, end: (writer: Writer) => Promise<void>): Store => ({
  ...store,
  write: (work) =>
    store.write(async (writer) => {
      const done = await work(writer)
      await end(writer)
      return done
    }),
})

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code })

function listening() {
  const said: string[] = []
  const say = (_: object, text: string) => void said.push(text)
  return { said, log: { ...SILENT, warn: say, error: say } }
}

const perRoute = async (store: Store): Promise<number[]> => {
  const counts = new Map<string, number>()
  for (const { host_id, route_id } of await entriesIn(store)) {
    const route = `${host_id} ${route_id}`
    counts.set(route, (counts.get(route) ?? 0) + 1)
  }
  return [...counts.values()]
}

onEachEngine('what a prober saw, and a store that does not take it', (engine) => {
  it.each([
    ['has no connection left for it', '53300', 'sorry, too many clients already'],
    ['has no room', '53100', 'could not extend file'],
    ['is held up by others', '57014', 'canceling statement due to lock timeout'],
  ])('is kept for as long as the store answers but %s, and saved once', async (_, code, message) => {
    const store = await engine.open()
    const sellers = await sellersThat(always402)
    await list(store, 'a.example', range(3))
    await list(store, 'b.example', range(3))
    let refused = 0
    const full = endingAs(store, async (writer) => {
      const found = await writer.selectFrom('probes').select('route_id').limit(1).execute()
      if (found.length > 0 && refused++ < 4) throw failure(code, message)
    })
    const { said, log } = listening()
    await round(proberOf(full, sellers, { log }))
    expect(refused).toBeGreaterThan(4)
    expect(await perRoute(store)).toEqual(Array(6).fill(1))
    expect(said).toEqual(['the store does not take entries; they wait'])
    expect(await differencesIn(store)).toEqual([])
  })

  it('is saved before its hosts are called again, also after their leases have ended', async () => {
    const store = await engine.open()
    const [hosts, routes] = [220, 5]
    let [isAway, probed, aheadUs] = [false, 0, 0]
    const sellers = await sellersThat(
      withoutRobots((_, response) => {
        isAway = aheadUs === 0
        payment(response)
      }),
    )
    for (let n = 0; n < hosts; n++) await list(store, `h${n}.example`, range(routes))
    const away = endingAs(store, async () => {
      if (isAway) throw failure('ECONNREFUSED', 'connection refused')
    })
    const prober = proberOf(away, sellers, { nowUs: () => nowUs() + aheadUs, onProbe: () => void probed++ })
    const stop = new AbortController()
    const running = prober.run(stop.signal)
    await expect.poll(() => probed, { timeout: 60_000 }).toBe(hosts * routes)
    await expect.poll(() => prober.status().state).toBe('store')
    aheadUs = 70_000_000
    isAway = false
    await expect.poll(() => prober.status(), { timeout: 60_000 }).toMatchObject({ waiting: 0, visiting: 0 })
    stop.abort()
    await running
    expect(await perRoute(store)).toEqual(Array(hosts * routes).fill(1))
  }, 120_000)
})
