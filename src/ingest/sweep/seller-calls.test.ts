import { afterEach, describe, expect, it } from 'vitest'
import { readOwnDocuments } from '../add-seller.ts'
import { sourceOf } from '../source.ts'
import { openapiDocument } from '../sources/testing/openapi.ts'
import { type Answer, type Loopback, sendJson, serve } from '../testing/loopback.ts'
import { callsWith } from '../testing/manners.ts'
import { MemoryStore } from '../testing/memory-store.ts'
import { sellersOf, sweepingWith } from '../testing/sweeping.ts'
import type { SellerManners } from './seller-calls.ts'
import { sweep } from './sweep.ts'

const openapi = sourceOf({ name: 'openapi', kind: 'openapi', address: '' })
const wellKnown = sourceOf({ name: 'well-known', kind: 'well-known', address: '' })

const servers: Loopback[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function world(answer: Answer, manners: Partial<SellerManners>, ...hosts: string[]) {
  const server = await serve(answer)
  servers.push(server)
  const calls = callsWith(manners)
  const surroundings = sweepingWith(new MemoryStore(), server.fetch, { sellers: sellersOf(...hosts), calls })
  return { server, surroundings }
}

const documents: Answer = (url, response) => {
  if (url.pathname === '/openapi.json') sendJson(response, openapiDocument)
  else sendJson(response, ['/a'])
}

describe('whoever reads sellers own documents', () => {
  it('asks nothing of a host that opted out, and calls that no failure', async () => {
    const isOptedOut = (host: string) => host === 'b.example'
    const { server, surroundings } = await world(documents, { isOptedOut }, 'a.example', 'b.example')
    for (const source of [openapi, wellKnown]) {
      expect(await sweep(source, surroundings)).toMatchObject({
        status: 'complete',
        pages: 1,
        answers: { document: 1, opted_out: 1 },
      })
    }
    const added = await readOwnDocuments({ scheme: 'https', host: 'b.example' }, surroundings)
    expect(added.map(({ answers }) => answers)).toEqual([
      [{ url: 'https://b.example/openapi.json', answer: 'opted_out' }],
      [{ url: 'https://b.example/.well-known/x402', answer: 'opted_out' }],
    ])
    expect(server.asked).toEqual(['a.example/openapi.json', 'a.example/.well-known/x402'])
  })

  it('has a network where every seller that could answer is left alone', async () => {
    const { surroundings } = await world(documents, { isOptedOut: () => true }, 'a.example', 'b.example', 'c.example')
    expect(await sweep(openapi, surroundings)).toMatchObject({ status: 'complete', answers: { opted_out: 3 } })
  })

  it('asks only for what robots.txt allows', async () => {
    const isAllowed = (path: string) => path !== '/.well-known/x402' && path !== '/openapi.json'
    const { server, surroundings } = await world(
      documents,
      { rulesOf: async () => ({ isAllowed, answer: null }) },
      'a.example',
    )
    expect(await sweep(openapi, surroundings)).toMatchObject({ status: 'complete', answers: { robots: 1 } })
    expect(await sweep(wellKnown, surroundings)).toMatchObject({ answers: { robots: 1, document: 1 } })
    expect(server.asked).toEqual(['a.example/.well-known/x402.json'])
  })

  it('asks nothing more of a host whose robots.txt cannot be reached, or is refused for now', async () => {
    const answers = [
      { status: null, error: 'connection_refused', retryAfter: null },
      { status: 429, error: null, retryAfter: null },
      { status: 503, error: null, retryAfter: '120' },
    ]
    for (const answer of answers) {
      const rulesOf = async () => ({ isAllowed: () => true, answer })
      const { server, surroundings } = await world(documents, { rulesOf }, 'a.example')
      const word = answer.error ?? 'paused'
      expect(await sweep(wellKnown, surroundings)).toMatchObject({ answers: { [word]: 1 } })
      expect(server.asked).toEqual([])
    }
  })

  it.each([
    [429, {}],
    [503, {}],
    [404, { 'retry-after': '1' }],
    [403, { 'retry-after': 'Wed, 01 Jan 2098 00:00:00 GMT' }],
  ])('asks nothing more of a host that answers %i and %j', async (status, headers) => {
    const { server, surroundings } = await world(
      (_url, response) => response.writeHead(status, headers).end(),
      {},
      'a.example',
    )
    await sweep(wellKnown, surroundings)
    expect(server.asked).toEqual(['a.example/.well-known/x402'])
  })

  it('leaves a host alone by the next source too, for as long as it asked', async () => {
    const { server, surroundings } = await world(
      (_url, response) => response.writeHead(503, { 'retry-after': '600' }).end(),
      {},
      'a.example',
    )
    await sweep(openapi, surroundings)
    expect(await sweep(wellKnown, surroundings)).toMatchObject({ answers: { paused: 1 } })
    surroundings.pass(600_000)
    await sweep(wellKnown, surroundings)
    expect(server.asked).toEqual(['a.example/openapi.json', 'a.example/.well-known/x402'])
  })

  it('keeps the pause that a host asked a prober for, and waits for a short one', async () => {
    const { server, surroundings } = await world(
      documents,
      { notBeforeUs: async (host) => surroundings.now() + (host === 'a.example' ? 3_600_000_000 : 5_000_000) },
      'a.example',
      'b.example',
    )
    expect(await sweep(openapi, surroundings)).toMatchObject({ answers: { paused: 1, document: 1 } })
    expect(server.asked).toEqual(['b.example/openapi.json'])
    expect(surroundings.slept).toHaveLength(1)
  })

  it('has one request in flight per host and a rest after each, whatever sources ask', async () => {
    const [inFlight, most] = [new Map<string, number>(), new Map<string, number>()]
    const { server, surroundings } = await world(
      (url, response) => {
        const now = (inFlight.get(url.host) ?? 0) + 1
        inFlight.set(url.host, now)
        most.set(url.host, Math.max(now, most.get(url.host) ?? 0))
        setTimeout(() => {
          inFlight.set(url.host, now - 1)
          response.writeHead(404).end()
        }, 20)
      },
      { gapMs: 1_000 },
      'a.example',
      'b.example',
    )
    await Promise.all([sweep(openapi, surroundings), sweep(wellKnown, surroundings), sweep(wellKnown, surroundings)])
    expect(server.asked).toHaveLength(10)
    expect([...most.values()]).toEqual([1, 1])
    expect(surroundings.slept).toEqual(Array.from({ length: 8 }, () => 1_000))
  })

  it('passes nobody over whose rest was cut short', async () => {
    const stop = new AbortController()
    const { server, surroundings } = await world((_url, response) => response.writeHead(404).end(), {
      gapMs: 1_000,
    })
    const sellers = sellersOf('a.example', 'b.example')
    const sleep = async () => stop.abort()
    const first = await sweep(wellKnown, { ...surroundings, sellers, sleep, signal: stop.signal })
    expect(first).toMatchObject({ error: 'interrupted' })
    expect(server.asked).toHaveLength(2)
    await sweep(wellKnown, { ...surroundings, sellers })
    expect(server.asked.slice(2).toSorted()).toEqual([
      'a.example/.well-known/x402',
      'a.example/.well-known/x402.json',
      'b.example/.well-known/x402',
      'b.example/.well-known/x402.json',
    ])
  })

  it('lets the next source ask a host that is not available and asks for no pause', async () => {
    const { server, surroundings } = await world((_url, response) => response.writeHead(503).end(), {}, 'a.example')
    await sweep(openapi, surroundings)
    await sweep(wellKnown, surroundings)
    expect(server.asked).toEqual(['a.example/openapi.json', 'a.example/.well-known/x402'])
  })
})
