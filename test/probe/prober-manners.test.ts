import { expect, it } from 'vitest'
import type { Egress } from '../../src/probe/egress.ts'
import { findHostId } from '../../src/store/host-id.ts'
import { onEachEngine } from '../support/engines.ts'
import { entriesIn, list, nowUs, proberOf, range, round, sellersForTests } from './probing.ts'
import { payment, withoutRobots } from './sellers.ts'

const sellersThat = sellersForTests()

onEachEngine('manners of a prober', (engine) => {
  it('has one request in flight per host, a gap apart, while hosts go on side by side', async () => {
    const store = await engine.open()
    const inAll = { now: 0, most: 0 }
    const sellers = await sellersThat(
      withoutRobots((_, response) => {
        inAll.most = Math.max(inAll.most, ++inAll.now)
        setTimeout(() => {
          inAll.now--
          response.writeHead(200).end()
        }, 20)
      }),
    )
    for (let host = 0; host < 6; host++) await list(store, `h${host}.example`, range(7))
    const gapMs = 40
    const rules = { manners: { gapMs, optOut: [] }, routesPerTurn: 3 }
    await Promise.all([round(proberOf(store, sellers, rules)), round(proberOf(store, sellers, rules))])
    expect(sellers.seen.filter(({ path }) => path !== '/robots.txt')).toHaveLength(42)
    expect(sellers.seen.filter(({ path }) => path === '/robots.txt')).toHaveLength(6)
    expect(sellers.seen.filter(({ underWay }) => underWay > 0)).toEqual([])
    // The seller's end of an answer comes a moment after ours.
    expect(sellers.seen.filter(({ sinceLastMs }) => sinceLastMs < gapMs / 2)).toEqual([])
    expect(inAll.most).toBeGreaterThan(1)
  })

  it('keeps to robots.txt where it names us, and asks for it once a day', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(({ host, path }, response) => {
      if (path !== '/robots.txt') return void response.writeHead(200).end()
      if (host === 'crawlers.example') return void response.end('User-agent: *\nDisallow: /')
      if (host === 'moved.example') return void response.writeHead(301, { location: '/robots/here' }).end()
      response.end('User-agent: tollbook\nDisallow: /no')
    })
    await list(store, 'named.example', ['/no/1', '/no/2', '/yes/1', '/yes/2', '/yes/3', '/yes/4', '/yes/5', '/yes/6'])
    await list(store, 'crawlers.example', ['/any'])
    await list(store, 'moved.example', ['/any'])
    await round(proberOf(store, sellers))
    const asked = sellers.seen.map(({ host, path }) => `${host}${path}`)
    expect(asked.filter((address) => address.includes('/no/'))).toEqual([])
    expect(asked.filter((address) => address.includes('/yes/'))).toHaveLength(6)
    expect(asked).toContain('crawlers.example/any')
    expect(asked).toContain('moved.example/robots/here')
    expect(asked.filter((address) => address === 'named.example/robots.txt')).toHaveLength(1)
    expect(await entriesIn(store)).toHaveLength(8)
  })

  it('ends the search for a robots.txt that moves on and on while it holds the lease of the host', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(({ path }, response) =>
      path === '/robots.txt' ? response.writeHead(301, { location: path }).end() : payment(response),
    )
    await list(store, 'slow.example', ['/a'])
    let aheadUs = 0
    const egress: Egress = {
      fetch: async (request) => {
        aheadUs += 9_900_000
        return sellers.egress.fetch(request)
      },
    }
    const clock = (): number => nowUs() + aheadUs
    const limits = { deadlineMs: 10_000, maxBodyBytes: 65_536 }
    await round(proberOf(store, { egress }, { nowUs: clock, limits }))
    // 49.5 of 60 seconds, 10 of which are for saving; the route is probed in the next turn.
    const searched = Array.from({ length: 5 }, () => '/robots.txt')
    expect(sellers.seen.map(({ path }) => path)).toEqual([...searched, '/a'])
  })

  it('keeps to robots.txt for what it sends, however that is listed', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(({ path }, response) =>
      path === '/robots.txt' ? response.end('User-agent: tollbook\nDisallow: /admin') : payment(response),
    )
    await list(store, 'api.example', [
      '/pub/../admin/x',
      '/pub/%2e%2e/admin/y',
      '/.\\admin\\z',
      '/pub/ok',
      '/admin/../in',
    ])
    await round(proberOf(store, sellers))
    expect(sellers.seen.map(({ path }) => path).toSorted()).toEqual(['/in', '/pub/ok', '/robots.txt'])
  })

  it('leaves a host alone that asks for it, and one that has opted out', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(
      withoutRobots(({ host }, response) => {
        response.writeHead(host === 'busy.example' ? 429 : 200, { 'retry-after': '3600' }).end()
      }),
    )
    for (const host of ['busy.example', 'out.example', 'a.out.example', 'calm.example'])
      await list(store, host, range(8))
    const optOut = ['out.example', '*.out.example']
    await round(proberOf(store, sellers, { manners: { gapMs: 0, optOut } }))
    const probes = sellers.seen.filter(({ path }) => path !== '/robots.txt')
    expect(probes.filter(({ host }) => host === 'busy.example')).toHaveLength(1)
    expect(probes.filter(({ host }) => host === 'calm.example')).toHaveLength(8)
    expect(sellers.seen.filter(({ host }) => host.endsWith('out.example'))).toEqual([])
  })

  it('leaves a host alone that asks for it instead of giving its robots.txt, and probes it afterwards', async () => {
    const store = await engine.open()
    const refusals = new Map([
      ['busy.example', 503],
      ['crowded.example', 429],
      ['down.example', 503],
    ])
    const sellers = await sellersThat(({ host, path }, response) => {
      const status = path === '/robots.txt' ? (refusals.get(host) ?? 404) : 402
      const headers = host === 'down.example' ? {} : { 'retry-after': '3600' }
      response.writeHead(status, status === 402 ? {} : headers).end()
    })
    for (const host of refusals.keys()) await list(store, host, range(3))
    let offsetUs = 0
    const prober = proberOf(store, sellers, { nowUs: () => nowUs() + offsetUs })
    const probed = (): string[] => sellers.seen.filter(({ path }) => path !== '/robots.txt').map(({ host }) => host)
    await round(prober)
    expect(probed()).toEqual(Array(3).fill('down.example'))
    for (const host of ['busy.example', 'crowded.example']) {
      const hostId = (await findHostId(store.read, host)) ?? 0
      const turn = await store.read
        .selectFrom('host_turns')
        .selectAll()
        .where('host_id', '=', hostId)
        .executeTakeFirst()
      const [restMs, dueMs] = [turn?.not_before_us, turn?.due_us].map((us) => ((us ?? 0) - nowUs()) / 1000)
      expect([restMs, dueMs].map((ms = 0) => ms > 3_500_000 && ms <= 3_600_000)).toEqual([true, true])
    }
    offsetUs = 3_601_000_000
    await round(prober, nowUs() + offsetUs)
    expect(probed().filter((host) => host !== 'down.example')).toHaveLength(6)
  })
})
