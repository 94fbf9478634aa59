import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ask, exchange, MemoryDirectory, problemIn, startSample, statusIn } from '../testing/samples.ts'
import { HOST, HOST_PATH, serveWeather } from '../testing/weather.ts'

const { web } = await serveWeather()

describe('a malformed request', () => {
  it.each([
    ['two Host headers', `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\nHost: a\r\nAccept: */*\r\n\r\n`, 400],
    ['no Host header', `GET ${HOST_PATH} HTTP/1.1\r\nAccept: */*\r\n\r\n`, 400],
    ['a Host header that is none', `GET ${HOST_PATH} HTTP/1.1\r\nHost: a b\r\nAccept: */*\r\n\r\n`, 400],
    ['an address of another host', `GET http://evil.example${HOST_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['TRACE', `TRACE ${HOST_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`, 405],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n', 405],
    ['GET with a body', `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nContent-Length: 5\r\n\r\nhello`, 400],
    [
      'GET with chunks',
      `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['HEAD with a body', `HEAD ${HOST_PATH} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nContent-Length: 1\r\n\r\nx`, 400],
    [
      'an upgrade to h2c',
      `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n`,
      400,
    ],
    [
      'an upgrade to WebSocket',
      `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
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
    ['another version of HTTP', `GET ${HOST_PATH} HTTP/2.0\r\nHost: a\r\nAccept: */*\r\n\r\n`, 400],
    [
      'a compressed transfer coding',
      'POST /v1/reviews HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'an unknown transfer coding',
      'POST /v1/reviews HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'GET with an unknown transfer coding',
      `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n`,
      400,
    ],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ...[
      ['a second Host header', `GET ${HOST_PATH}`, 'Host: b'],
      ['chunks of GET', `GET ${HOST_PATH}`, 'Transfer-Encoding: chunked\r\n\r\n0'],
      ['an upgrade', `GET ${HOST_PATH}`, 'Connection: upgrade\r\nUpgrade: websocket'],
      ['an unknown transfer coding', 'POST /v1/reviews', 'Transfer-Encoding: x'],
    ].map(([what, line, last]): [string, string, number] => [
      `${what} behind thousands of headers`,
      `${line} HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(4000)}${last}\r\n\r\n`,
      400,
    ]),
  ])('with %s is refused and its connection closed', async (_name, bytes, status) => {
    // Answered from the application first and from cached bytes afterwards: the edge must hold for both.
    await ask(web.port, HOST_PATH, { Accept: '*/*' })
    const answer = await exchange(web.port, bytes)
    expect(statusIn(answer)).toBe(status)
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
    [HOST_PATH, 'GET, HEAD'],
    ['/v1/reviews', 'POST'],
    ['/v1/reviews/message?text=x', 'GET, HEAD'],
    [`http://a/v1/thread/${HOST}`, 'GET, HEAD, POST'],
    ['/log/tile/0/x001/234', 'GET, HEAD'],
    ['/nowhere', ''],
  ])('as TRACE of %s is told what is answered there', async (target, allow) => {
    const answer = await exchange(web.port, `TRACE ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(statusIn(answer)).toBe(405)
    expect(/\r\nallow: ?(.*?) *\r\n/i.exec(answer)?.[1]).toBe(allow)
  })

  it('does not let a second request through behind a refused one', async () => {
    const second = 'POST /v1/hosts HTTP/1.1\r\nHost: a\r\nX-Request-Id: smuggled\r\nContent-Length: 0\r\n\r\n'
    for (const length of [second.length, 5]) {
      const first = `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`
      const answer = await exchange(web.port, first + second + second)
      expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    }
    expect(web.lines.join()).not.toContain('smuggled')
  })

  it.each([
    ['1.0', ''],
    ['1.1', 'Connection: close\r\n'],
  ])('behind the last one of a connection (HTTP/%s) takes nothing from its answer', async (version, close) => {
    const next = 'POST /v1/hosts HTTP/1.1\r\nHost: a\r\nX-Request-Id: behind-last\r\nContent-Length: 0\r\n\r\n'
    const post = 'Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}'
    for (const [line, rest, status] of [
      [`GET ${HOST_PATH}`, '\r\n', 200],
      ['GET /v1/hosts?limit=7', '\r\n', 200],
      ['POST /v1/reviews', post, 415],
    ] as const) {
      const answer = await exchange(web.port, `${line} HTTP/${version}\r\nHost: a\r\n${close}${rest}${next}nonsense`)
      expect([statusIn(answer), answer.match(/HTTP\/1\.1 \d/g)?.length]).toEqual([status, 1])
    }
    expect(web.lines.join()).not.toContain('behind-last')
  })

  it('reads a body that is too large only as far as it must, and the client still gets the answer', async () => {
    const head = 'POST /v1/hosts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
    const declared = await exchange(web.port, `${head}Content-Length: 1000000\r\n\r\n${'a'.repeat(1_000_000)}`)
    expect(statusIn(declared)).toBe(413)
    const waiting = await exchange(web.port, `${head}Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n`)
    expect(statusIn(waiting)).toBe(413)
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
      `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`,
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
    const answer = await exchange(other.port, `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n`).catch(
      () => '',
    )
    expect(answer).not.toContain('bad-request')
    await other.drain(1000)
  })
})

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
