import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PostRequest } from '../../acts/posts/threads.ts'
import { FULL_HOST } from '../../render/testing/sample-views.ts'
import { ask, exchange, MemoryDirectory, problemIn, startSample, UNSET_THREADS } from '../testing/samples.ts'
import { trustedProxies } from './client-address.ts'
import type { WebServer } from './server.ts'

const HOST = 'api.weather.example'
const directory = new MemoryDirectory()
let web: WebServer & { readonly lines: string[] }
beforeAll(async () => {
  directory.put(HOST)
  web = await startSample({ directory })
})
afterAll(() => web.drain(1000))

const statusOf = (answer: string): number => Number(answer.split(' ')[1])
const path = `/hosts/${HOST}`

/** Answered from the application first and from cached bytes afterwards: the edge must hold for both. */
const warm = () => ask(web.port, path, { Accept: '*/*' })

describe('a malformed request', () => {
  it.each([
    ['two Host headers', `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: a\r\nAccept: */*\r\n\r\n`, 400],
    ['no Host header', `GET ${path} HTTP/1.1\r\nAccept: */*\r\n\r\n`, 400],
    ['a Host header that is none', `GET ${path} HTTP/1.1\r\nHost: a b\r\nAccept: */*\r\n\r\n`, 400],
    ['an address of another host', `GET http://evil.example${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['TRACE', `TRACE ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 405],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n', 405],
    ['GET with a body', `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nContent-Length: 5\r\n\r\nhello`, 400],
    [
      'GET with chunks',
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['HEAD with a body', `HEAD ${path} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nContent-Length: 1\r\n\r\nx`, 400],
    [
      'an upgrade to h2c',
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n`,
      400,
    ],
    [
      'an upgrade to WebSocket',
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      400,
    ],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['bad percent-encoding', 'GET /hosts/%zz HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['half a character', 'GET /hosts/%C3 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a NUL', 'GET /?q=%00 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['raw bytes in the address', Buffer.from('GET /caf\xe9 HTTP/1.1\r\nHost: a\r\n\r\n', 'latin1'), 400],
    ['a long address', `GET /${'a'.repeat(4096)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
    ['a very long address', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
    ['huge headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    [
      'both kinds of length',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd', 400],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\nHost : b\r\n\r\n', 400],
    ['an unknown expectation', 'POST / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nContent-Length: 0\r\n\r\n', 417],
    ['another version of HTTP', `GET ${path} HTTP/2.0\r\nHost: a\r\nAccept: */*\r\n\r\n`, 400],
    [
      'a compressed transfer coding',
      'POST /v1/reviews HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ])('with %s is refused and its connection closed', async (_name, bytes, status) => {
    await warm()
    const answer = await exchange(web.port, bytes)
    expect(statusOf(answer)).toBe(status)
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(answer).not.toContain('101 Switching')
    if (!String(bytes).startsWith('HEAD')) {
      expect(problemIn(answer)).toMatchObject({
        type: expect.stringMatching(/^https:\/\/tollbook\.example\/problems\/[a-z-]+$/),
        title: expect.any(String),
        status,
        detail: expect.any(String),
        hint: expect.any(String),
        request_id: expect.stringMatching(/^sample-/),
      })
    }
  })

  it.each([
    ['huge headers', `X: ${'a'.repeat(40_000)}\r\n`, 431],
    ['a header that is none', 'a b c\r\n', 400],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 4\r\n', 400],
  ])('to a paid endpoint with %s says that nothing was charged', async (_name, header, status) => {
    const sent = async (line: string) => {
      const answer = await exchange(web.port, `${line} HTTP/1.1\r\nHost: a\r\nPAYMENT-SIGNATURE: abc\r\n${header}\r\n`)
      const { status: told, charged } = problemIn(answer)
      return { told, charged }
    }
    expect(await sent(`POST /v1/thread/${HOST}`)).toEqual({ told: status, charged: false })
    expect(await sent(`POST /mpp/v1/thread/${HOST}`)).toEqual({ told: status, charged: false })
    expect(await sent(`GET /v1/thread/${HOST}`)).toEqual({ told: status, charged: undefined })
    expect(await sent('POST /v1/reviews')).toEqual({ told: status, charged: undefined })
  })

  it.each([
    ['a size that is no number', 'zz\r\nabc\r\n', 400],
    ['a chunk that is longer than it says', '3\r\nabcd\r\n0\r\n\r\n', 400],
    ['endless extensions', `3;${'a'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`, 413],
  ])(
    'whose chunked body has %s is told so, at once or once it comes, and nothing is charged',
    async (_name, body, status) => {
      const sent = async (target: string, cut: boolean) => {
        const head = `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nPAYMENT-SIGNATURE: abc\r\nTransfer-Encoding: chunked\r\n\r\n`
        const answer = cut ? await inParts(web.port, head, body) : await exchange(web.port, head + body)
        expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
        expect(answer.toLowerCase()).toContain('connection: close')
        const { status: told, charged } = problemIn(answer)
        return { told, charged }
      }
      for (const cut of [false, true]) {
        expect(await sent(`/v1/thread/${HOST}`, cut)).toEqual({ told: status, charged: false })
        expect(await sent('/v1/reviews', cut)).toEqual({ told: status, charged: undefined })
      }
    },
  )

  it.each([
    [path, 'GET, HEAD'],
    ['/v1/reviews', 'POST'],
    ['/v1/reviews/message?text=x', 'GET, HEAD'],
    [`http://a/v1/thread/${HOST}`, 'GET, HEAD, POST'],
    ['/log/tile/0/x001/234', 'GET, HEAD'],
    ['/nowhere', ''],
  ])('as TRACE of %s is told what is answered there', async (target, allow) => {
    const answer = await exchange(web.port, `TRACE ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(statusOf(answer)).toBe(405)
    expect(/\r\nallow: ?(.*?) *\r\n/i.exec(answer)?.[1]).toBe(allow)
  })

  it('does not let a second request through behind a refused one', async () => {
    const second = 'POST /v1/hosts HTTP/1.1\r\nHost: a\r\nX-Request-Id: smuggled\r\nContent-Length: 0\r\n\r\n'
    for (const length of [second.length, 5]) {
      const first = `GET ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`
      const answer = await exchange(web.port, first + second + second)
      expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    }
    expect(web.lines.join()).not.toContain('smuggled')
  })

  it('reads a body that is too large only as far as it must, and the client still gets the answer', async () => {
    const head = 'POST /v1/hosts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
    const declared = await exchange(web.port, `${head}Content-Length: 1000000\r\n\r\n${'a'.repeat(1_000_000)}`)
    expect(statusOf(declared)).toBe(413)
    const waiting = await exchange(web.port, `${head}Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n`)
    expect(statusOf(waiting)).toBe(413)
    expect(waiting).not.toContain('100 Continue')
  })

  it('is answered as a page when a browser sends it', async () => {
    const reply = await ask(web.port, '/hosts/%zz', { Accept: 'text/html,*/*;q=0.8' })
    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
  })

  it('does not bring the server down when its client goes away', async () => {
    for (const bytes of [
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
      'nonsense\r\n\r\n',
      `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(web.port, '127.0.0.1', () => socket.write(bytes, () => socket.resetAndDestroy()))
        socket.once('close', () => resolve())
      })
      await new Promise<void>((resolve) => {
        const socket = connect(web.port, '127.0.0.1', () => socket.write(bytes))
        socket.once('data', () => socket.resetAndDestroy())
        socket.once('close', () => resolve())
      })
    }
    expect((await ask(web.port, '/healthz')).status).toBe(200)
  })

  it('never gets an answer in the middle of another', async () => {
    const slow = new MemoryDirectory()
    slow.put(HOST)
    const view = slow.hostView.bind(slow)
    slow.hostView = async (host) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return view(host)
    }
    const other = await startSample({ directory: slow })
    const answer = await exchange(other.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n`).catch(() => '')
    expect(answer).not.toContain('bad-request')
    await other.drain(1000)
  })
})

describe('a well-formed request', () => {
  it('may be in absolute form when it names our host', async () => {
    const answer = await exchange(web.port, `GET http://A${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(statusOf(answer)).toBe(200)
    expect(statusOf(await exchange(web.port, 'GET /healthz HTTP/1.0\r\n\r\n'))).toBe(200)
  })

  it('waits for 100 Continue where that is in order', async () => {
    const head =
      'POST /v1/hosts HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'
    const answer = await exchange(web.port, head)
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 405 /)
  })

  it('carries its own id back, from the application and from cached bytes', async () => {
    for (let round = 0; round < 3; round += 1) {
      const reply = await ask(web.port, `${path}?format=md`, { 'X-Request-Id': `round-${round}` })
      expect(reply.headers['x-request-id']).toBe(`round-${round}`)
    }
    const [one, two] = [await ask(web.port, `${path}?format=md`), await ask(web.port, `${path}?format=md`)]
    expect(one.headers['x-request-id']).toMatch(/^sample-/)
    expect(two.headers['x-request-id']).not.toBe(one.headers['x-request-id'])
  })

  it('is answered in order when several come at once', async () => {
    const requests = ['/healthz', path, '/nothing', path].map((one) => `GET ${one} HTTP/1.1\r\nHost: a\r\n\r\n`)
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
    const first = await ask(other.port, path, headers)
    const second = await ask(other.port, path, headers)
    const { date: _d1, 'x-request-id': _r1, ...one } = first.headers
    const { date: _d2, 'x-request-id': _r2, ...two } = second.headers
    expect(two).toEqual(one)
    expect(second.bytes.equals(first.bytes)).toBe(true)
    expect(fresh.calls).toMatchObject({ hostView: 1, hostVersion: 1 })
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
          const reply = await ask(web.port, path, headers)
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
        expect((await ask(other.port, `${path}?format=md`)).text).toContain(`agent reviews: ${1000 + round}\n`)
      }
    }
    await other.drain(1000)
  })

  it('answer HEAD and If-None-Match as the application does', async () => {
    const { etag } = (await warm()).headers
    const same = await ask(web.port, path, { Accept: '*/*', 'If-None-Match': `"x", W/${etag}` })
    expect([same.status, same.headers['content-type'], same.bytes.byteLength]).toEqual([304, undefined, 0])
    const head = await ask(web.port, path, { Accept: '*/*' }, 'HEAD')
    expect([head.status, head.bytes.byteLength, Number(head.headers['content-length']) > 1000]).toEqual([200, 0, true])
    expect((await ask(web.port, path, { Accept: '*/*' }, 'POST')).status).toBe(405)
  })
})

