import { expect, it } from 'vitest'
import { DAY_US } from '../../src/domain/time/day.ts'
import type { Egress } from '../../src/probe/egress.ts'
import { onEachEngine } from '../support/engines.ts'
import {
  differencesIn,
  entriesIn,
  list,
  nowUs,
  proberOf,
  range,
  round,
  SILENT,
  sellersForTests,
  until,
} from './probing.ts'
import { always402, doorToNobody, payment, withoutRobots } from './sellers.ts'

const sellersThat = sellersForTests()

onEachEngine('a prober that doubts itself', (engine) => {
  it('records nothing of calls during which it stood still itself, and makes them again', async () => {
    const store = await engine.open()
    let aheadMs = 0
    const sellers = await sellersThat(
      withoutRobots((_, response) => {
        if (sellers.seen.filter(({ path }) => path !== '/robots.txt').length > 1) return payment(response)
        aheadMs += 25_000
        response.writeHead(500).end()
      }),
    )
    await list(store, 'a.example', ['/x'])
    await round(proberOf(store, sellers, { nowMs: () => performance.now() + aheadMs }))
    expect((await entriesIn(store)).map(({ status }) => status)).toEqual([402])
    expect(sellers.seen.filter(({ path }) => path === '/x')).toHaveLength(2)
  })

  it('records nothing while we are offline ourselves, says so, and goes on when we are back', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(always402)
    let door = doorToNobody()
    const egress: Egress = { fetch: (request) => door.fetch(request) }
    await list(store, 'a.example', range(3))
    await list(store, 'b.example', range(3))
    const said: string[] = []
    const log = { ...SILENT, warn: (_: object, text: string) => said.push(text) }
    const checkAddresses = ['http://check.example/']
    const prober = proberOf(store, { egress }, { checkAddresses, log })
    const stop = new AbortController()
    const running = prober.run(stop.signal)
    await until(() => prober.status().state === 'offline')
    expect(await entriesIn(store)).toEqual([])
    expect(said.join()).toContain('offline')
    door = sellers.egress
    await expect.poll(async () => (await entriesIn(store)).length, { timeout: 20_000 }).toBe(6)
    expect(prober.status().state).toBe('working')
    stop.abort()
    await running
    expect((await entriesIn(store)).every(({ status }) => status === 402)).toBe(true)
    expect(await differencesIn(store)).toEqual([])
  })

  it('records that a host cannot be reached when others can', async () => {
    const store = await engine.open()
    const check = await sellersThat(always402)
    await list(store, 'a.example', range(3))
    const egress = {
      fetch: (request: Parameters<typeof check.egress.fetch>[0]) =>
        (request.url.includes('check.example') ? check.egress : doorToNobody()).fetch(request),
    }
    await round(proberOf(store, { egress }, { checkAddresses: ['http://check.example/'] }))
    const entries = await entriesIn(store)
    expect(entries.map(({ status, error }) => `${status} ${error}`)).toEqual(Array(3).fill('0 dns_failure'))
    // Once for the clock, before anything else.
    expect(check.seen).toHaveLength(2)
  })

  it('records nothing by a clock that is not that of others, says so, and goes on when it is set', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(always402)
    await list(store, 'a.example', range(3))
    const said: string[] = []
    const log = { ...SILENT, warn: (_: object, text: string) => said.push(text) }
    let aheadUs = DAY_US
    const ahead = { nowUs: () => nowUs() + aheadUs, checkAddresses: ['http://check.example/'], log }
    const prober = proberOf(store, sellers, ahead)
    const stop = new AbortController()
    const running = prober.run(stop.signal)
    await until(() => prober.status().state === 'clock')
    expect(said.join()).toContain('the clock is not that of others')
    expect(await entriesIn(store)).toEqual([])
    expect(sellers.seen.every(({ host }) => host === 'check.example')).toBe(true)
    aheadUs = 0
    await expect.poll(async () => (await entriesIn(store)).length, { timeout: 20_000 }).toBe(3)
    expect((await entriesIn(store)).every(({ at_us }) => at_us <= nowUs())).toBe(true)
    stop.abort()
    await running
  })

  it('goes on at once, and once, where a clock that was a year ahead had probed', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(always402)
    await list(store, 'a.example', range(2))
    const aheadUs = nowUs() + 365 * DAY_US
    await round(proberOf(store, sellers, { nowUs: () => nowUs() + 365 * DAY_US }), aheadUs + DAY_US)
    await list(store, 'a.example', range(3))
    const prober = proberOf(store, sellers)
    for (const entries of [5, 5]) {
      await round(prober)
      expect(await entriesIn(store)).toHaveLength(entries)
    }
    const routes = await store.read.selectFrom('schedule').selectAll().execute()
    expect(routes.every(({ due_us }) => (due_us ?? 0) > nowUs() && (due_us ?? 0) < nowUs() + DAY_US)).toBe(true)
    expect(await differencesIn(store)).toEqual([])
  })
})
