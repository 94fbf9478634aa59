import { Socket } from 'node:net'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createEgress } from './egress.ts'
import { RawServers } from './testing/raw-servers.ts'
import { testDoor as door, GET, SHORT, textOf, USER_AGENT } from './testing/test-door.ts'

const raw = new RawServers()
afterEach(() => raw.close())
const speaking = raw.speaking.bind(raw)

/** Writes the same bytes as fast as the other side takes them, for ever. */
function forever(socket: Socket, bytes: string | Uint8Array): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', more)
  more()
}

function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs)
  socket.on('close', () => clearInterval(timer))
}

const ZEROS = Buffer.alloc(2_000_000)

const encoded = (coding: string, body: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`),
    body,
  ])

describe('a body that is compressed although none was asked for', () => {
  const TEXT = '{"x402Version":1}'.repeat(50)

  it.each([
    ['gzip', gzipSync(TEXT)],
    ['X-GZIP', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['gzip, identity, br', brotliCompressSync(gzipSync(TEXT))],
  ])('is read as clients that pay read it: %s', async (coding, body) => {
    const port = await speaking((socket) => socket.end(encoded(coding, body)))
    const answer = await door(port).fetch({ ...GET, overflow: 'error' })
    expect(answer).toMatchObject({ ok: true, coding: null, bodyTruncated: false })
    expect(textOf(answer)).toBe(TEXT)
  })

  it('is read as far as it came before the connection broke', async () => {
    const body = gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, at) => at % 251)), { level: 0 })
    const port = await speaking((socket) => socket.end(encoded('gzip', body).subarray(0, 15_000)))
    const answer = await door(port).fetch(GET)
    const partial = { status: 200, coding: null, body: { 0: 0, 250: 250, 251: 0 } }
    expect(answer).toMatchObject({ ok: false, error: 'connection_reset', partial })
  })

  it.each([
    ['zstd', gzipSync(TEXT)],
    ['gzip', Buffer.from(TEXT)],
    ['br, gzip', gzipSync(TEXT)],
    ['gzip, gzip, gzip, gzip', gzipSync(TEXT)],
  ])(
    'stays as it came where it is in another coding than it says or one that is not read: %s',
    async (coding, body) => {
      const port = await speaking((socket) => socket.end(encoded(coding, body)))
      const answer = await door(port).fetch(GET)
      expect(answer).toMatchObject({ ok: true, coding })
      expect(answer.ok && Buffer.from(answer.body).equals(body)).toBe(true)
    },
  )
})

describe('bounds', () => {
  it('cut a body that is too long for evidence, and refuse it where it must be whole', async () => {
    const port = await speaking((socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(5000)}`))
    const cut = await door(port).fetch({ ...GET, maxBodyBytes: 1000 })
    expect(cut).toMatchObject({ ok: true, status: 200, bodyTruncated: true })
    expect(textOf(cut)).toBe('x'.repeat(1000))
    const whole = await door(port).fetch({ ...GET, maxBodyBytes: 1000, overflow: 'error' })
    expect(whole).toMatchObject({ ok: false, error: 'body_overflow', partial: { status: 200 } })
    expect(await door(port).fetch({ ...GET, maxBodyBytes: 5000, overflow: 'error' })).toMatchObject({
      ok: true,
      bodyTruncated: false,
    })
  })

  it('cut a chunked body that never ends', async () => {
    const port = await speaking((socket) => {
      socket.write('HTTP/1.1 402 Payment Required\r\nTransfer-Encoding: chunked\r\n\r\n')
      forever(socket, `400\r\n${'y'.repeat(0x400)}\r\n`)
    })
    const answer = await door(port).fetch(GET)
    expect(answer).toMatchObject({ ok: true, status: 402, bodyTruncated: true })
    expect(answer.ok && answer.body.length).toBe(65_536)
  })

  it('hold for what a body is decompressed to, in bytes and in times its length', async () => {
    for (const [coding, bomb] of [
      ['gzip', gzipSync(ZEROS)],
      ['br', brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ] as const) {
      const port = await speaking((socket) => socket.end(encoded(coding, bomb)))
      const cut = await door(port).fetch(GET)
      expect(cut).toMatchObject({ ok: true, bodyTruncated: true, body: { length: 65_536 } })
      // There is room for all of it, and no document is worth a hundred times what it came as.
      const whole = await door(port).fetch({ ...GET, maxBodyBytes: 16_000_000, overflow: 'error' })
      expect(whole).toMatchObject({ ok: false, error: 'body_overflow', partial: { status: 200 } })
    }
  })

  it('take a challenge of 27 kB in one header', async () => {
    const challenge = 'A'.repeat(27_000)
    const port = await speaking((socket) => socket.end(`HTTP/1.1 402 X\r\nPAYMENT-REQUIRED: ${challenge}\r\n\r\n`))
    expect(await door(port).fetch(GET)).toMatchObject({ ok: true, headers: [['PAYMENT-REQUIRED', challenge]] })
  })

  it.each([
    ['headers without end', 'X-Filler: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'],
    ['one-letter headers without end', 'a:\r\n'],
    ['one header value without end', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['one header name without end', 'a'],
  ])('end %s', async (_, piece) => {
    const port = await speaking((socket) => {
      socket.write(`HTTP/1.1 402 Payment Required\r\n${piece.includes('\n') || piece === 'a' ? '' : 'v: '}`)
      forever(socket, piece.repeat(2000))
    })
    expect(await door(port).fetch(GET)).toMatchObject({ ok: false, error: 'headers_overflow', partial: null })
  })

  it('take 400 headers, and the lines of a body that arrives with the last of them are not headers', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `X-${at}: ${at}\r\n`).join('')
    const body = '{\n'.repeat(2000)
    const port = await speaking((socket) => {
      socket.write(`HTTP/1.1 402 X\r\n${lines}`)
      setTimeout(() => socket.end(`\r\n${body}`), 50)
    })
    const answer = await door(port).fetch(GET)
    expect(answer.ok && answer.headers).toHaveLength(400)
    expect(textOf(answer)).toBe(body)
  })

  it('take a body in chunks of one byte', async () => {
    const port = await speaking((socket) => {
      socket.end(`HTTP/1.1 402 X\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nz\r\n'.repeat(20_000)}0\r\nT: u\r\n\r\n`)
    })
    const answer = await door(port).fetch(GET)
    expect(answer).toMatchObject({ ok: true, bodyTruncated: false })
    expect(textOf(answer)).toBe('z'.repeat(20_000))
  })

  it('end a flood of informational answers', async () => {
    const port = await speaking((socket) =>
      forever(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(100)),
    )
    expect(await door(port).fetch(GET)).toMatchObject({ ok: false, error: 'headers_overflow' })
  })

  it.each([
    ['trailers', '0\r\n', 'a:\r\n'],
    ['chunk extensions', '5;', 'x=y;'],
  ])('end %s without end', async (_, start, piece) => {
    const port = await speaking((socket) => {
      socket.write(`HTTP/1.1 402 X\r\nTransfer-Encoding: chunked\r\n\r\n${start}`)
      forever(socket, piece.repeat(2000))
    })
    expect(await door(port).fetch(GET)).toMatchObject({ ok: false, error: 'protocol_error', partial: { status: 402 } })
  })
})

