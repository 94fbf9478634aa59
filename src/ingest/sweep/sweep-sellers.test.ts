import { afterEach, describe, expect, it } from 'vitest'
import { sourceOf } from '../source.ts'
import { openapiDocument } from '../sources/testing/openapi.ts'
import { wellKnownDocument } from '../sources/testing/well-known.ts'
import { type Answer, type Loopback, sendJson, serve } from '../testing/loopback.ts'
import { MemoryStore } from '../testing/memory-store.ts'
import { linesOf, sellersOf, sweepingWith } from '../testing/sweeping.ts'
import { sweep } from './sweep.ts'

const openapi = sourceOf({ name: 'openapi', kind: 'openapi', address: '' })
const wellKnown = sourceOf({ name: 'well-known', kind: 'well-known', address: '' })

const servers: Loopback[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function world(answer: Answer, ...hosts: string[]) {
  const server = await serve(answer)
  servers.push(server)
  const store = new MemoryStore()
  const surroundings = sweepingWith(store, server.fetch, { sellers: sellersOf(...hosts) })
  return { server, store, surroundings }
}

const rowsOn = (store: MemoryStore, host: string) => [...store.rows.values()].filter((row) => row.host === host)

describe('a sweep of sellers own documents', () => {
  it('reads the documents of every seller, each at the first address that has one', async () => {
    const here = await world(
      (url, response) => {
        if (url.host === 'api.shop.example' && url.pathname === '/.well-known/x402.json')
          sendJson(response, wellKnownDocument)
        else if (url.host === 'page.example') response.writeHead(200).end('<!doctype html>')
        else if (url.host === 'direct.example' && url.pathname === '/.well-known/x402') sendJson(response, ['/a', '/b'])
        else response.writeHead(404).end()
      },
      'api.shop.example',
      'direct.example',
      'none.example',
      'page.example',
    )
    const outcome = await sweep(wellKnown, here.surroundings)
    expect(outcome).toMatchObject({
      status: 'complete',
      pages: 2,
      answers: { document: 2, http_404: 3, invalid_json: 2 },
    })
    expect(rowsOn(here.store, 'api.shop.example').length).toBeGreaterThanOrEqual(5)
    expect(rowsOn(here.store, 'direct.example')).toHaveLength(2)
    expect(here.store.proofs).toMatchObject([{ origin: 'https://api.shop.example' }])
    expect(here.server.asked).toContain('direct.example/.well-known/x402')
    expect(here.server.asked).not.toContain('direct.example/.well-known/x402.json')
    expect(here.surroundings.slept.every((ms) => ms === 1_000)).toBe(true)
  })

  it('goes on to the second address where the first answers with anything else than a list of routes', async () => {
    const here = await world(
      (url, response, request) => {
        if (request.headers['if-none-match'] !== undefined) response.writeHead(304).end()
        else if (!url.pathname.endsWith('.json')) sendJson(response, { ok: true }, { etag: '"1"' })
        else if (url.host === 'two.example') sendJson(response, ['/a', '/b'])
        else response.writeHead(404).end()
      },
      'one.example',
      'two.example',
    )
    for (const _ of [1, 2]) {
      expect(await sweep(wellKnown, here.surroundings)).toMatchObject({
        ...{ status: 'complete', stored: 2, refused: { no_route: 1 } },
        answers: { document: 3, http_404: 1 },
      })
    }
    expect(rowsOn(here.store, 'two.example')).toHaveLength(2)
  })

  it('passes over a document that its parser breaks on, keeps it, and reads the sellers beside it', async () => {
    const here = await world((_url, response) => sendJson(response, ['/a']), 'bad.example', 'good.example')
    const source = wellKnown.shape === 'sellers' ? wellKnown : expect.fail('no source of sellers')
    const breaking: typeof source.read = (document, context) => {
      if (context.base.includes('bad.example')) throw new RangeError('Maximum call stack size exceeded')
      return source.read(document, context)
    }
    const outcome = await sweep({ ...source, read: breaking }, here.surroundings)
    expect(outcome).toMatchObject({ status: 'complete', stored: 1, failedPage: { error: 'parser_broke' } })
    expect(rowsOn(here.store, 'good.example')).toHaveLength(1)
  })

  it('refuses what a document says of other hosts, so that nobody speaks for somebody else', async () => {
    const evil = { ...openapiDocument, servers: [{ url: 'https://victim.example' }] }
    const here = await world((_url, response) => sendJson(response, evil), 'evil.example', 'victim.example')
    const outcome = await sweep(openapi, here.surroundings)
    expect(outcome.refused).toMatchObject({ foreign_host: 3 })
    expect(rowsOn(here.store, 'victim.example')).toHaveLength(4)
    expect(rowsOn(here.store, 'evil.example')).toHaveLength(0)
  })

  it('moves the rows of one seller whose document has not changed, and of no other', async () => {
    const here = await world((url, response, request) => {
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end()
      else if (url.host === 'gone.example' && here.store.rows.size > 0) response.writeHead(404).end()
      else sendJson(response, openapiDocument, { etag: '"1"' })
    }, 'same.example')
    const both = { ...here.surroundings, sellers: sellersOf('gone.example', 'same.example') }
    await sweep(openapi, both)
    expect(here.store.documents.size).toBe(2)
    here.store.documents.delete('openapi https://gone.example/openapi.json')
    const second = await sweep(openapi, both)
    expect(second).toMatchObject({ status: 'complete', answers: { http_404: 1, not_modified: 1 }, stored: 4 })
    expect(rowsOn(here.store, 'same.example').every(({ lastUs }) => lastUs > second.startedUs)).toBe(true)
    expect(rowsOn(here.store, 'gone.example').every(({ lastUs }) => lastUs < second.startedUs)).toBe(true)
  })

  it('knows the rows of each unchanged document, also of documents that were stored in one step', async () => {
    const hosts = ['a.example', 'b.example', 'c.example']
    const here = await world(
      (_url, response, request) => {
        if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end()
        else sendJson(response, openapiDocument, { etag: '"1"' })
      },
      ...hosts,
    )
    const oneByOne = { ...here.surroundings, limits: { sellersAtOnce: 1, saveMs: 60_000 } }
    await sweep(openapi, oneByOne)
    const second = await sweep(openapi, oneByOne)
    expect(second).toMatchObject({ status: 'complete', answers: { not_modified: 3 }, stored: 12 })
    for (const host of hosts) {
      expect(rowsOn(here.store, host).every(({ lastUs }) => lastUs > second.startedUs)).toBe(true)
    }
  })

  it('reads a document whole every time that lists routes on further hosts of the seller', async () => {
    const wide = { ...openapiDocument, servers: [{ url: 'https://api.wide.example' }] }
    const here = await world((_url, response) => sendJson(response, wide, { etag: '"1"' }), 'wide.example')
    await sweep(openapi, here.surroundings)
    expect(here.store.documents.size).toBe(0)
    expect(rowsOn(here.store, 'api.wide.example')).toHaveLength(4)
  })

  it('goes on after the last seller that was read', async () => {
    const hosts = Array.from({ length: 20 }, (_, index) => `seller-${String(index).padStart(2, '0')}.example`)
    const stop = new AbortController()
    const here = await world(
      (url, response) => {
        if (url.host === 'seller-05.example') stop.abort()
        sendJson(response, openapiDocument)
      },
      ...hosts,
    )
    const first = await sweep(openapi, { ...here.surroundings, signal: stop.signal, limits: { sellersAtOnce: 4 } })
    expect(first).toMatchObject({ status: 'partial', error: 'interrupted', pages: 8 })
    expect(here.server.mostAtOnce()).toBeLessThanOrEqual(4)
    here.server.asked.length = 0
    expect(await sweep(openapi, here.surroundings)).toMatchObject({ status: 'complete', pages: 20, resumed: true })
    expect(here.server.asked[0]).toContain('seller-08.example')
  })

  it('says that it has no network when not one seller answers', async () => {
    const here = await world((_url, response) => response.destroy(), 'a.example', 'b.example', 'c.example')
    expect(await sweep(wellKnown, here.surroundings)).toMatchObject({ status: 'failed', error: 'no_network' })
    expect(here.server.asked).toHaveLength(3)
  })
})

describe('a sweep of the operator’s file', () => {
  const file = sourceOf({ name: 'mine', kind: 'file', address: 'listings.ndjson' })
  const line = (number: number) =>
    JSON.stringify({
      method: 'GET',
      url: `https://mine.example/${number}`,
      rail: 'x402',
      price: '0.010000',
      network: 'base',
    })

  it('reads all lines, and refuses bad ones by their number', async () => {
    const store = new MemoryStore()
    const lines = Array.from({ length: 1_200 }, (_, index) => (index === 700 ? 'oops' : line(index)))
    const outcome = await sweep(file, { ...sweepingWith(store, neverAsked), openLines: linesOf(...lines) })
    expect(outcome).toMatchObject({ status: 'complete', seen: 1_200, stored: 1_199, refused: { bad_record: 1 } })
    expect(store.rows.size).toBe(1_199)
  })

  it('fails with the reason when the file cannot be read', async () => {
    async function* missing(): AsyncGenerator<string> {
      yield line(1)
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    }
    const store = new MemoryStore()
    const outcome = await sweep(file, { ...sweepingWith(store, neverAsked), openLines: missing })
    expect(outcome).toMatchObject({ status: 'failed', error: 'file_ENOENT', stored: 0 })
  })
})

const neverAsked = async () => ({ ok: false as const, error: 'nobody asks' })
