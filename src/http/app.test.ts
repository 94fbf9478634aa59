import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import { PROBLEM_KINDS } from '../domain/problem-kinds.ts'
import { CSP } from '../render/html/csp.ts'
import { hostPage } from '../render/html/pages/host.tsx'
import { FULL_HOST, NOON_US } from '../render/testing/sample-views.ts'
import type { WebServer } from './server/server.ts'
import { ask, MemoryDirectory, startSample } from './testing/samples.ts'

const HOST = 'api.weather.example'
const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const directory = new MemoryDirectory()
let web: WebServer & { readonly lines: string[] }
beforeAll(async () => {
  directory.put(HOST)
  directory.put('xn--bcher-kva.example')
  directory.put('port.example:8443')
  web = await startSample({ directory, allow: ['*.seller.test'] })
})
afterAll(() => web.drain(1000))

const json = async (path: string, headers = {}): Promise<Record<string, unknown>> => {
  const document: unknown = JSON.parse((await ask(web.port, path, headers)).text)
  return typeof document === 'object' && document !== null ? { ...document } : {}
}

describe('a host view', () => {
  it.each([
    [undefined, 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
  ])('for %s comes as %s', async (accept, contentType) => {
    const reply = await ask(web.port, `/hosts/${HOST}`, accept === undefined ? {} : { Accept: accept })
    expect([reply.status, reply.headers['content-type']]).toEqual([200, contentType])
    expect(reply.headers).toMatchObject({
      vary: 'Accept, Accept-Encoding',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-length': String(reply.bytes.byteLength),
    })
    expect(reply.text).toContain(HOST)
  })

  it('is what the page renders, under a policy that allows nothing else', async () => {
    const reply = await ask(web.port, `/hosts/${HOST}`)
    const site = { baseUrl: 'https://tollbook.example' }
    expect(reply.text).toBe(hostPage(site, { ...FULL_HOST, host: HOST }, { cards: false, cursor: null }))
    expect(reply.headers['content-security-policy']).toBe(CSP)
    expect((await ask(web.port, `/hosts/${HOST}?format=md`)).headers['content-security-policy']).toBeUndefined()
  })

  it('follows ?format= before Accept, and refuses other formats', async () => {
    const reply = await ask(web.port, `/hosts/${HOST}?format=json`, { Accept: 'text/html' })
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(reply.text)).toMatchObject({ host: HOST, label: 'Seller service' })
    expect(await json(`/hosts/${HOST}?format=xml`)).toMatchObject({ status: 400, parameter: 'format' })
  })

  it('names its other representations', async () => {
    const { headers } = await ask(web.port, `/hosts/${HOST}?view=cards`)
    expect(headers.link).toBe(
      `<https://tollbook.example/hosts/${HOST}?format=md&view=cards>; rel="alternate"; type="text/markdown", ` +
        `<https://tollbook.example/hosts/${HOST}?format=json&view=cards>; rel="alternate"; type="application/json"`,
    )
  })

  it('comes as cards when asked, and in no other view', async () => {
    const reply = await ask(web.port, `/hosts/${HOST}?view=cards`)
    expect(reply.text).toContain('D-184')
    expect(reply.text).toContain('Price: 0.010000Rail: x402Network: base')
    expect((await ask(web.port, `/hosts/${HOST}`)).text).not.toContain('D-184')
    expect(JSON.stringify(await json(`/v1/hosts/${HOST}?view=cards`))).toContain('D-184')
    expect(await json(`/v1/hosts/${HOST}?view=table`)).toMatchObject({ status: 400, parameter: 'view' })
  })

  it.each([
    ['API.Weather.EXAMPLE', HOST],
    ['api.weather.example.', HOST],
    ['%61pi.weather.example', HOST],
    ['b%C3%BCcher.example', 'xn--bcher-kva.example'],
    ['port.example:8443', 'port.example:8443'],
    ['port.example%3A8443', 'port.example:8443'],
  ])('of %s is that of %s', async (written, host) => {
    expect(await json(`/v1/hosts/${written}`)).toMatchObject({ host })
  })

  it('says 406 and what there is when nothing is acceptable', async () => {
    expect(await json(`/hosts/${HOST}`, { Accept: 'image/png' })).toMatchObject({
      status: 406,
      available: ['text/html', 'text/markdown', 'application/json'],
    })
    expect(await json(`/hosts/${HOST}`, { 'Accept-Encoding': '*;q=0' })).toMatchObject({ status: 406 })
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const [get, head] = [await ask(web.port, `/hosts/${HOST}`), await ask(web.port, `/hosts/${HOST}`, {}, 'HEAD')]
    const { date: _one, 'x-request-id': _two, ...same } = get.headers
    expect(head.status).toBe(200)
    expect(head.bytes.byteLength).toBe(0)
    expect(head.headers).toMatchObject(same)
  })
})

