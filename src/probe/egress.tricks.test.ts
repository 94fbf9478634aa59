import { connect, createServer, isIP, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGlobalUnicast } from './egress/address.ts'
import { type Dial, dialTcp } from './egress/socket.ts'
import { createEgress, type EgressRequest, parseConnectTo } from './egress.ts'

/** Stands for everything that must not be reached: listens on every address of this machine and counts. */
let connections = 0
const inner = createServer((socket) => {
  connections += 1
  socket.on('error', () => socket.destroy())
  socket.end('HTTP/1.1 200 OK\r\n\r\nsecret')
})
let port = 0

/** A seller on loopback whose answers send the caller elsewhere. */
let location = ''
const seller = createServer((socket) => {
  socket.on('error', () => socket.destroy())
  socket.once('data', () =>
    socket.end(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${location}\r\nRefresh: 0; url=${location}\r\n\r\n`),
  )
})

const portOf = (server: typeof inner): number => {
  const address = server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}

beforeAll(async () => {
  await new Promise<void>((resolve) => inner.listen(0, '::', resolve))
  await new Promise<void>((resolve) => seller.listen(0, '127.0.0.1', resolve))
  port = portOf(inner)
})
afterAll(() => {
  inner.close()
  seller.close()
})

const INNER = [
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '168.63.129.16',
  '198.18.0.1',
]

/** Ways to write one IPv4 address that some parser somewhere understands. */
function disguises(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const hex = (value: number, size = 2): string => value.toString(16).padStart(size, '0')
  const [high, low] = [hex((a << 8) | b, 4), hex((c << 8) | d, 4)]
  const shifted = (text: string, zero: number): string =>
    text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0${whole.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'),
    [a, b, c, d].map((part) => `000${part.toString(8)}`).join('.'),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    shifted(address, 0xff10),
    shifted(address, 0x1d7ce),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replace(/\d/g, (digit) => `%3${digit}`),
    address.replaceAll('.', '%2e'),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
  ]
}

const TRICKS = [
  ...INNER.flatMap(disguises),
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::0001]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[fec0::1]',
  ],
  ...[
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
    '[5f00::1]',
    '[::1%25lo]',
    '[::ffff:0:127.0.0.1]',
    '127.1',
    '127.0.1',
    '0',
    '0x0',
  ],
  ...['localhost', 'LOCALHOST', 'localhost.', 'sub.localhost', 'ip6-localhost', 'metadata', 'metadata.google.internal'],
  ...[
    '127.0.0.1.',
    '127.0.0.1..',
    '127.0.0.1.nip.example',
    '①②⑦.⓪.⓪.①',
    'ⓛocalhost',
    'loc\u00adalhost',
    '①②⑦。⓪。⓪。①',
  ],
  ...['256.0.0.1', '127.0.0.1.5', '4294967297', '0x100000001', '127.0.0.0x1', '0177.1', '127.000000001', '127%2E0.0.1'],
]

/** Whole addresses that two parsers read differently. */
const wholeTricks = (): string[] => [
  `http://api.example@127.0.0.1:${port}/`,
  `http://api.example:80@127.0.0.1:${port}/`,
  `http://api.example%40127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@api.example/`,
  `http://127.0.0.1:${port}?@api.example/`,
  `http://127.0.0.1:${port}\\@api.example/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `http:/127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}/`,
  `http:///127.0.0.1:${port}/`,
  `ht\ntp://127.0.0.1:${port}/`,
  `http://127.0.\t0.1:${port}/`,
  ` http://127.0.0.1:${port}/ `,
  `HTTP://127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}/`,
  `ws://127.0.0.1:${port}/`,
  `//127.0.0.1:${port}/`,
  `http://127.0.0.1:0${port}/`,
  `http://[::1]:${port}:80/`,
  `blob:http://127.0.0.1:${port}/`,
]

const call = (url: string): EgressRequest => ({
  method: 'GET',
  url,
  deadlineMs: 2000,
  maxBodyBytes: 1000,
  isListed: true,
})
const door = (answers: readonly string[], dial: Dial = dialTcp) =>
  createEgress({ connectTo: [], userAgent: 'test', allowPorts: [port], lookup: async () => answers, dial })

describe('no trick with addresses reaches the inside', () => {
  it('has at least 150 of them, and an inside that can be reached', async () => {
    expect(new Set([...TRICKS, ...wholeTricks()]).size).toBeGreaterThanOrEqual(150)
    const egress = createEgress({ connectTo: parseConnectTo(`::127.0.0.1:${port}`), userAgent: 'test' })
    expect(await egress.fetch(call('http://api.example/'))).toMatchObject({ ok: true, status: 200 })
    expect(connections).toBe(1)
    connections = 0
  })

  it('as the address itself, with a resolver that would answer loopback to anything', async () => {
    const urls = [...TRICKS.map((trick) => `http://${trick}:${port}/`), ...wholeTricks()]
    for (const url of urls) {
      expect([url, await door(['127.0.0.1']).fetch(call(url))]).toMatchObject([
        url,
        { ok: false, error: 'blocked_address' },
      ])
    }
    expect(connections).toBe(0)
  })

  it('as the answer of a lookup, alone or among public addresses', async () => {
    const canonical = (trick: string): string[] =>
      URL.canParse(`http://${trick}/`) ? [new URL(`http://${trick}/`).hostname.replace(/^\[(.*)\]$/, '$1')] : []
    const plain = (trick: string): string => trick.replace(/^\[(.*)\]$/, '$1')
    const answers = new Set(TRICKS.flatMap((trick) => [plain(trick), ...canonical(trick)]))
    expect([...answers].filter((answer) => isIP(answer) !== 0).length).toBeGreaterThan(60)
    for (const answer of answers) {
      for (const answers of [[answer], ['1.1.1.1', answer], [answer, '2606:4700::1111']]) {
        const seen = await door(answers).fetch(call(`http://api.example:${port}/`))
        expect([answer, seen]).toMatchObject([answer, { ok: false, error: 'blocked_address' }])
      }
    }
    expect(connections).toBe(0)
  })

  it('as the target of a redirect', async () => {
    const connectTo = parseConnectTo(`api.example:80:127.0.0.1:${portOf(seller)}`)
    const egress = createEgress({ connectTo, userAgent: 'test', allowPorts: [port], lookup: async () => ['127.0.0.1'] })
    for (const trick of TRICKS) {
      location = encodeURI(`http://${trick}:${port}/`)
      expect(await egress.fetch(call('http://api.example/'))).toMatchObject({ ok: true, status: 307 })
    }
    expect(connections).toBe(0)
  })

  it('as a name that rebinds: 10,000 names whose second answer is loopback', async () => {
    const asked = new Map<string, number>()
    const dialled: string[] = []
    // No packet leaves the machine: public addresses refuse at once, all others are really called.
    const dial: Dial = (address, to) => {
      dialled.push(address)
      if (!isGlobalUnicast(address)) return connect({ host: address, port: to })
      const socket = new Socket()
      setImmediate(() => socket.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })))
      return socket
    }
    const lookup = async (name: string): Promise<string[]> => {
      const times = (asked.get(name) ?? 0) + 1
      asked.set(name, times)
      return [times === 1 ? '1.2.3.4' : '127.0.0.1']
    }
    const egress = createEgress({ connectTo: [], userAgent: 'test', allowPorts: [port], lookup, dial })
    const round = async (number: number): Promise<string> => {
      const url = `http://r${number}.example:${port}/`
      const [first, second] = [await egress.fetch(call(url)), await egress.fetch(call(url))]
      return `${first.ok || first.error} ${second.ok || second.error}`
    }
    const outcomes = new Set<string>()
    for (let from = 0; from < 10_000; from += 500) {
      const rounds = Array.from({ length: 500 }, (_, at) => round(from + at))
      for (const outcome of await Promise.all(rounds)) outcomes.add(outcome)
    }
    expect([...outcomes]).toEqual(['connection_refused blocked_address'])
    expect(dialled).toHaveLength(10_000)
    expect(new Set(dialled)).toEqual(new Set(['1.2.3.4']))
    expect(connections).toBe(0)
  }, 60_000)

  it('as a connection that ends elsewhere than it was sent: nothing is said over it', async () => {
    let received = 0
    const listener = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.on('data', (data) => {
        received += data.length
      })
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const strayed: Dial = () => connect({ host: '127.0.0.1', port: portOf(listener) })
    for (const url of ['http://api.example/', 'https://api.example/', 'http://1.1.1.1/']) {
      const answer = await door(['1.2.3.4'], strayed).fetch(call(url))
      expect(answer).toMatchObject({ ok: false, error: 'blocked_address', remoteAddress: '127.0.0.1' })
    }
    await new Promise((resolve) => listener.close(resolve))
    expect(received).toBe(0)
  })
})
