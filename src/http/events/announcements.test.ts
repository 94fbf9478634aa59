import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { event } from '../../render/atom/testing/samples.ts'
import { HOST } from '../../render/testing/sample-views.ts'
import type { ServerOptions, WebServer } from '../server/server.ts'
import { ask, MemoryDirectory, startSample } from '../testing/samples.ts'
import { STREAM_SETTINGS } from './event-streams.ts'

const open: WebServer[] = []
afterEach(async () => {
  for (const web of open.splice(0)) await web.drain(1000)
})

async function world(more: Partial<ServerOptions> = {}) {
  const directory = new MemoryDirectory()
  directory.put(HOST)
  const settings = { ...STREAM_SETTINGS, pollMs: 5, ...more.streamSettings }
  const web = await startSample({ directory, ...more, streamSettings: settings })
  open.push(web)
  return { directory, web }
}

interface Stream {
  readonly incoming: IncomingMessage
  /** Everything received so far. */
  text(): string
  ids(): string[]
  readonly ended: Promise<void>
}

const follow = (port: number, query = '', headers: Record<string, string> = {}): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const asked = get({ port, path: `/v1/events${query}`, headers, agent: false }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        resolve(stream)
      })
      const ended = new Promise<void>((done) => incoming.once('close', () => done()))
      const ids = () => [...text.matchAll(/^id: (.*)\nevent: /gm)].map(([, id = '']) => id)
      const stream = { incoming, text: () => text, ids, ended }
    })
    asked.on('error', reject)
  })