describe('the limit on reads', () => {
  const limits = (count: number) => {
    const rate = { count, windowMs: 60_000 }
    return { unsigned: rate, 'unsigned-host': rate, signed: rate, 'seller-host': rate, reads: rate }
  }

  it('is told on every answer of the application and enforced on cached ones too', async () => {
    const other = await startSample({ directory, limits: limits(3) })
    const first = await ask(other.port, path)
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"reads";q=3;w=60', ratelimit: '"reads";r=2;t=60' })
    await ask(other.port, path)
    expect((await ask(other.port, path)).status).toBe(200)
    const refused = await ask(other.port, path)
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
    await ask(other.port, path, headers)
    const refused = await ask(other.port, path, headers)
    expect([refused.status, refused.headers['content-encoding']]).toEqual([429, coding])
    expect(refused.headers.vary).toContain('Accept-Encoding')
    expect(read(refused.bytes).toString()).toMatch(/^<!doctype html>[\s\S]+<\/html>\n$/)
    expect((await ask(other.port, path, { ...headers, 'Accept-Encoding': 'identity' })).text).toMatch(
      /^<!doctype html>/,
    )
    await other.drain(1000)
  })

  it('neither counts nor refuses whoever watches the program', async () => {
    const other = await startSample({ directory, limits: limits(1) })
    const watched = async () => [(await ask(other.port, '/healthz')).status, (await ask(other.port, '/readyz')).status]
    expect(await watched()).toEqual([200, 200])
    expect((await ask(other.port, path)).status).toBe(200)
    expect((await ask(other.port, path)).status).toBe(429)
    expect(await watched()).toEqual([200, 200])
    await other.drain(1000)
  })

  it('neither counts nor refuses what a browser asks before it sends, so that a page can read the refusal itself', async () => {
    const other = await startSample({ directory, limits: limits(1) })
    const preflight = { Origin: 'https://page.example', 'Access-Control-Request-Method': 'POST' }
    const asked = async () => (await ask(other.port, '/v1/reviews', preflight, 'OPTIONS')).status
    expect([await asked(), await asked()]).toEqual([204, 204])
    expect((await ask(other.port, path)).status).toBe(200)
    expect(await asked()).toBe(204)
    const refused = await ask(other.port, '/v1/reviews', { Origin: 'https://page.example' }, 'POST')
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([429, '*'])
    expect((await ask(other.port, '/v1/reviews', {}, 'OPTIONS')).status).toBe(429)
    await other.drain(1000)
  })

  it('counts clients behind a trusted proxy one by one, and believes nobody else', async () => {
    const trusted = trustedProxies(['127.0.0.1']) ?? null
    const behind = await startSample({ directory, limits: limits(1), trusted })
    const from = async (port: number, address: string) => (await ask(port, path, { 'X-Forwarded-For': address })).status
    expect([await from(behind.port, '203.0.113.1'), await from(behind.port, '203.0.113.2')]).toEqual([200, 200])
    expect(await from(behind.port, '203.0.113.1')).toBe(429)
    await behind.drain(1000)
    const open = await startSample({ directory, limits: limits(1) })
    expect([await from(open.port, '203.0.113.1'), await from(open.port, '203.0.113.2')]).toEqual([200, 429])
    await open.drain(1000)
  })
})

