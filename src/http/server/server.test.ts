import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FULL_HOST } from '../../render/testing/sample-views.ts'
import { ask, exchange, MemoryDirectory, startSample, statusIn } from '../testing/samples.ts'
import { HOST, HOST_PATH, serveWeather } from '../testing/weather.ts'
import { trustedProxies } from './client-address.ts'

const { directory, web } = await serveWeather()

describe('a well-formed request', () => {
  it('may be in absolute form when it names our host', async () => {
    for (const scheme of ['http', 'HTTP', 'Https']) {
      const head = `GET ${scheme}://A${HOST_PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
      expect(statusIn(await exchange(web.port, head)), scheme).toBe(200)
    }
    expect(statusIn(await exchange(web.port, 'GET /healthz HTTP/1.0\r\n\r\n'))).toBe(200)
  })

  it('waits for 100 Continue where that is in order', async () => {
    const head =
      'POST /v1/hosts HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'
    const answer = await exchange(web.port, head)
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 405 /)
  })

  it('carries its own id back, from the application and from cached bytes', async () => {
    for (let round = 0; round < 3; round += 1) {
      const reply = await ask(web.port, `${HOST_PATH}?format=md`, { 'X-Request-Id': `round-${round}` })
      expect(reply.headers['x-request-id']).toBe(`round-${round}`)
    }
    const [one, two] = [await ask(web.port, `${HOST_PATH}?format=md`), await ask(web.port, `${HOST_PATH}?format=md`)]
    expect(one.headers['x-request-id']).toMatch(/^sample-/)
    expect(two.headers['x-request-id']).not.toBe(one.headers['x-request-id'])
  })

  it('is answered in order when several come at once', async () => {
    const requests = ['/healthz', HOST_PATH, '/nothing', HOST_PATH].map(
      (one) => `GET ${one} HTTP/1.1\r\nHost: a\r\n\r\n`,
    )
    const last = `GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    const answer = await exchange(web.port, requests.join('') + last)
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '404',
      '200',
      '200',
    ])
  })
})

describe('cached bytes', () => {
  it('are the very answer that the application gives, without asking it again', async () => {
    const fresh = new MemoryDirectory()
    fresh.put(HOST)
    const other = await startSample({ directory: fresh })
    const headers = { Accept: 'text/html', 'Accept-Encoding': 'br' }
    const first = await ask(other.port, HOST_PATH, headers)
    const second = await ask(other.port, HOST_PATH, headers)
    const { date: _d1, 'x-request-id': _r1, ...one } = first.headers
    const { date: _d2, 'x-request-id': _r2, ...two } = second.headers
    expect(two).toEqual(one)
    expect(second.bytes.equals(first.bytes)).toBe(true)
    expect(fresh.calls).toMatchObject({ hostView: 1, hostVersion: 0 })
    expect(other.lines.filter((line) => line.includes('"request"'))).toHaveLength(1)
    await other.drain(1000)
  })

  it('are never those of another representation or coding', async () => {
    const accepts = ['text/html', 'text/markdown', 'application/json', undefined]
    const codings = ['br', 'gzip', 'identity', undefined]
    for (let round = 0; round < 3; round += 1) {
      for (const accept of accepts) {
        for (const coding of codings) {
          const headers = { ...(accept && { Accept: accept }), ...(coding && { 'Accept-Encoding': coding }) }
          const reply = await ask(web.port, HOST_PATH, headers)
          expect(reply.headers['content-type']).toBe(`${accept ?? 'text/html'}; charset=utf-8`)
          expect(reply.headers['content-encoding'] ?? 'identity').toBe(coding ?? 'identity')
        }
      }
    }
  })

  it('show a write at once', async () => {
    const fresh = new MemoryDirectory()
    fresh.put(HOST)
    const other = await startSample({ directory: fresh })
    for (let round = 0; round < 5; round += 1) {
      fresh.put(HOST, { ...FULL_HOST, host: HOST, counters: { ...FULL_HOST.counters, agentReviews: 1000 + round } })
      for (let again = 0; again < 3; again += 1) {
        expect((await ask(other.port, `${HOST_PATH}?format=md`)).text).toContain(`agent reviews: ${1000 + round}\n`)
      }
    }
    await other.drain(1000)
  })

  it('answer HEAD and If-None-Match as the application does', async () => {
    const { etag } = (await ask(web.port, HOST_PATH, { Accept: '*/*' })).headers
    const same = await ask(web.port, HOST_PATH, { Accept: '*/*', 'If-None-Match': `"x", W/${etag}` })
    expect([same.status, same.headers['content-type'], same.bytes.byteLength]).toEqual([304, undefined, 0])
    const head = await ask(web.port, HOST_PATH, { Accept: '*/*' }, 'HEAD')
    expect([head.status, head.bytes.byteLength, Number(head.headers['content-length']) > 1000]).toEqual([200, 0, true])
    expect((await ask(web.port, HOST_PATH, { Accept: '*/*' }, 'POST')).status).toBe(405)
  })
})

