import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { sourceOf } from '../source.ts'
import { mppDirectory } from '../sources/testing/mpp-directory.ts'
import { sendJson } from '../testing/loopback.ts'
import { items, offsetOf, offsetsAsked, pagedWorlds, sendPage } from '../testing/paged-world.ts'
import { sweep } from './sweep.ts'
import { SWEEP_LIMITS } from './sweep-limits.ts'

const world = pagedWorlds()

describe('a sweep of a paged source', () => {
  it('pages to the end with one request in flight and records what it saw', async () => {
    const all = [...items(248), { type: 'mcp', resource: 'mcp://tool' }, null]
    const here = await world((url, response) => sendPage(response, url, all))
    const outcome = await here.sweep()
    expect(outcome).toMatchObject({
      source: 'test',
      status: 'complete',
      error: null,
      resumed: false,
      seen: 250,
      stored: 248,
      // The first sweep of a short list reads it twice.
      pages: 6,
      announced: 250,
      refused: { not_http: 1, bad_item: 1 },
      answers: { document: 6 },
      failedPage: null,
    })
    expect(outcome.bytes).toBeGreaterThan(10_000)
    expect(outcome.endedUs).toBeGreaterThan(outcome.startedUs)
    expect(here.store.rows.size).toBe(248)
    expect(here.server.mostAtOnce()).toBe(1)
    expect(await here.store.loadProgress('test')).toBeNull()
  })

  it('asks without what a source refuses to know, once for a sweep', async () => {
    const all = [...items(150), { type: 'mcp', resource: 'mcp://tool' }]
    const here = await world((url, response) => {
      if (!url.searchParams.has('type')) return sendPage(response, url, all)
      response.writeHead(400).end('{"error":"unknown query parameter: type"}')
    })
    expect(await here.sweep()).toMatchObject({
      ...{ status: 'complete', error: null, seen: 151, stored: 150, announced: 151 },
      ...{ refused: { not_http: 1 }, answers: { http_400: 1 }, failedPage: null },
    })
    expect(here.server.asked.filter((asked) => asked.includes('type='))).toHaveLength(1)
  })

  it('gives up on a source that refuses both ways of asking', async () => {
    const here = await world((_url, response) => response.writeHead(400).end('{}'))
    expect(await here.sweep()).toMatchObject({ status: 'failed', error: 'http_400' })
    expect(here.server.asked).toHaveLength(2)
  })

  it('refuses an address with bytes that are no UTF-8, and reads the others', async () => {
    const all = items(2).map((item, index) => ({ ...item, resource: `https://api.example/${index}\u00e9` }))
    const here = await world((_url, response) => {
      const [good, bad] = all.map((item) => JSON.stringify(item))
      const page = [Buffer.from(`{"items":[${good},`), Buffer.from(`${bad}`, 'latin1'), Buffer.from('],"total":2}')]
      response.writeHead(200).end(Buffer.concat(page))
    })
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 2, stored: 1, refused: { bad_address: 1 } })
    expect([...here.store.rows.keys()]).toEqual([expect.stringContaining('https://api.example/0\u00e9')])
  })

  it('refuses a path with signs that are not seen, and reads the others', async () => {
    const paths = ['x', 'x\u3164', 'x\u034f']
    const all = items(3).map((item, index) => ({ ...item, resource: `https://api.example/${paths[index]}` }))
    const here = await world((url, response) => sendPage(response, url, all))
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 3, stored: 1, refused: { bad_address: 2 } })
  })

  it('asks again for a page whose connection was cut', async () => {
    let cut = 0
    const here = await world((url, response) => {
      if (offsetOf(url) !== 200 || cut++ > 0) return sendPage(response, url, items(350))
      response.writeHead(200, { 'content-length': '9999' }).write('{"items":[')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 350, answers: { document: 8 } })
    expect(offsetsAsked(here).slice(0, 5)).toEqual([0, 100, 200, 200, 300])
  })

  it('stops when the source goes away, keeps what it has, and goes on from there the next time', async () => {
    let isDown = true
    const here = await world((url, response) => {
      if (isDown && offsetOf(url) >= 300) response.destroy()
      else sendPage(response, url, items(900))
    })
    const first = await here.sweep({ patience: { ...SWEEP_LIMITS.patience, attempts: 2 } })
    expect(first).toMatchObject({ status: 'partial', error: 'connection_reset', seen: 300 })
    expect(here.store.rows.size).toBe(300)
    expect(await here.store.lastComplete('test')).toBeUndefined()
    isDown = false
    here.server.asked.length = 0
    const second = await here.sweep()
    expect(second).toMatchObject({ status: 'complete', resumed: true, seen: 900, startedUs: first.startedUs })
    expect(offsetsAsked(here)[0]).toBe(300)
    expect(here.store.rows.size).toBe(900)
  })

  it('goes on after a crash from the last page that was durable', async () => {
    const here = await world((url, response) => sendPage(response, url, items(400)))
    let saves = 0
    here.store.beforeSave = () => {
      saves += 1
      if (saves === 3) throw new Error('killed')
    }
    await expect(here.sweep({ saveRows: 1 })).rejects.toThrow('killed')
    here.server.asked.length = 0
    expect(await here.sweep()).toMatchObject({ status: 'complete', resumed: true, seen: 400, pages: 8 })
    expect(offsetsAsked(here).slice(0, 2)).toEqual([200, 300])
  })

  it.each([
    ['whole', (response: ServerResponse) => response.end()],
    ['cut short', (response: ServerResponse) => response.write('{', () => response.destroy())],
  ])('waits as long as Retry-After says in an answer that is %s', async (_, finish) => {
    let busy = 2
    const here = await world((url, response) => {
      if (offsetOf(url) === 100 && busy-- > 0) finish(response.writeHead(429, { 'retry-after': '17' }))
      else sendPage(response, url, items(150))
    })
    expect(await here.sweep({ pauseMs: 5 })).toMatchObject({ status: 'complete', seen: 150 })
    expect(here.surroundings.slept.slice(0, 3)).toEqual([5, 17_000, 17_000])
  })

  it('backs off by itself where the source does not say how long, and gives up after its attempts', async () => {
    const here = await world((_url, response) => response.writeHead(503).end('down'))
    const outcome = await here.sweep()
    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'http_503',
      seen: 0,
      failedPage: { status: 503, body: 'down' },
    })
    expect(here.surroundings.slept).toEqual([750, 1_500, 3_000, 6_000])
  })

  it('leaves a source alone that asks for more patience than it has, and comes back to the same page', async () => {
    let isBusy = true
    const here = await world((url, response) => {
      if (offsetOf(url) === 100 && isBusy) response.writeHead(429, { 'retry-after': '86400' }).end()
      else sendPage(response, url, items(150))
    })
    expect(await here.sweep()).toMatchObject({ status: 'partial', error: 'rate_limited', seen: 100 })
    isBusy = false
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 150 })
    expect(offsetsAsked(here).slice(0, 3)).toEqual([0, 100, 100])
  })

  it('leaves out a page of invalid JSON, reads the rest, keeps that page for study and is never complete', async () => {
    const here = await world((url, response) => {
      if (offsetOf(url) === 600) response.writeHead(200).end(`{"items": [${'x'.repeat(200_000)}`)
      else sendPage(response, url, items(1_000))
    })
    const outcome = await here.sweep({ failedPageBytes: 1_000 })
    expect(outcome).toMatchObject({ status: 'partial', error: 'invalid_json', seen: 900, announced: 1_000 })
    expect(outcome.failedPage).toMatchObject({
      url: expect.stringContaining('offset=600'),
      error: 'invalid_json',
      status: 200,
    })
    expect(outcome.failedPage?.body).toHaveLength(1_000)
    expect(here.store.rows.size).toBe(900)
    expect(await here.store.lastComplete('test')).toBeUndefined()
  })

  it.each([
    ['cut off', (page: string) => page.slice(0, 500)],
    ['with what is no JSON in one item', (page: string) => page.replace('"type":"http"', '"type":"http","calls":NaN')],
  ])('leaves out a first page %s, and reads the rest', async (_how, broken) => {
    let isBroken = true
    const here = await world((url, response) => {
      const offset = offsetOf(url)
      const page = { items: items(250).slice(offset, offset + 100), pagination: { limit: 100, offset, total: 250 } }
      response.writeHead(200).end(offset === 0 && isBroken ? broken(JSON.stringify(page)) : JSON.stringify(page))
    })
    expect(await here.sweep()).toMatchObject({
      ...{ status: 'partial', error: 'invalid_json', seen: 150, announced: 250 },
      failedPage: { url: expect.stringContaining('offset=0') },
    })
    isBroken = false
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 250, resumed: false })
  })

  it('has failed when the only page of a list is broken', async () => {
    const here = await world((url, response) => {
      if (offsetOf(url) === 0) response.writeHead(200).end('{"items": [oops')
      else sendPage(response, url, items(50))
    })
    expect(await here.sweep()).toMatchObject({ status: 'failed', error: 'invalid_json', seen: 0 })
  })

  it('leaves out a page that never ends, and one that is too long', async () => {
    const here = await world((url, response) => {
      const offset = offsetOf(url)
      if (offset !== 100 && offset !== 300) return sendPage(response, url, items(500))
      response.writeHead(200)
      const drip = setInterval(() => response.write(offset === 100 ? ' ' : ' '.repeat(50_000)), 10)
      response.on('close', () => clearInterval(drip))
    })
    const outcome = await here.sweep({
      pageMs: 300,
      pageBytes: 200_000,
      patience: { ...SWEEP_LIMITS.patience, attempts: 1 },
    })
    expect(outcome).toMatchObject({ status: 'partial', error: 'deadline', seen: 300 })
    expect(outcome.answers).toEqual({ document: 3, deadline: 1, body_overflow: 1 })
  })

  it('reports a collapse and does not believe it', async () => {
    let all = items(200)
    const here = await world((url, response) => sendPage(response, url, all))
    await here.sweep()
    all = items(19)
    expect(await here.sweep()).toMatchObject({ status: 'collapsed', seen: 19, error: '19 items after 200' })
    expect(await here.store.lastComplete('test')).toMatchObject({ seen: 200 })
    all = items(20)
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 20 })
  })

  it('does not believe a source either whose items cannot be read any more', async () => {
    let all: object[] = items(200)
    const here = await world((url, response) => sendPage(response, url, all))
    await here.sweep()
    all = items(200).map(({ resource, ...rest }, index) => (index < 19 ? { resource, ...rest } : rest))
    expect(await here.sweep()).toMatchObject({ status: 'collapsed', seen: 200, stored: 19, error: '19 rows after 200' })
  })

  it('stops at its caps in bytes and time and when told to, and the next sweep goes on', async () => {
    const here = await world((url, response) => {
      here.surroundings.pass(1_000)
      sendPage(response, url, items(700))
    })
    expect(await here.sweep({ sweepBytes: 100_000 })).toMatchObject({ status: 'partial', error: 'sweep_bytes' })
    const before = here.store.rows.size
    expect(await here.sweep({ sweepMs: 1_500 })).toMatchObject({ status: 'partial', error: 'sweep_time' })
    expect(here.store.rows.size).toBeGreaterThan(before)
    expect(await here.sweep({}, AbortSignal.abort())).toMatchObject({ status: 'partial', error: 'interrupted' })
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 700, resumed: true })
    expect(offsetsAsked(here).slice(0, 7)).toEqual([0, 100, 200, 300, 400, 500, 600])
  })

  it('starts anew when an interrupted sweep is old or gets nowhere three times', async () => {
    const here = await world((url, response) => {
      if (offsetOf(url) === 100) response.writeHead(403).end()
      else sendPage(response, url, items(300))
    })
    for (let run = 0; run < 4; run += 1) await here.sweep()
    expect(offsetsAsked(here)).toEqual([0, 100, 100, 100, 100])
    await here.sweep()
    expect(offsetsAsked(here).slice(5)).toEqual([0, 100])
    here.surroundings.pass(SWEEP_LIMITS.resumeWithinMs + 1)
    await here.sweep()
    expect(offsetsAsked(here).slice(7)).toEqual([0, 100])
  })

  it('reads everything beside an item that is nested deeper than any stack is high', async () => {
    const page = JSON.stringify({ items: [...items(2), 'deep'], pagination: { limit: 100, offset: 0, total: 3 } })
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const here = await world((_url, response) => response.writeHead(200).end(page.replace('"deep"', deep)))
    expect(await here.sweep()).toMatchObject({ status: 'complete', seen: 3, stored: 2, refused: { bad_item: 1 } })
  })

  it.each(['paging', 'parse'] as const)('fails alone, and keeps the page, when its %s breaks', async (name) => {
    const here = await world((url, response) => sendPage(response, url, items(2)))
    const breaks = (): never => {
      throw new RangeError('Maximum call stack size exceeded')
    }
    const source = sourceOf({ name: 'test', kind: 'bazaar', address: here.server.url })
    expect(await sweep({ ...source, [name]: breaks }, here.surroundings)).toMatchObject({
      status: 'failed',
      error: 'parser_broke',
      failedPage: { error: 'parser_broke', status: 200, body: expect.stringContaining('api-0.example') },
    })
    expect(here.store.outcomes).toHaveLength(1)
    expect(await here.sweep()).toMatchObject({ status: 'complete', resumed: false, stored: 2 })
  })

  it('says that an answer of another shape is no page', async () => {
    const here = await world((_url, response) => sendJson(response, { message: 'moved' }))
    expect(await here.sweep()).toMatchObject({
      status: 'failed',
      error: 'not_a_page',
      failedPage: { body: '{"message":"moved"}' },
    })
  })
})

