import { afterEach, describe, expect, it } from 'vitest'
import type { SellerHost } from '../domain/host.ts'
import { PageCache } from './cache/cache.ts'
import { patiently } from './patience.ts'
import { asProblem } from './problems.ts'
import type { WebServer } from './server/server.ts'
import { ask, MemoryDirectory, startSample } from './testing/samples.ts'

const HOST = 'api.weather.example'
const gone = (): Error => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

/** A directory whose store can be taken away. */
class Removable extends MemoryDirectory {
  isAway = false

  override async hostVersion(host: SellerHost) {
    if (this.isAway) throw gone()
    return super.hostVersion(host)
  }

  override async hostView(...asked: Parameters<MemoryDirectory['hostView']>) {
    if (this.isAway) throw gone()
    return super.hostView(...asked)
  }

  override async hosts(...query: Parameters<MemoryDirectory['hosts']>) {
    if (this.isAway) throw gone()
    return super.hosts(...query)
  }

  override async ping() {
    if (this.isAway) throw gone()
  }
}

let web: (WebServer & { readonly lines: string[] }) | undefined
afterEach(async () => {
  await web?.drain(1000)
})

async function openRemovable() {
  const directory = new Removable()
  directory.put(HOST)
  const submit = () => Promise.reject(gone())
  web = await startSample({ directory, reviews: { submit } })
  return { directory, port: web.port, lines: web.lines }
}

describe('while the store is away', () => {
  it('pages that were asked for before are answered as they were, and say so', async () => {
    const { directory, port } = await openRemovable()
    const before = await ask(port, `/hosts/${HOST}`)
    directory.isAway = true
    directory.touch()
    const after = await ask(port, `/hosts/${HOST}`)
    expect([after.status, after.text]).toEqual([200, before.text])
    expect([after.headers.warning, after.headers.age]).toEqual([
      '110 - "Response is Stale"',
      expect.stringMatching(/^\d+$/),
    ])
    const same = await ask(port, `/hosts/${HOST}`, { 'If-None-Match': before.headers.etag })
    expect([same.status, same.headers.warning]).toEqual([304, '110 - "Response is Stale"'])
    directory.isAway = false
    directory.put('api.other.example')
    await expect
      .poll(async () => (await ask(port, `/hosts/${HOST}`)).headers.warning, { timeout: 5000 })
      .toBe(undefined)
  })

  it('everything else is a 503 that says when to come back, and the process lives', async () => {
    const { directory, port } = await openRemovable()
    directory.isAway = true
    directory.touch()
    for (const path of [`/hosts/${HOST}`, '/v1/hosts?q=weather', '/readyz', `/v1/thread/${HOST}`]) {
      const { status, headers, text } = await ask(port, path)
      expect([path, status, headers['retry-after']]).toEqual([path, 503, '5'])
      expect(JSON.parse(text)).toMatchObject({ title: 'Not ready', hint: expect.stringMatching(/again/) })
    }
    const review = { url: `https://${HOST}/v1`, method: 'GET', rail: 'x402', rating: 4, text: 'Fine.' }
    const answer = await fetch(`http://127.0.0.1:${port}/v1/reviews`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(review),
    })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await ask(port, '/healthz')).status).toBe(200)
  })

  it('the log says so in a line a second with how many requests it cost, without where it happened', async () => {
    const { directory, port, lines } = await openRemovable()
    directory.isAway = true
    for (let n = 0; n < 40; n++) await ask(port, `/hosts/${HOST}?view=cards`)
    const said = () => lines.filter((line) => line.includes('requests failed: the store does not answer'))
    const counted = () => said().reduce((sum, line) => sum + Number(JSON.parse(line).requests), 0)
    await expect.poll(counted, { timeout: 5000 }).toBe(40)
    expect(said().length).toBeLessThan(20)
    expect(lines.join('\n')).not.toContain('away.test')
  })
})

describe('a store that gives up what it is asked', () => {
  it.each([
    ['another program writes', {}, 'database is locked'],
    ['it took too long', { code: '57014' }, 'canceling statement due to statement timeout'],
    ['others were faster', { code: '40001' }, 'could not serialize access due to concurrent update'],
  ])('is a 503 that says when to come back, and no error of ours: %s', async (_, more, message) => {
    const directory = new MemoryDirectory()
    directory.hosts = () => Promise.reject(Object.assign(new Error(message), more))
    web = await startSample({ directory })
    const { status, headers, text } = await ask(web.port, '/v1/hosts?q=weather')
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([
      503,
      '5',
      'application/problem+json; charset=utf-8',
    ])
    expect(JSON.parse(text)).toMatchObject({ title: 'Not ready', hint: expect.stringMatching(/again/) })
    expect(web.lines.join('\n')).not.toContain('"stack"')
  })
})

describe('a store that takes questions and answers none', () => {
  it('costs those who have an older copy a moment, and the next ones nothing', async () => {
    let isSilent = false
    let epoch = 1
    let asked = 0
    const hostVersion = (): Promise<number> => {
      asked += 1
      return isSilent ? new Promise(() => undefined) : Promise.resolve(1)
    }
    const cache = new PageCache(
      { hostVersion, switches: () => 0 },
      () => epoch,
      undefined,
      () => performance.now(),
      20,
    )
    const render = async () => ({ contentType: 'text/plain', text: 'x', headers: [] })
    const source = { key: 'x', host: HOST, render }
    const first = await cache.open(source)
    isSilent = true
    epoch += 1
    const second = await cache.open(source)
    const third = await cache.open(source)
    expect([second?.page, third?.page]).toEqual([first?.page, first?.page])
    expect([first?.staleMs, typeof second?.staleMs, typeof third?.staleMs]).toEqual([undefined, 'number', 'number'])
    expect(asked).toBe(2)
  })

  it('is a 503 for everybody else', async () => {
    const waiting = patiently(() => new Promise(() => undefined), 10)
    const failure = await waiting('any request').catch((error: unknown) => error)
    expect(asProblem(failure)).toMatchObject({ slug: 'not-ready', status: 503, headers: { 'Retry-After': '5' } })
  })
})