describe('the limit on reads', () => {
  const limits = (count: number) => {
    const rate = { count, windowMs: 60_000 }
    return { unsigned: rate, 'unsigned-host': rate, signed: rate, 'seller-host': rate, reads: rate }
  }

  it('is told on every answer of the application and enforced on cached ones too', async () => {
    const other = await startSample({ directory, limits: limits(3) })
    const first = await ask(other.port, HOST_PATH)
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"reads";q=3;w=60', ratelimit: '"reads";r=2;t=60' })
    await ask(other.port, HOST_PATH)
    expect((await ask(other.port, HOST_PATH)).status).toBe(200)
    const refused = await ask(other.port, HOST_PATH)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers.ratelimit).toMatch(/^"reads";r=0;t=\d+$/)
    expect(JSON.parse(refused.text)).toMatchObject({ status: 429, type: expect.stringContaining('rate-limited') })
    await other.drain(1000)
  })

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('is told to a browser as a page, compressed by %s like every other', async (coding, read) => {
    const other = await startSample({ directory, limits: limits(1) })
    const headers = { Accept: 'text/html', 'Accept-Encoding': coding }
    await ask(other.port, HOST_PATH, headers)
    const refused = await ask(other.port, HOST_PATH, headers)
    expect([refused.status, refused.headers['content-encoding']]).toEqual([429, coding])
    expect(refused.headers.vary).toContain('Accept-Encoding')
    expect(read(refused.bytes).toString()).toMatch(/^<!doctype html>[\s\S]+<\/html>\n$/)
    expect((await ask(other.port, HOST_PATH, { ...headers, 'Accept-Encoding': 'identity' })).text).toMatch(
      /^<!doctype html>/,
    )
    await other.drain(1000)
  })

  it('neither counts nor refuses whoever watches the program', async () => {
    const other = await startSample({ directory, limits: limits(1) })
    const watched = async () => [(await ask(other.port, '/healthz')).status, (await ask(other.port, '/readyz')).status]
    expect(await watched()).toEqual([200, 200])
    expect((await ask(other.port, HOST_PATH)).status).toBe(200)
    expect((await ask(other.port, HOST_PATH)).status).toBe(429)
    expect(await watched()).toEqual([200, 200])
    await other.drain(1000)
  })

  it('neither counts nor refuses what a browser asks before it sends, so that a page can read the refusal itself', async () => {
    const other = await startSample({ directory, limits: limits(1) })
    const preflight = { Origin: 'https://page.example', 'Access-Control-Request-Method': 'POST' }
    const asked = async () => (await ask(other.port, '/v1/reviews', preflight, 'OPTIONS')).status
    expect([await asked(), await asked()]).toEqual([204, 204])
    expect((await ask(other.port, HOST_PATH)).status).toBe(200)
    expect(await asked()).toBe(204)
    const refused = await ask(other.port, '/v1/reviews', { Origin: 'https://page.example' }, 'POST')
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([429, '*'])
    expect((await ask(other.port, '/v1/reviews', {}, 'OPTIONS')).status).toBe(429)
    await other.drain(1000)
  })

  it('counts clients behind a trusted proxy one by one, and believes nobody else', async () => {
    const trusted = trustedProxies(['127.0.0.1']) ?? null
    const behind = await startSample({ directory, limits: limits(1), trusted })
    const from = async (port: number, address: string) =>
      (await ask(port, HOST_PATH, { 'X-Forwarded-For': address })).status
    expect([await from(behind.port, '203.0.113.1'), await from(behind.port, '203.0.113.2')]).toEqual([200, 200])
    expect(await from(behind.port, '203.0.113.1')).toBe(429)
    await behind.drain(1000)
    const open = await startSample({ directory, limits: limits(1) })
    expect([await from(open.port, '203.0.113.1'), await from(open.port, '203.0.113.2')]).toEqual([200, 429])
    await open.drain(1000)
  })

  it('counts them also where what the proxy says stands behind thousands of headers', async () => {
    const behind = await startSample({ directory, limits: limits(1), trusted: trustedProxies(['127.0.0.1']) ?? null })
    const forwarded = (address: string): string => `X-Forwarded-For: ${address}\r\n`
    const said = async (claimed: string) => {
      const head = `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${forwarded(claimed)}`
      return statusIn(await exchange(behind.port, `${head}${'X: y\r\n'.repeat(4000)}${forwarded('203.0.113.1')}\r\n`))
    }
    expect([await said('203.0.113.7'), await said('203.0.113.8')]).toEqual([200, 429])
    await behind.drain(1000)
  })
})

