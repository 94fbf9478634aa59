import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { sleep } from '../../src/async/sleep.ts'
import { findHostId } from '../../src/store/host-id.ts'
import { claimTurns } from '../../src/store/schedule/schedule.ts'
import type { Store } from '../../src/store/store.ts'
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
import { type Answer, always402, payment, withoutRobots } from './sellers.ts'

const sellersThat = sellersForTests()

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
      await round(prober, nowUs() + offsetUs)
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