describe('the deadline', () => {
  it('ends a body that drips, and keeps the status that was seen', async () => {
    const port = await speaking((socket) => {
      socket.write('HTTP/1.1 402 Payment Required\r\nContent-Length: 1000000\r\n\r\n')
      drip(socket, 'z', 20)
    })
    const answer = await door(port).fetch(SHORT)
    expect(answer).toMatchObject({ ok: false, error: 'deadline', remoteAddress: '127.0.0.1', partial: { status: 402 } })
    expect(answer.latencyMs).toBeGreaterThanOrEqual(290)
    expect(!answer.ok && answer.partial && Buffer.from(answer.partial.body).toString()).toMatch(/^z+$/)
  })

  it.each([
    ['headers that drip', 'HTTP/1.1 200 OK\r\nX: ', 'a'],
    ['informational answers that drip', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('ends %s', async (_, start, piece) => {
    const port = await speaking((socket) => {
      socket.write(start)
      drip(socket, piece, 20)
    })
    expect(await door(port).fetch(SHORT)).toMatchObject({ ok: false, error: 'deadline', partial: null })
  })

  it('ends silence after the connection, also where a handshake is due', async () => {
    const port = await speaking(() => {})
    expect(await door(port).fetch(SHORT)).toMatchObject({ ok: false, error: 'deadline' })
    const secure = await door(port).fetch({ ...SHORT, url: 'https://api.example/' })
    expect(secure).toMatchObject({
      ok: false,
      error: 'deadline',
      timings: { connectMs: expect.any(Number), tlsMs: null },
    })
  })

  it('ends a lookup that never answers', async () => {
    const egress = createEgress({ connectTo: [], userAgent: USER_AGENT, lookup: () => new Promise(() => {}) })
    expect(await egress.fetch(SHORT)).toMatchObject({ ok: false, error: 'deadline', remoteAddress: null })
  })

  it('calls a connection that is never taken a connect_timeout', async () => {
    const lookup = async () => ['1.2.3.4']
    const egress = createEgress({ connectTo: [], userAgent: USER_AGENT, lookup, dial: () => new Socket() })
    expect(await egress.fetch(SHORT)).toMatchObject({
      ok: false,
      error: 'connect_timeout',
      timings: { connectMs: null },
    })
  })
})