describe('the log', () => {
  it('has one line for each request that was not answered from the cache, without its query', async () => {
    const fresh = await startSample({ directory })
    await ask(fresh.port, `${HOST_PATH}?secret=hunter2`, { 'X-Request-Id': 'log-1', Authorization: 'Bearer hunter2' })
    await ask(fresh.port, '/nothing?token=hunter2', { 'X-Request-Id': 'log-2' })
    await fresh.drain(1000)
    const lines = fresh.lines.map((line): unknown => JSON.parse(line))
    expect(lines).toEqual([
      expect.objectContaining({
        request_id: 'log-1',
        method: 'GET',
        path: HOST_PATH,
        status: 200,
        ms: expect.any(Number),
      }),
      expect.objectContaining({ request_id: 'log-2', method: 'GET', path: '/nothing', status: 404 }),
    ])
    expect(fresh.lines.join()).not.toContain('hunter2')
  })
})

describe('a server that is told to stop', () => {
  const opened = (port: number, bytes: string): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket))
      socket.on('error', reject)
      if (bytes !== '') socket.write(bytes)
    })

  it('finishes what is under way, closes idle connections and takes no new ones', async () => {
    const slow = new MemoryDirectory()
    slow.put(HOST)
    let release = (): void => undefined
    let reached = (): void => undefined
    const arrived = new Promise<void>((resolve) => {
      reached = resolve
    })
    const view = slow.hostView.bind(slow)
    slow.hostView = async (host) => {
      reached()
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return view(host)
    }
    const other = await startSample({ directory: slow })
    const silent = await opened(other.port, '')
    const idle = await opened(other.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    await new Promise((resolve) => idle.once('data', resolve))
    const closed = [silent, idle].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    const answer = exchange(other.port, `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await arrived
    const drained = other.drain(60_000)
    await Promise.all(closed)
    await expect(ask(other.port, '/healthz')).rejects.toThrow(/ECONNREFUSED/)
    release()
    expect(statusIn(await answer)).toBe(200)
    await drained
  })

  it('answers what has arrived by then, on a kept connection and on a new one', async () => {
    const other = await startSample({ directory })
    const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
    const kept = await opened(other.port, request)
    await new Promise((resolve) => kept.once('data', resolve))
    const fresh = await opened(other.port, '')
    // Whoever came before is known by then.
    await ask(other.port, '/healthz')
    const answers = [kept, fresh].map(
      (socket) =>
        new Promise<string>((resolve, reject) => {
          let said = ''
          socket.setEncoding('utf8')
          socket.on('data', (text) => {
            said += text
          })
          socket.once('close', () => resolve(said)).once('error', reject)
          socket.write(request)
        }),
    )
    await other.drain(1000)
    for (const answer of await Promise.all(answers)) {
      expect(statusIn(answer)).toBe(200)
      expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    }
  })

  it('cuts off what does not finish in time', async () => {
    const stuck = new MemoryDirectory()
    stuck.put(HOST)
    stuck.hostView = () => new Promise(() => undefined)
    const other = await startSample({ directory: stuck })
    const answer = exchange(other.port, `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await other.drain(200)
    expect(await answer.catch(() => '')).toBe('')
  })
})