describe('a stream of announcements', () => {
  it('tells what is new from now on, each with its id, kind and data', async () => {
    const { directory, web } = await world()
    directory.announce(event(1))
    const stream = await follow(web.port, '', { Accept: 'text/event-stream' })
    expect(stream.incoming.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    directory.announce(event(2))
    directory.announce(event(3, { kind: 'post', route: null, data: { post: 'p-1' } }))
    await expect.poll(stream.ids).toEqual(['event-2', 'event-3'])
    expect(stream.text()).toContain('event: price_changed\ndata: {"id":"event-2","kind":"price_changed"')
    expect(stream.text()).toContain('"href":"https://tollbook.example/v1/posts/p-1"')
    stream.incoming.destroy()
  })

  it('goes on after the last one that a client has, by header or address', async () => {
    const { directory, web } = await world()
    for (let n = 1; n <= 700; n++) directory.announce(event(n))
    const all = Array.from({ length: 697 }, (_, n) => `event-${n + 4}`)
    const byHeader = await follow(web.port, '?after=event-600', { 'Last-Event-ID': 'event-3' })
    const byAddress = await follow(web.port, '?after=event-3')
    await expect.poll(() => [byHeader.ids().length, byAddress.ids().length]).toEqual([697, 697])
    directory.announce(event(701))
    await expect.poll(byHeader.ids).toEqual([...all, 'event-701'])
    await expect.poll(byAddress.ids).toEqual([...all, 'event-701'])
    byHeader.incoming.destroy()
    byAddress.incoming.destroy()
  })

  it('tells only of the host and the kinds that were asked for', async () => {
    const { directory, web } = await world()
    directory.put('other.example')
    const stream = await follow(web.port, `?host=${HOST}&kind=post,review`)
    directory.announce(event(1))
    directory.announce(event(2, { kind: 'post' }))
    directory.announce(event(3, { kind: 'post', host: 'other.example' }))
    directory.announce(event(4, { kind: 'review' }))
    await expect.poll(stream.ids).toEqual(['event-2', 'event-4'])
    stream.incoming.destroy()
    expect((await ask(web.port, '/v1/events?kind=gossip')).status).toBe(400)
    expect((await ask(web.port, '/v1/events?host=nobody.example')).status).toBe(404)
  })

  it('says something now and then while nothing happens', async () => {
    const { directory, web } = await world({ streamSettings: { ...STREAM_SETTINGS, heartbeatMs: 20 } })
    directory.announce(event(1))
    const stream = await follow(web.port)
    await expect.poll(stream.text).toMatch(/: still here\nid: event-1\n\n: still here/)
    stream.incoming.destroy()
  })

  it('says so while something happens that was not asked for, too', async () => {
    const { directory, web } = await world({ streamSettings: { ...STREAM_SETTINGS, pollMs: 5, heartbeatMs: 100 } })
    let n = 0
    const timer = setInterval(() => directory.announce(event(++n)), 10)
    const stream = await follow(web.port, '?kind=post')
    await expect.poll(stream.text).toMatch(/: still here\nid: event-\d+\n\n/)
    clearInterval(timer)
    stream.incoming.destroy()
  })

  it('is refused when all are taken, and free again when somebody leaves', async () => {
    const { web } = await world({ streamSettings: { ...STREAM_SETTINGS, mostClients: 1 } })
    const first = await follow(web.port)
    const refused = await ask(web.port, '/v1/events')
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30'])
    expect((await ask(web.port, '/v1/events', {}, 'HEAD')).status).toBe(200)
    first.incoming.destroy()
    await expect
      .poll(async () => {
        const next = await follow(web.port)
        next.incoming.destroy()
        return next.incoming.statusCode
      })
      .toBe(200)
  })

  it('is ended when its client does not read, and makes room for another', async () => {
    const { directory, web } = await world({ streamSettings: { ...STREAM_SETTINGS, slowMs: 100, mostClients: 1 } })
    for (let n = 1; n <= 20_000; n++) directory.announce(event(n, { data: { note: 'x'.repeat(1000) } }))
    const socket = connect(web.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    socket.write('GET /v1/events?after=event-1 HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => web.lines.some((line) => line.includes('"aborted":true')), { timeout: 10_000 }).toBe(true)
    socket.destroy()
    const next = await follow(web.port)
    expect(next.incoming.statusCode).toBe(200)
    next.incoming.destroy()
  })

  it('ends with the server, at once', async () => {
    const { web } = await world()
    const stream = await follow(web.port)
    open.splice(0)
    await web.drain(30_000)
    await stream.ended
    expect(stream.incoming.complete).toBe(true)
  })
})

describe('pages of announcements', () => {
  it('are JSON for those who ask for it, with the way on', async () => {
    const { directory, web } = await world()
    for (let n = 1; n <= 3; n++) directory.announce(event(n))
    const first = await ask(web.port, '/v1/events?limit=2', { Accept: 'application/json' })
    expect(JSON.parse(first.text)).toMatchObject({
      events: [{ id: 'event-1', host: HOST, route: { method: 'GET', rail: 'x402' } }, { id: 'event-2' }],
      next: 'https://tollbook.example/v1/events?format=json&limit=2&after=event-2',
    })
    const second = await ask(web.port, '/v1/events?format=json&after=event-2')
    expect(JSON.parse(second.text)).toMatchObject({ events: [{ id: 'event-3' }], next: null })
    expect((await ask(web.port, '/v1/events', { Accept: 'text/html' })).status).toBe(406)
  })

  it('go back from the newest one where that is asked for', async () => {
    const { directory, web } = await world()
    for (let n = 1; n <= 3; n++) directory.announce(event(n))
    const first = await ask(web.port, '/v1/events?format=json&order=newest&limit=2')
    expect(JSON.parse(first.text)).toMatchObject({
      events: [{ id: 'event-3' }, { id: 'event-2' }],
      next: 'https://tollbook.example/v1/events?format=json&limit=2&order=newest&after=event-2',
    })
    expect((await ask(web.port, '/v1/events?format=json&order=other')).status).toBe(400)
  })

  it('are full where some kinds alone are asked for', async () => {
    const { directory, web } = await world()
    for (let n = 1; n <= 9; n++) directory.announce(event(n, { kind: n % 3 === 0 ? 'post' : 'price_changed' }))
    const first = await ask(web.port, '/v1/events?format=json&kind=post,review&limit=2')
    expect(JSON.parse(first.text)).toMatchObject({
      events: [{ id: 'event-3' }, { id: 'event-6' }],
      next: expect.stringContaining('kind=post%2Creview&limit=2&after=event-6'),
    })
    const last = await ask(web.port, '/v1/events?format=json&kind=post,review&after=event-6')
    expect(JSON.parse(last.text)).toMatchObject({ events: [{ id: 'event-9' }], next: null })
  })

  it('are feeds of a host and of the whole directory', async () => {
    const { directory, web } = await world()
    directory.announce(event(1))
    directory.announce(event(2, { host: 'other.example' }))
    const feed = await ask(web.port, '/feed.atom?limit=1')
    expect(feed.headers['content-type']).toBe('application/atom+xml; charset=utf-8')
    expect(feed.text).toContain('other.example')
    expect(feed.text).toContain('href="https://tollbook.example/feed.atom?limit=1&amp;cursor=next-page"')
    const ofHost = await ask(web.port, `/hosts/${HOST}/feed.atom`)
    expect(ofHost.text).not.toContain('other.example')
    expect(ofHost.headers.etag).toMatch(/^"[^"]+"$/)
    expect((await ask(web.port, '/hosts/nobody.example/feed.atom')).status).toBe(404)
  })
})

describe('what machines look for', () => {
  it('is a badge as an image and for shields.io', async () => {
    const { web } = await world()
    const image = await ask(web.port, `/hosts/${HOST}/badge.svg`)
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(image.text).toMatch(/402-correct \d+% · 30 days<\/text>/)
    const endpoint = await ask(web.port, `/hosts/${HOST}/badge.json`)
    // From the application and from cached bytes: browsers refuse a list.
    for (const { headers } of [image, endpoint, await ask(web.port, `/hosts/${HOST}/badge.svg`)]) {
      expect(headers['access-control-allow-origin']).toBe('*')
    }
    expect(JSON.parse(endpoint.text)).toMatchObject({ schemaVersion: 1 })
    expect((await ask(web.port, '/hosts/nobody.example/badge.svg')).status).toBe(404)
  })

  it('is a sitemap in parts, which robots.txt names', async () => {
    const { web } = await world()
    expect((await ask(web.port, '/robots.txt')).text).toContain('Sitemap: https://tollbook.example/sitemap.xml')
    expect((await ask(web.port, '/sitemap.xml')).text).toContain(
      '<loc>https://tollbook.example/sitemaps/1-of-1.xml</loc>',
    )
    const part = await ask(web.port, '/sitemaps/1-of-1.xml')
    expect(part.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(part.text).toContain(`<loc>https://tollbook.example/hosts/${HOST}</loc>`)
    expect(part.text.endsWith('</urlset>\n')).toBe(true)
    for (const path of ['/sitemaps/2-of-1.xml', '/sitemaps/0-of-1.xml', '/sitemaps/x.xml']) {
      expect((await ask(web.port, path)).status).toBe(404)
    }
    expect((await ask(web.port, '/sitemaps/1-of-1.xml', {}, 'HEAD')).status).toBe(200)
  })

  it('is where to report a weakness', async () => {
    const { web } = await world()
    const text = (await ask(web.port, '/.well-known/security.txt')).text
    expect(text).toContain('Contact: https://tollbook.example/policy\n')
    expect(text).toContain('Expires: 2027-05-13T00:00:00.000000Z\n')
    const named = await world({ securityContact: 'mailto:security@tollbook.example' })
    expect((await ask(named.web.port, '/.well-known/security.txt')).text).toContain(
      'Contact: mailto:security@tollbook.example\n',
    )
  })
})