describe('a sweep of a source that is one document', () => {
  it('asks conditionally, and moves last observed of every row when nothing changed', async () => {
    const here = await world((_url, response, request) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else sendJson(response, mppDirectory, { etag: '"v1"' })
    }, 'mpp-directory')
    const first = await here.sweep()
    expect(first).toMatchObject({ status: 'complete', seen: 4, stored: 4 })
    const before = [...here.store.rows.values()].map(({ lastUs }) => lastUs)
    here.surroundings.pass(60_000)
    for (const _ of [1, 2]) {
      const again = await here.sweep()
      expect(again).toMatchObject({ status: 'complete', seen: 4, stored: 4, bytes: 0, answers: { not_modified: 1 } })
      expect([...here.store.rows.values()].every(({ lastUs }, index) => lastUs > (before[index] ?? 0))).toBe(true)
    }
  })

  it('asks by date where there is no tag, and leaves rows behind that a changed document no longer has', async () => {
    let services = mppDirectory.services
    const headers: (string | undefined)[] = []
    const here = await world((_url, response, request) => {
      headers.push(request.headers['if-modified-since'])
      sendJson(response, { services }, { 'last-modified': 'Sat, 14 Nov 2026 12:00:00 GMT' })
    }, 'mpp-directory')
    await here.sweep()
    services = services.map((service) => ({ ...service, endpoints: service.endpoints.slice(1) }))
    const second = await here.sweep()
    expect(headers).toEqual([undefined, 'Sat, 14 Nov 2026 12:00:00 GMT'])
    const gone = [...here.store.rows].filter(([, { lastUs }]) => lastUs < second.startedUs)
    expect(gone.map(([key]) => key)).toEqual([expect.stringContaining('/v1/tiles/')])
  })
})