describe('an unknown host', () => {
  it('is a problem that says so, with near matches', async () => {
    const reply = await ask(web.port, '/hosts/apl.weather.example', { Accept: '*/*' })
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8'])
    expect(JSON.parse(reply.text)).toEqual({
      type: 'https://tollbook.example/problems/unknown-host',
      title: 'Unknown seller host',
      status: 404,
      detail: 'No listing source has named the host apl.weather.example.',
      hint: expect.any(String),
      request_id: reply.headers['x-request-id'],
      host: 'apl.weather.example',
      near_matches: [HOST, 'xn--bcher-kva.example'],
    })
  })

  it('is the same as a page in a browser, with links', async () => {
    const reply = await ask(web.port, '/hosts/apl.weather.example', { Accept: CHROME })
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(reply.headers['content-security-policy']).toBe(CSP)
    expect(reply.text).toContain(`<a href="/hosts/${HOST}">`)
    expect(reply.text).toContain(String(reply.headers['x-request-id']))
  })

  it.each([
    '127.0.0.1',
    'localhost',
    'a.local',
    'single',
    'a..b.example',
    '%20',
    'a%2Fb.example',
    '%5B::1%5D',
    '..%2f..%2fetc%2fpasswd',
    'x.test',
    `${'a'.repeat(64)}.example`,
    'a.example:99999',
  ])('named %s is refused with the reason', async (name) => {
    expect(await json(`/v1/hosts/${name}`)).toMatchObject({
      status: 400,
      type: 'https://tollbook.example/problems/invalid-host',
      reason: expect.any(String),
    })
  })

  it('may have a name that this operator allows', async () => {
    expect(await json('/v1/hosts/one.seller.test')).toMatchObject({ status: 404 })
  })
})

describe('an unchanged page', () => {
  it.each(['identity', 'gzip', 'br'])('sent as %s is not sent again', async (coding) => {
    const first = await ask(web.port, `/hosts/${HOST}`, { 'Accept-Encoding': coding })
    const { etag } = first.headers
    const decoded = { identity: String, gzip: gunzipSync, br: brotliDecompressSync }[coding]
    expect(decoded?.(first.bytes).toString()).toBe((await ask(web.port, `/hosts/${HOST}`)).text)
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(web.port, `/hosts/${HOST}`, { 'Accept-Encoding': coding, 'If-None-Match': tag })
      expect([again.status, again.bytes.byteLength, again.headers.etag]).toEqual([304, 0, etag])
      expect(again.headers.vary).toBe('Accept, Accept-Encoding')
    }
    const other = await ask(web.port, `/hosts/${HOST}?format=md`, { 'If-None-Match': String(etag) })
    expect(other.status).toBe(200)
  })

  it('keeps its tag when others are written, and has another after a write of its own', async () => {
    directory.put('tag.example')
    const path = '/v1/hosts/tag.example'
    const before = (await ask(web.port, path)).headers.etag
    directory.put('elsewhere.example')
    expect((await ask(web.port, path)).headers.etag).toBe(before)
    directory.put('tag.example', { ...FULL_HOST, host: 'tag.example', nextRoutes: 'more' })
    const after = await ask(web.port, path, { 'If-None-Match': String(before) })
    expect(after.status).toBe(200)
    expect(after.headers.etag).not.toBe(before)
  })

  it('is gone when its host is', async () => {
    directory.put('gone.example')
    expect((await ask(web.port, '/hosts/gone.example')).status).toBe(200)
    directory.remove('gone.example')
    expect((await ask(web.port, '/hosts/gone.example')).status).toBe(404)
  })
})

describe('the lists of a host', () => {
  it.each([
    ['/v1/hosts/<host>/routes', 'routes', 2],
    ['/v1/hosts/<host>/probes', 'probes', 4],
    ['/v1/hosts/<host>/reviews', 'reviews', 3],
    ['/v1/thread/<host>', 'posts', 2],
  ])('at %s hold %s', async (path, name, total) => {
    const address = path.replace('<host>', HOST)
    const whole = await json(address)
    expect(whole).toMatchObject({ host: HOST, total, next: null })
    expect(whole[name]).toHaveLength(total)
    const cut = await json(`${address}?limit=1`)
    expect(cut[name]).toHaveLength(1)
    expect(cut.next).toBe(`https://tollbook.example${address}?limit=1&cursor=next-page`)
    expect(await json(`${address}?limit=201`)).toMatchObject({ status: 400, parameter: 'limit' })
    expect(await json(address.replace(HOST, 'unknown.example'))).toMatchObject({ status: 404 })
  })

  it('take filters where there are any, and carry them on', async () => {
    const address = `/v1/hosts/${HOST}/probes?method=GET&path=%2Fv1%2Fforecast&rail=x402&limit=2`
    expect((await json(address)).next).toBe(`https://tollbook.example${address}&cursor=next-page`)
    expect(await json(`/v1/hosts/${HOST}/probes?method=get`)).toMatchObject({ status: 400, parameter: 'method' })
    expect(await json(`/v1/hosts/${HOST}/probes?path=${'a'.repeat(2001)}`)).toMatchObject({ parameter: 'path' })
  })
})

