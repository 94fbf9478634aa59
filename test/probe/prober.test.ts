import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { sleep } from '../../src/async/sleep.ts'
import { DAY_US } from '../../src/domain/time/day.ts'
import type { Egress } from '../../src/probe/egress.ts'
import { createProber, type Prober } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER, type ProberDeps, type ProberSettings } from '../../src/probe/settings.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { findHostId } from '../../src/store/host-id.ts'
import { claimTurns } from '../../src/store/schedule/schedule.ts'
import type { Store } from '../../src/store/store.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { onEachEngine } from '../support/engines.ts'
import { aListing } from '../support/samples.ts'
import { type Answer, always402, doorToNobody, payment, type Sellers, startSellers, withoutRobots } from './sellers.ts'

const open: Sellers[] = []
afterEach(async () => {
  for (const sellers of open.splice(0)) await sellers.close()
})

const sellersThat = async (answer: Answer, port?: number): Promise<Sellers> => {
  const sellers = await startSellers(answer, port)
  open.push(sellers)
  return sellers
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
const nowUs = (): number => Date.now() * 1000

const settings = (more: Partial<ProberSettings> = {}): ProberSettings => ({
  ...DEFAULT_PROBER,
  manners: { gapMs: 0, optOut: [] },
  limits: { deadlineMs: 2000, maxBodyBytes: 65_536 },
  ...more,
})

let names = 0
const proberOf = (store: Store, sellers: Pick<Sellers, 'egress'>, more: Partial<ProberSettings & ProberDeps> = {}) => {
  const doors = { store, egress: sellers.egress, nowUs, log: SILENT, name: `test-${names++}`, ...more }
  return createProber(doors, settings(more))
}

/** One round over everything that is due, with a clock that may run ahead. */
async function round(prober: Prober, hostIds: readonly number[] | null = null, atUs = nowUs()): Promise<void> {
  const never = new AbortController().signal
  await prober.enrolAll(never)
  await prober.round({ cutoffUs: Math.max(atUs, nowUs()), hostIds }, never)
}

const list = (store: Store, host: string, paths: readonly string[], more: Parameters<typeof aListing>[0] = {}) =>
  saveListings(store, { listings: paths.map((path) => aListing({ host, path, scheme: 'http', ...more })) })

const entriesIn = async (store: Store) => store.read.selectFrom('probes').selectAll().execute()

async function differencesIn(store: Store): Promise<string[]> {
  const found: string[] = []
  await verifyStore(store, ({ host, what, stored, counted }) => found.push(`${host} ${what} ${stored} ${counted}`))
  return found
}

const range = (n: number): string[] => Array.from({ length: n }, (_, i) => `/${i}`)
const until = (holds: () => unknown): Promise<void> =>
  expect.poll(holds, { timeout: 20_000, interval: 20 }).toBeTruthy()

onEachEngine('prober', (engine) => {
  it('probes every due route once and counts what it kept', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(
      withoutRobots(({ host, path }, response) => {
        if (host === 'paid.example') return payment(response)
        response.writeHead(Number(path.slice(1))).end()
      }),
    )
    await list(store, 'paid.example', range(12))
    await list(store, 'mixed.example', ['/200', '/404', '/500'])
    await list(store, 'post.example', ['/201'], { method: 'POST' })
    const prober = proberOf(store, sellers)
    await round(prober)
    expect(await entriesIn(store)).toHaveLength(16)
    const [paid] = await store.read
      .selectFrom('host_counters')
      .selectAll()
      .where('host_id', '=', (await findHostId(store.read, 'paid.example')) ?? -1)
      .execute()
    expect(paid).toMatchObject({ correct_402: 12, answers: 0, failed: 0, unreachable: 0 })
    const payees = await store.read.selectFrom('payees').select(['payee', 'origin']).distinct().execute()
    expect(payees).toEqual([{ payee: '0x1111111111111111111111111111111111111111', origin: 'challenge' }])
    const states = await store.read.selectFrom('route_state').select('probe_status').distinct().execute()
    expect(states.map((row) => row.probe_status).toSorted()).toEqual(['unverified', 'verified'])
    expect(await differencesIn(store)).toEqual([])
    await round(prober)
    expect(await entriesIn(store)).toHaveLength(16)
    expect(prober.status()).toEqual({ state: 'stopped', visiting: 0, waiting: 0 })
  })

  it('sends no method that changes things and no header that pays or identifies', async () => {
    const store = await engine.open()
    const hostile: Answer = ({ path }, response) => {
      const more = {
        'set-cookie': 'a=b',
        'www-authenticate': 'Basic realm="x", Payment id="y"',
        location: '/elsewhere',
      }
      response.writeHead([402, 401, 302, 307, 200][Number(path.slice(1)) % 5] ?? 200, more).end()
    }
    const sellers = await sellersThat(withoutRobots(hostile))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      for (let host = 0; host < 4; host++) await list(store, `h${host}.example`, range(10), { method })
    }
    const prober = proberOf(store, sellers)
    await round(prober)
    await store.write((writer) => sql`update schedule set due_us = 0 where due_us is not null`.execute(writer).then())
    await store.write((writer) => sql`update host_turns set due_us = 0`.execute(writer).then())
    await round(prober)
    const probes = sellers.seen.filter(({ path }) => path !== '/robots.txt')
    expect(probes).toHaveLength(2 * 4 * 2 * 10)
    expect(new Set(sellers.seen.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']))
    expect(new Set(probes.filter(({ method }) => method === 'POST').map(({ body }) => body))).toEqual(new Set(['{}']))
    const sent = new Set(sellers.seen.flatMap(({ headers }) => Object.keys(headers)))
    const plain = ['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent']
    expect([...sent].toSorted()).toEqual(plain)
    expect(sellers.seen.some(({ path }) => path === '/elsewhere')).toBe(false)
  })

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
    await round(prober, null, nowUs() + offsetUs)
    expect(probed().filter((host) => host !== 'down.example')).toHaveLength(6)
  })

  it('announces a change of class with the entry, looks again soon, and at most twice in a row', async () => {
    const store = await engine.open()
    let status = 402
    const sellers = await sellersThat(
      withoutRobots((_, response) => (status === 402 ? payment(response) : void response.writeHead(status).end())),
    )
    await list(store, 'a.example', ['/x'])
    let offsetUs = 0
    const gaps: number[] = []
    const prober = proberOf(store, sellers, { nowUs: () => nowUs() + offsetUs })
    for (const next of [402, 500, 402, 500, 500]) {
      status = next
      await round(prober, null, nowUs() + offsetUs)
      const turn = await store.read.selectFrom('host_turns').select('due_us').executeTakeFirstOrThrow()
      const waitUs = (turn.due_us ?? 0) - (nowUs() + offsetUs)
      gaps.push(waitUs / 60_000_000)
      offsetUs += waitUs + 1000
    }
    expect(gaps.map((minutes) => minutes <= 15)).toEqual([false, true, true, false, false])
    const events = await store.read
      .selectFrom('events')
      .selectAll()
      .where('kind', '=', 'class_changed')
      .orderBy('at_us')
      .execute()
    expect(events.map(({ data }) => JSON.parse(data))).toEqual([
      { from: '402-correct', to: 'failed' },
      { from: 'failed', to: '402-correct' },
      { from: '402-correct', to: 'failed' },
    ])
    const probed = await store.read.selectFrom('probes').select('at_us').execute()
    expect(events.every((event) => probed.some(({ at_us }) => at_us === event.at_us))).toBe(true)
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
    await round(proberOf(store, sellers, { nowUs: () => nowUs() + 365 * DAY_US }), null, aheadUs + DAY_US)
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

  it('stops cleanly: calls end, what they saw is saved, hosts are free at once', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(withoutRobots((_, response) => void setTimeout(() => payment(response), 100)))
    for (let host = 0; host < 20; host++) await list(store, `h${host}.example`, range(10))
    const stop = new AbortController()
    let over = 0
    const running = proberOf(store, sellers, { concurrency: 8, onProbe: () => void over++ }).run(stop.signal)
    await until(() => over >= 10)
    stop.abort()
    await running
    expect(await entriesIn(store)).toHaveLength(over)
    const held = await sql`select 1 from host_turns where lease_by is not null`.execute(store.read)
    expect(held.rows).toEqual([])
    expect(await differencesIn(store)).toEqual([])
  })

  it('soon finds what is listed next, however long it took to give the last ones their places', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(always402)
    const slow: Store = Object.create(store, {
      write: {
        value: async (...[work]: Parameters<Store['write']>) => {
          await sleep(400)
          return store.write(work)
        },
      },
    })
    await list(store, 'a.example', range(2))
    const stop = new AbortController()
    const running = proberOf(slow, sellers).run(stop.signal)
    await expect.poll(async () => (await entriesIn(store)).length, { timeout: 20_000 }).toBe(2)
    await list(store, 'b.example', range(2))
    await expect.poll(async () => (await entriesIn(store)).length, { timeout: 20_000 }).toBe(4)
    stop.abort()
    await running
  })

  it('goes on at once with what one held that was killed, and not with what others hold', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(always402)
    for (const host of ['a.example', 'b.example']) await list(store, host, range(2))
    const prober = proberOf(store, sellers, { isEnded: (name) => name === 'machine:7:killed' })
    await prober.enrolAll(new AbortController().signal)
    for (const lease of ['machine:7:killed/3', 'machine:8:alive/3']) {
      await claimTurns(store, {
        ...{ lease, vantageId: await prober.vantageId(), nowUs: nowUs(), leaseUs: 60_000_000 },
        ...{ mostHosts: 1, routesPerHost: 5, within: null },
      })
    }
    const stop = new AbortController()
    const running = prober.run(stop.signal)
    await expect.poll(async () => (await entriesIn(store)).length, { timeout: 20_000 }).toBe(2)
    stop.abort()
    await running
    const held = await sql<{ lease_by: string }>`select lease_by from host_turns where lease_by is not null`.execute(
      store.read,
    )
    expect(held.rows).toEqual([{ lease_by: 'machine:8:alive/3' }])
  })

  it('keeps all others when the store cannot hold one host', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(always402)
    for (let host = 0; host < 9; host++) await list(store, `h${host}.example`, range(2))
    const failing: Store = {
      ...store,
      prepareMonths: async (times) => store.prepareMonths(times),
      write: (work) =>
        store.write(async (writer) => {
          const given = await work(writer)
          const bad = await sql<{ n: number }>`select count(*) as n from probes as p join hosts as h
            on h.host_id = p.host_id where h.name = 'h4.example'`.execute(writer)
          if ((bad.rows[0]?.n ?? 0) > 0) throw new Error('cannot be held')
          return given
        }),
    }
    const said: string[] = []
    const log = { ...SILENT, error: (fields: object, text: string) => said.push(`${JSON.stringify(fields)} ${text}`) }
    await round(proberOf(failing, sellers, { log }))
    expect(await entriesIn(store)).toHaveLength(16)
    expect(said).toEqual([expect.stringContaining('h4.example')])
    expect(await differencesIn(store)).toEqual([])
  })
})
