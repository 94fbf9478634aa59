import { createServer as createHttpServer } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Dial } from './egress/socket.ts'
import { createEgress, type EgressAnswer, type EgressRequest, parseConnectTo } from './egress.ts'
import { RawServers } from './testing/raw-servers.ts'
import { testDoor as door, GET, SHORT, textOf, USER_AGENT } from './testing/test-door.ts'

const raw = new RawServers()
afterEach(() => raw.close())
const listen = raw.listen.bind(raw)
const speaking = raw.speaking.bind(raw)

describe('an ordinary call', () => {
  it('gives status, headers as sent, body and timings', async () => {
    const port = await speaking((socket) =>
      socket.end('HTTP/1.1 402 Payment Required\r\nB: 2\r\na: 1\r\nb: 3\r\nContent-Length: 5\r\n\r\nhello'),
    )
    const answer = await door(port).fetch(GET)
    expect(answer).toMatchObject({
      ok: true,
      status: 402,
      headers: [
        ['B', '2'],
        ['a', '1'],
        ['b', '3'],
        ['Content-Length', '5'],
      ],
      bodyTruncated: false,
      remoteAddress: '127.0.0.1',
      timings: { dnsMs: null, connectMs: expect.any(Number), tlsMs: null, firstByteMs: expect.any(Number) },
    })
    expect(textOf(answer)).toBe('hello')
    expect(Number.isInteger(answer.latencyMs)).toBe(true)
  })

  it('sends the seller’s host, its own user agent, no encodings and nothing that identifies anybody', async () => {
    const seen: string[] = []
    const server = createHttpServer((request, response) => {
      seen.push(`${request.method} ${request.url}`, ...request.rawHeaders)
      response.end()
    })
    const port = await listen(server)
    await door(port).fetch({
      ...GET,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Host: 'evil.example',
        'USER-AGENT': 'x',
        'Accept-Encoding': 'gzip',
      },
      body: '{}',
    })
    expect(seen).toEqual([
      ...['POST /v1/x?q=1', 'host', 'api.example', 'connection', 'close', 'accept', '*/*'],
      ...['content-type', 'application/json', 'user-agent', USER_AGENT, 'accept-encoding', 'identity'],
      ...['content-length', '2'],
    ])
  })

  it('has a connection of its own, closed when the answer is there', async () => {
    let connections = 0
    const server = createHttpServer((_, response) => response.end('x'))
    server.on('connection', () => {
      connections += 1
    })
    const port = await listen(server)
    const egress = door(port)
    await egress.fetch(GET)
    await egress.fetch(GET)
    expect(connections).toBe(2)
    await expect.poll(() => [...raw.sockets].every((socket) => socket.destroyed)).toBe(true)
  })

  it('reaches an IPv6 address, and an address in the call’s own URL, when CONNECT_TO says so', async () => {
    const port = await speaking((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nsix'), '::1')
    const connectTo = parseConnectTo(`v6.example:80:[::1]:${port},[2001:db8::1]::[::1]:${port}`)
    const egress = createEgress({ connectTo, userAgent: USER_AGENT })
    expect(await egress.fetch({ ...GET, url: 'http://v6.example/' })).toMatchObject({ ok: true, remoteAddress: '::1' })
    expect(textOf(await egress.fetch({ ...GET, url: 'http://[2001:db8::1]:81/' }))).toBe('six')
  })

  it('pins the looked-up answer, measures the lookup and asks once', async () => {
    const port = await speaking((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    const asked: string[] = []
    const dialled: string[] = []
    const egress = createEgress({
      connectTo: [],
      userAgent: USER_AGENT,
      lookup: async (name) => {
        asked.push(name)
        // The last one is what a network with NAT64 adds.
        return ['2606:4700::1', '1.2.3.4', '64:ff9b::102:304']
      },
      dial: (address) => {
        dialled.push(address)
        return connect({ host: '127.0.0.1', port })
      },
    })
    const answer = await egress.fetch({ ...GET, url: 'http://API.Example./' })
    expect(asked).toEqual(['api.example'])
    expect(dialled).toEqual(['1.2.3.4'])
    // This dial leads elsewhere than it was told: the far end's address is looked at before anything is sent.
    expect(answer).toMatchObject({ ok: false, error: 'blocked_address', timings: { dnsMs: expect.any(Number) } })
  })

  it('tries the next address when one refuses, and reports the first one’s failure when all do', async () => {
    const refusing = await speaking(() => {})
    await new Promise((resolve) => raw.servers.pop()?.close(resolve))
    const dialled: string[] = []
    const egress = createEgress({
      connectTo: [],
      userAgent: USER_AGENT,
      lookup: async () => ['2606:4700::1', '1.2.3.4', '1.2.3.5'],
      dial: (address) => {
        dialled.push(address)
        return connect({ host: '127.0.0.1', port: refusing })
      },
    })
    expect(await egress.fetch(GET)).toMatchObject({ ok: false, error: 'connection_refused', remoteAddress: null })
    expect(dialled).toEqual(['1.2.3.4', '1.2.3.5', '2606:4700::1'])
  })
})

describe('ports', () => {
  const lookup = async () => ['1.2.3.4']
  const refuse = (ports: number[]): Dial => {
    return (_, port) => {
      ports.push(port)
      throw new Error('nobody is called')
    }
  }

  it('are 80 and 443, unless listed or allowed by the operator, and never another protocol’s', async () => {
    const dialled: number[] = []
    const egress = createEgress({
      connectTo: [],
      userAgent: USER_AGENT,
      lookup,
      dial: refuse(dialled),
      allowPorts: [8443],
    })
    const call = (port: number, isListed: boolean) =>
      egress.fetch({ ...GET, url: `http://api.example:${port}/`, isListed })
    for (const port of [80, 443, 8443]) await call(port, false)
    await call(3000, true)
    expect(dialled).toEqual([80, 443, 8443, 3000])
    expect(await call(3000, false)).toMatchObject({ error: 'blocked_address' })
    for (const port of [22, 25, 6379, 11_211])
      expect(await call(port, true)).toMatchObject({ error: 'blocked_address' })
    expect(dialled).toHaveLength(4)
  })
})

describe('odd answers', () => {
  const said = async (text: string, request: EgressRequest = SHORT): Promise<EgressAnswer> => {
    const port = await speaking((socket) => socket.end(text))
    return await door(port).fetch(request)
  }

  it('are read when they are HTTP: version 1.0, early hints or a needless Continue before the answer, a status without a reason', async () => {
    expect(await said('HTTP/1.0 402 Payment Required\r\n\r\npay')).toMatchObject({ ok: true, status: 402 })
    const hinted = await said('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 402 X\r\nA: b\r\n\r\npay')
    expect(hinted).toMatchObject({ ok: true, status: 402, headers: [['A', 'b']] })
    expect(textOf(hinted)).toBe('pay')
    expect(await said('HTTP/1.1 402\r\n\r\n')).toMatchObject({ ok: true, status: 402 })
    const early = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 402 X\r\n\r\n'
    expect(await said(early)).toMatchObject({ ok: true, status: 402 })
  })

  it('never lead anywhere else: a redirect is the answer', async () => {
    const answer = await said(
      'HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/\r\nContent-Length: 0\r\n\r\n',
    )
    expect(answer).toMatchObject({ ok: true, status: 302 })
    expect(answer.ok && answer.headers[0]).toEqual(['Location', 'http://169.254.169.254/latest/'])
  })

  it.each([
    ['nonsense', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/2 without being asked', 'HTTP/2 200\r\n\r\n'],
    ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a status below 100', 'HTTP/1.1 042 X\r\n\r\n'],
    ['a bad chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['101 without a protocol', 'HTTP/1.1 101 X\r\n\r\n'],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'],
  ])('are a protocol_error: %s', async (_, text) => {
    expect(await said(text)).toMatchObject({ ok: false, error: 'protocol_error' })
  })

  it.each([
    ['nothing', ''],
    ['half a header', 'HTTP/1.1 402 Payment Required\r\nPAYMENT-REQ'],
    ['half a body', 'HTTP/1.1 402 Payment Required\r\nContent-Length: 100\r\n\r\nhalf'],
    ['half a chunk', 'HTTP/1.1 402 X\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf'],
  ])('are a connection_reset when the seller closes after %s', async (_, text) => {
    expect(await said(text)).toMatchObject({ ok: false, error: 'connection_reset' })
  })

  it('are a connection_reset when the seller resets in the middle of the headers', async () => {
    const port = await speaking((socket) =>
      socket.write('HTTP/1.1 402 Pay', () => setTimeout(() => socket.resetAndDestroy(), 20)),
    )
    expect(await door(port).fetch(GET)).toMatchObject({ ok: false, error: 'connection_reset', partial: null })
  })

  it('always end in an answer, whatever bytes come', async () => {
    const valid =
      'HTTP/1.1 103 Hint\r\nA: b\r\n\r\nHTTP/1.1 402 Pay\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\nT: u\r\n\r\n'
    const byte = fc.integer({ min: 0, max: 255 })
    const place = fc.nat({ max: valid.length - 1 })
    let said: Buffer = Buffer.alloc(0)
    const port = await speaking((socket) => socket.end(said))
    const egress = door(port)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, byte), { maxLength: 4 }),
        place,
        fc.boolean(),
        async (edits, at, cut) => {
          const bytes = Buffer.from(valid)
          for (const [where, value] of edits) bytes[where] = value
          said = cut ? bytes.subarray(0, at) : bytes
          const answer = await egress.fetch(GET)
          expect(answer.ok || answer.error !== 'deadline').toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('addresses in a bad form', () => {
  it.each([
    '',
    'nonsense',
    'ftp://api.example/',
    'file:///etc/passwd',
    'http://user@api.example/',
    'http://:pw@api.example/',
  ])('are blocked before anything happens: %s', async (url) => {
    let connections = 0
    const port = await speaking(() => {})
    raw.servers[0]?.on('connection', () => {
      connections += 1
    })
    const egress = createEgress({ connectTo: parseConnectTo(`::127.0.0.1:${port}`), userAgent: USER_AGENT })
    expect(await egress.fetch({ ...GET, url })).toMatchObject({ ok: false, error: 'blocked_address', partial: null })
    expect(connections).toBe(0)
  })
})