describe('the list of hosts', () => {
  it('is a page at home, JSON for programs, and the same under /v1', async () => {
    const page = await ask(web.port, '/', { Accept: CHROME })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain(`/hosts/${HOST}`)
    expect((await ask(web.port, '/?format=md')).headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(await json('/', { Accept: 'application/json' })).toEqual(await json('/v1/hosts'))
  })

  it('passes on what was asked for', async () => {
    await json('/v1/hosts?q=forecast&rail=mpp&max_price=0.05&sort=newest&limit=7')
    expect(directory.queries.at(-1)).toMatchObject({
      q: 'forecast',
      rail: 'mpp',
      maxPrice: 50_000,
      sort: 'newest',
      limit: 7,
    })
    expect(await json('/v1/hosts?max_price=cheap')).toMatchObject({ status: 400, parameter: 'max_price' })
  })

  it('is made once while nothing is written, and anew after any write', async () => {
    const before = directory.calls.hosts
    await json('/v1/hosts?q=once')
    await json('/v1/hosts?q=once')
    expect(directory.calls.hosts - before).toBe(1)
    directory.touch()
    await json('/v1/hosts?q=once')
    expect(directory.calls.hosts - before).toBe(2)
  })
})

describe('every address', () => {
  it.each([
    '/',
    `/hosts/${HOST}`,
    '/v1/hosts',
    `/v1/hosts/${HOST}`,
    `/v1/hosts/${HOST}/probes`,
    '/v1/posts/p-1',
    '/healthz',
    '/robots.txt',
  ])('%s refuses other methods with the list of its own', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const reply = await ask(web.port, path, {}, method)
      expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD'])
      expect(reply.headers['content-type']).toContain('application/problem+json')
    }
  })

  it.each(['/nothing', '/hosts', '/hosts/', '/v1', `/hosts/${HOST}/x`, '/v1/hosts/', '//', '/problems/'])(
    '%s that does not exist is a problem',
    async (path) => {
      const reply = await ask(web.port, path)
      expect([reply.status, reply.headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8'])
    },
  )

  it('of a problem type opens a page', async () => {
    for (const [slug, kind] of Object.entries(PROBLEM_KINDS)) {
      const reply = await ask(web.port, `/problems/${slug}`, { Accept: CHROME })
      expect([reply.status, reply.text.includes(kind.title)]).toEqual([200, true])
    }
    expect(await json('/problems/rate-limited', { Accept: 'application/json' })).toMatchObject({ status: 429 })
    expect((await ask(web.port, '/problems/constructor')).status).toBe(404)
  })

  it('of where to report a weakness says the same all day', async () => {
    let nowUs = NOON_US
    const ticking = await startSample({ directory, nowUs: () => nowUs++ })
    const told = async () => (await ask(ticking.port, '/.well-known/security.txt')).text
    const first = await told()
    expect(first).toContain('\nExpires: 2027-05-13T00:00:00.000000Z\n')
    nowUs += 10 * 3_600_000_000
    expect(await told()).toBe(first)
    await ticking.drain(1000)
  })

  it('that machines look at answers', async () => {
    expect(await json('/healthz')).toEqual({ status: 'ok' })
    expect(await json('/readyz')).toEqual({ status: 'ready' })
    expect((await ask(web.port, '/robots.txt')).text).toContain('User-agent: *')
    expect((await ask(web.port, '/icon.svg')).headers['content-type']).toBe('image/svg+xml; charset=utf-8')
  })
})

describe('a failure', () => {
  it('inside says nothing of its cause to the caller, and everything to the log', async () => {
    const broken = new MemoryDirectory()
    broken.hosts = () => Promise.reject(new Error('password=hunter2 refused'))
    const other = await startSample({ directory: broken })
    const reply = await ask(other.port, '/v1/hosts', { 'X-Request-Id': 'trace-7' })
    expect([reply.status, reply.headers['x-request-id']]).toEqual([500, 'trace-7'])
    expect(reply.text).not.toContain('hunter2')
    expect(JSON.parse(reply.text)).toMatchObject({ status: 500, request_id: 'trace-7' })
    const line = other.lines.find((one) => one.includes('hunter2')) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ request_id: 'trace-7', err: { stack: expect.stringContaining('Error') } })
    await other.drain(1000)
  })

  it('of the store shows in /readyz and not in /healthz', async () => {
    const broken = new MemoryDirectory()
    broken.ping = () => Promise.reject(new Error('no such table'))
    const other = await startSample({ directory: broken })
    const reply = await ask(other.port, '/readyz')
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5'])
    expect(reply.text).not.toContain('no such table')
    expect((await ask(other.port, '/healthz')).status).toBe(200)
    await other.drain(1000)
  })

  it('that the directory itself explains reaches the caller as it is', async () => {
    const strict = new MemoryDirectory()
    strict.hosts = () =>
      Promise.reject(new Problem('invalid-cursor', 400, 'Invalid cursor', 'Not ours.', 'Start anew.'))
    const other = await startSample({ directory: strict })
    const reply = await ask(other.port, '/v1/hosts?cursor=x')
    expect(JSON.parse(reply.text)).toMatchObject({ status: 400, detail: 'Not ours.', hint: 'Start anew.' })
    expect(other.lines.some((line) => line.includes('"stack"'))).toBe(false)
    await other.drain(1000)
  })
})