describe('the log', () => {
  it('has one line for each request that was not answered from the cache, without its query', async () => {
    const fresh = await startSample({ directory })
    await ask(fresh.port, `${path}?secret=hunter2`, { 'X-Request-Id': 'log-1', Authorization: 'Bearer hunter2' })
    await ask(fresh.port, '/nothing?token=hunter2', { 'X-Request-Id': 'log-2' })
    await fresh.drain(1000)
    const lines = fresh.lines.map((line): unknown => JSON.parse(line))
    expect(lines).toEqual([
      expect.objectContaining({ request_id: 'log-1', method: 'GET', path, status: 200, ms: expect.any(Number) }),
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
    const answer = exchange(other.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await arrived
    const drained = other.drain(60_000)
    await Promise.all(closed)
    await expect(ask(other.port, '/healthz')).rejects.toThrow(/ECONNREFUSED/)
    release()
    expect(statusOf(await answer)).toBe(200)
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
      expect(statusOf(answer)).toBe(200)
      expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    }
  })

  it('cuts off what does not finish in time', async () => {
    const stuck = new MemoryDirectory()
    stuck.put(HOST)
    stuck.hostView = () => new Promise(() => undefined)
    const other = await startSample({ directory: stuck })
    const answer = exchange(other.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await other.drain(200)
    expect(await answer.catch(() => '')).toBe('')
  })
})

describe('a slow client', () => {
  it('is not one to which a busy server has not listened', async () => {
    const socket = connect(web.port, '127.0.0.1')
    const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
    // Whoever came before is known by then.
    await ask(web.port, '/healthz')
    await new Promise((resolve) => setImmediate(resolve))
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500)
    expect(statusOf(await answer)).toBe(200)
    socket.destroy()
  })

  it('is told so and let go when its headers do not arrive', async () => {
    const answer = await exchange(web.port, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow:')
    expect(statusOf(answer)).toBe(408)
    expect(problemIn(answer)).toMatchObject({ status: 408 })
  })

  it('is told so when its body does not arrive, with what became of its money, and what comes later is not acted on', async () => {
    const posted: string[] = []
    const threads = { ...UNSET_THREADS, post: async ({ host }: PostRequest) => unreachable(posted, host) }
    const slow = new MemoryDirectory()
    slow.put(HOST)
    slow.hostView = () => new Promise(() => undefined)
    const other = await startSample({ directory: slow, threads })
    const head = (target: string, more = '') =>
      `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 12\r\n${more}\r\n{"te`
    const [paid, free, review, behind] = await Promise.all([
      slowly(other.port, head(`/v1/thread/${HOST}`, 'PAYMENT-SIGNATURE: abc\r\n'), 'xt":"x"}'),
      slowly(other.port, head(`/mpp/v1/thread/${HOST}`), 'xt":"x"}'),
      slowly(other.port, head('/v1/reviews', 'Expect: 100-continue\r\n'), 'xt":"x"}'),
      slowly(other.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nX-Slow:`, ''),
    ])
    for (const answer of [paid, free]) {
      expect(statusOf(answer)).toBe(408)
      expect(answer).toMatch(/\r\nconnection: close\r\n/i)
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    }
    expect(problemIn(paid)).toMatchObject({ status: 408, charged: 'pending', hint: expect.stringMatching(/very same/) })
    expect(problemIn(free)).toMatchObject({ status: 408, charged: false, request_id: expect.any(String) })
    const [, said = ''] = review.split('HTTP/1.1 100 Continue\r\n\r\n')
    expect([statusOf(said), problemIn(said).charged]).toEqual([408, undefined])
    // The first of its two requests came in full: no answer to the second may be taken for its own.
    expect(behind).toBe('')
    expect(posted).toEqual([])
    await other.drain(1000)
  })
})

function unreachable(posted: string[], host: string): never {
  posted.push(host)
  throw new Error('nobody should have been asked')
}

/** Sends the head of a request, and the rest after the server has read it. */
const inParts = (port: number, head: string, rest: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(head))
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', (text) => {
      said += text
    })
    socket.on('close', () => resolve(said))
    setTimeout(() => socket.write(rest), 100)
  })

/** Sends a part of a request, and the rest as soon as something is said about it. */
const slowly = (port: number, part: string, rest: string): Promise<string> =>
  new Promise((resolve) => {
    let said = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(part))
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.on('data', (text) => {
      said += text
      if (said.includes(' 408 ')) socket.end(rest)
    })
    socket.on('close', () => resolve(said))
    socket.on('end', () => socket.end())
  })
