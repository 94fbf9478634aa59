import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programOf } from '../support/debian.ts'
import { temporaryFolder } from '../support/engines.ts'
import { type ThrowAwayPostgres, throwAwayPostgres } from '../support/postgres.ts'
import { createOwner, freePort, PASSWORD, type Process, start, startNginx } from './deployment.ts'
import { count, newTally, type Tally, Visitors } from './light-load.ts'

const nginx = programOf('nginx', 'usr/sbin/nginx')
const HOST = 'api.seller.test'
const AWAY_MS = 30_000
const EVERY_MS = 50

/** The documented set-up: nginx with TLS, two web processes, one that sweeps, one that probes, and Postgres. */
describe.skipIf(nginx === undefined)('the documented set-up', () => {
  const folder = temporaryFolder()
  const processes: Process[] = []
  let postgres: ThrowAwayPostgres
  let seller: Server
  let proxy: ReturnType<typeof startNginx>
  let visitors: Visitors
  let https: number

  beforeAll(async () => {
    postgres = await throwAwayPostgres()
    const ports = await Promise.all(Array.from({ length: 9 }, freePort))
    const [web1 = 0, web2 = 0, m1 = 0, m2 = 0, m3 = 0, m4 = 0, http = 0, secure = 0, shop = 0] = ports
    https = secure
    seller = createServer((_request, response) => response.writeHead(402, { 'cache-control': 'no-store' }).end('{}'))
    await new Promise<void>((resolve) => seller.listen(shop, '127.0.0.1', resolve))
    const listing = (path: string) => JSON.stringify({ method: 'GET', url: `http://${HOST}${path}`, rail: 'x402' })
    writeFileSync(join(folder, 'mine.ndjson'), `${listing('/v1/x')}\nno record\n${listing('/v1/y')}\n`)
    const env = {
      ...{ DATABASE_URL: await createOwner(postgres.url), PGPASSWORD: PASSWORD, BASE_URL: 'https://directory.example' },
      ...{ SOURCES: `mine=file:${join(folder, 'mine.ndjson')}`, SWEEP_INTERVAL: '2s', ALLOW_HOSTS: '*.seller.test' },
      ...{ CONNECT_TO: `${HOST}:80:127.0.0.1:${shop}`, PROBE_INTERVAL: '4s', PROBE_GAP: '0ms', PROBE_CHECK: 'none' },
      ...{ RATE_LIMITS: 'off', TRUSTED_PROXIES: '127.0.0.1', LOG_CLIENTS: 'network', DATA_DIR: join(folder, 'data') },
    }
    processes.push(
      start('web-1', 'web', m1, { ...env, PORT: String(web1) }),
      start('web-2', 'web', m2, { ...env, PORT: String(web2) }),
      start('ingest', 'ingest', m3, env),
      start('probe', 'probe', m4, env),
    )
    proxy = startNginx(nginx ?? '', folder, [web1, web2], { http, https })
    visitors = new Visitors(https, proxy.certificate)
  }, 90_000)

  afterAll(async () => {
    visitors?.close()
    await Promise.all(processes.map((one) => one.stop()))
    proxy?.child.kill('SIGTERM')
    seller?.close()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const statusOf = (url: string): Promise<number> =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    )
  /** Of each process, on its own port: whether it is ready. */
  const states = () => Promise.all(processes.map(({ metrics }) => statusOf(`${metrics}/readyz`)))
  const metric = async ({ metrics }: Process, name: string): Promise<string | undefined> =>
    new RegExp(`^${name} (.+)$`, 'm').exec(await (await fetch(`${metrics}/metrics`)).text())?.[1]

  /** Reads of cached pages and of lists, and a write now and then, until told to stop. */
  const visit = async (tally: Tally, isOver: () => boolean): Promise<void> => {
    for (let n = 0; !isOver(); n++) {
      // Of three, so that the proxy, which takes turns, sends each to both.
      const path = n % 3 === 0 ? `/v1/hosts?q=x${n}` : `/hosts/${HOST}`
      const review = { url: `http://${HOST}/v1/x`, method: 'GET', rail: 'x402', rating: 4, text: `Visit ${n}.` }
      try {
        if (n % 10 === 5) count(tally, 'POST', await visitors.ask('POST', '/v1/reviews', review))
        else count(tally, path, await visitors.ask('GET', path))
      } catch (error) {
        tally.wrong.push(`${path}: ${error}`)
      }
      await wait(EVERY_MS)
    }
  }

  it('serves over TLS, and knows the client behind the proxy', async () => {
    await expect.poll(() => states(), { timeout: 40_000 }).toEqual([200, 200, 200, 200])
    await expect
      .poll(async () => (await visitors.ask('GET', `/v1/hosts/${HOST}`)).status, { timeout: 20_000 })
      .toBe(200)
    expect((await visitors.ask('GET', '/')).status).toBe(200)
    const log = () => processes.map(({ output }) => output()).join('')
    await expect.poll(log).toContain('"client":"127.0.0.0/24"')
    const unsure = await new Promise((resolve) => {
      request({ host: '127.0.0.1', port: https, servername: 'directory.example' }).once('error', resolve).end()
    })
    expect(String(unsure)).toMatch(/self-signed/)
    expect(log()).not.toContain(PASSWORD)
  })

  it('passes on answers with long headers, as those of 402s and of long searches are', async () => {
    const { status } = await visitors.ask('GET', `/?q=${encodeURIComponent('値'.repeat(200))}`)
    expect(status).toBe(200)
  })

  it('sweeps, and names the line that it refused', async () => {
    const [, , ingest] = processes
    await expect
      .poll(() => ingest?.output())
      .toMatch(/"refused":\{"bad_record":1\}.*"refused_lines":\["line 2: not a JSON object"\]/)
    const source = JSON.parse((await visitors.ask('GET', '/v1/sources/mine')).body)
    expect(source.refusals).toMatchObject([{ reason: 'bad_record', examples: ['line 2: not a JSON object'] }])
    const why = await visitors.ask('GET', `/v1/hosts/${HOST}/why?path=/v1/x`)
    expect(JSON.parse(why.body)).toMatchObject({ routes: [{ path: '/v1/x', held_back_by: expect.any(Array) }] })
  })

  it('goes through half a minute without Postgres: pages stand, the rest says when to come back, nothing is lost', async () => {
    let isOver = false
    const before = newTally()
    const visitingBefore = visit(before, () => isOver)
    await wait(2_000)
    isOver = true
    await visitingBefore
    expect([before.wrong, before.later, before.stale]).toEqual([[], 0, 0])

    // Every request has its line; what is asked here is what else there is to say of it.
    const logged = () =>
      processes
        .flatMap(({ output }) => output().split('\n'))
        .filter((line) => !line.endsWith('"msg":"request"}'))
        .join('\n').length
    const during = newTally()
    const [bytesBefore, stoppedMs] = [logged(), performance.now()]
    await postgres.kill()
    isOver = false
    const visiting = visit(during, () => isOver)
    const scrapes: string[] = []
    while (performance.now() - stoppedMs < AWAY_MS) {
      const ups = await Promise.all(processes.map((one) => metric(one, 'tollbook_store_up')))
      scrapes.push(ups.join(' '))
      await wait(1_000)
    }
    const notReady = await states()
    const alive = await Promise.all(processes.map(({ metrics }) => statusOf(`${metrics}/healthz`)))
    isOver = true
    await visiting
    const bytes = logged() - bytesBefore

    const startedMs = performance.now()
    await postgres.start()
    const startMs = performance.now() - startedMs
    await expect.poll(states, { timeout: 20_000, interval: 50 }).toEqual([200, 200, 200, 200])
    const readyMs = performance.now() - startedMs - startMs
    const after = newTally()
    isOver = false
    const visitingAfter = visit(after, () => isOver)
    await wait(2_000)
    isOver = true
    await visitingAfter

    process.stderr.write(
      `documented set-up: ${before.good} answers before; without Postgres for ${AWAY_MS / 1000} s ${during.good} fresh, ` +
        `${during.stale} stale, ${during.later} 503 with Retry-After, ${during.wrong.length} other; ${scrapes.length} scrapes ` +
        `of ${processes.length} processes; ${Math.round(bytes / 1024)} KiB of log; ready ${Math.round(readyMs)} ms after it\n`,
    )
    expect(during.wrong).toEqual([])
    expect(during.later).toBeGreaterThan(0)
    expect(during.stale + during.good).toBeGreaterThan(0)
    expect(scrapes.slice(2).filter((line) => line !== '0 0 0 0')).toEqual([])
    expect([notReady, alive]).toEqual([
      [503, 503, 503, 503],
      [200, 200, 200, 200],
    ])
    expect([after.wrong, after.later]).toEqual([[], 0])
    expect(processes.map(({ child }) => child.exitCode)).toEqual([null, null, null, null])
    for (const id of [...before.acknowledged, ...during.acknowledged, ...after.acknowledged]) {
      expect((await visitors.ask('GET', `/v1/reviews/${id}`)).status).toBe(200)
    }
    expect(before.acknowledged.length).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(50_000)
    const probes = async () =>
      JSON.parse((await visitors.ask('GET', `/v1/hosts/${HOST}`)).body).probe_history['402_correct']
    const probesNow = await probes()
    await expect.poll(probes, { timeout: 20_000 }).toBeGreaterThan(probesNow)
  }, 90_000)
})
