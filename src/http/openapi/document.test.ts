import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseOpenapi } from '../../ingest/sources/openapi.ts'
import type { PolicyTerms } from '../../views/policy-view.ts'
import { createApp } from '../app.ts'
import { PageCache } from '../cache/cache.ts'
import { Front } from '../cache/front.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { EventStreams } from '../events/event-streams.ts'
import { WriteLimits } from '../limits/write-limits.ts'
import { MemoryDirectory, NO_REVIEWS, NO_SELLERS, UNSET_THREADS } from '../testing/samples.ts'
import { openapiDocument } from './document.ts'

const SITE = { baseUrl: 'https://tollbook.example' }
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const PATH_USD = '0x20c0000000000000000000000000000000000000'
const PAYEE = '0x1111111111111111111111111111111111111111'
const PAID = { payee: PAYEE, amount: '50000', settlement: 'verified on chain' } as const
const TERMS: PolicyTerms = {
  postPrice: 50_000,
  rails: [
    { rail: 'x402', missing: [], terms: [{ network: 'eip155:8453', asset: USDC, ...PAID }] },
    { rail: 'mpp', missing: [], terms: [{ network: 'tempo:4217', asset: PATH_USD, ...PAID }] },
  ],
  founderWallets: [],
  limits: null,
}
const SNAPSHOT = join(import.meta.dirname, 'openapi.snapshot.json')

/** What the router answers, apart from the refusal of every other method. */
function routed(): string[] {
  const directory = new MemoryDirectory()
  const epoch = (): number => 1
  const nowMs = (): number => 0
  const app = createApp({
    site: SITE,
    directory,
    cache: new PageCache(directory, epoch),
    front: new Front(epoch, () => 'id'),
    allow: [],
    probing: { userAgent: 'Tollbook', everyHours: 6, gapSeconds: 1, methods: ['GET'] },
    condition: () => ({}),
    reviews: NO_REVIEWS,
    sellers: NO_SELLERS,
    writeLimits: new WriteLimits(null, nowMs, null),
    threads: UNSET_THREADS,
    onTrouble: () => undefined,
    policy: () => TERMS,
    nowUs: () => 0,
    streams: new EventStreams(SITE, directory, nowMs, () => undefined),
    clientOf: () => '192.0.2.1',
    securityContact: undefined,
    evidenceLog: async () => null,
    mcp: undefined,
  })
  return app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(?:\{\.\+\})?/g, '{$1}')}`)
}

describe('the OpenAPI document', () => {
  const document = openapiDocument(ENDPOINTS, SITE, TERMS)

  it('has exactly the operations that the router answers', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.toSorted()).toEqual(routed().toSorted())
  })

  it('changes only on purpose: UPDATE_OPENAPI=1 npx vitest run src/http/openapi renews the snapshot', () => {
    const text = `${JSON.stringify(document, null, 2)}\n`
    if (process.env.UPDATE_OPENAPI === '1') writeFileSync(SNAPSHOT, text)
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(SNAPSHOT, 'utf8')))
  })

  it('names every operation once, and every reference leads somewhere', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    expect(references.filter(([, name = '']) => !(name in document.components.schemas))).toEqual([])
  })

  it('states its paid operations so that our own reader of sellers finds both with price, network and payee', () => {
    const found = parseOpenapi(document, { base: 'https://tollbook.example/openapi.json', allow: [] })
    expect(
      found.listings.map(({ method, address, rail, price, network }) => [method, address.path, rail, price, network]),
    ).toEqual([
      ['POST', '/v1/thread/{host}', 'x402', 50_000, 'eip155:8453'],
      ['POST', '/mpp/v1/thread/{host}', 'mpp', 50_000, 'tempo:4217'],
    ])
    const paid = document.paths['/v1/thread/{host}']?.post
    expect(paid?.responses['402']?.headers).toHaveProperty('PAYMENT-REQUIRED')
    // The other dialect, read alone.
    const offers = (['/v1/thread/{host}', '/mpp/v1/thread/{host}'] as const).map((path) => ({
      offers: document.paths[path]?.post?.['x-payment-info']?.offers,
    }))
    const paths = { '/a': { post: { 'x-payment-info': offers[0] } }, '/b': { post: { 'x-payment-info': offers[1] } } }
    expect(
      parseOpenapi(
        { openapi: '3.1.1', paths },
        { base: 'https://tollbook.example/openapi.json', allow: [] },
      ).listings.map(({ rail, price }) => [rail, price]),
    ).toEqual([
      ['x402', 50_000],
      ['mpp', 50_000],
    ])
  })

  it('says of every operation that the limit on reads refuses it, but not of those that it does not count', () => {
    const free = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) => ('429' in responses ? [] : [path])),
    )
    expect(free).toEqual(['/healthz', '/readyz'])
  })

  it('has examples that are of the type of what they are examples of', () => {
    const wrong = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters }) =>
        parameters
          .filter(
            ({ schema, example }) => example !== undefined && schema.type === 'integer' && !Number.isInteger(example),
          )
          .map(({ name }) => `${path} ${name}`),
      ),
    )
    expect(wrong).toEqual([])
  })

  it('says that nobody needs a key', () => {
    expect(document.security).toEqual([])
  })

  it('says of whatever passes how long to wait', () => {
    const untold = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) =>
        ['429', '503']
          .filter((status) => responses[status] !== undefined && !responses[status].headers?.['Retry-After'])
          .map((status) => `${path} ${status}`),
      ),
    )
    expect(untold).toEqual([])
  })

  it('says of every member what it is', () => {
    const untold: string[] = []
    const look = (name: string, part: unknown): void => {
      if (typeof part !== 'object' || part === null) return
      if ('properties' in part && typeof part.properties === 'object' && part.properties !== null) {
        for (const [member, schema] of Object.entries(part.properties)) {
          const named = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? '')?.[1]
          const description = schema.description ?? document.components.schemas[named ?? '']?.description
          if (typeof description !== 'string') untold.push(`${name}.${member}`)
        }
      }
      for (const [key, inner] of Object.entries(part)) look(key === 'properties' ? name : `${name}.${key}`, inner)
    }
    look('', document.components.schemas)
    expect(untold).toEqual([])
  })

  it('describes errors of every operation as problems, and as pages for browsers', () => {
    const answers = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
    )
    for (const [status, { content }] of answers.filter(([status]) => Number(status) >= 400)) {
      const types = Object.keys(content ?? {}).filter((type) => type !== 'application/json')
      expect([status, types]).toEqual([status, ['application/problem+json', 'text/html']])
    }
    // Refusals of one revision of the Model Context Protocol are answers to their messages.
    const inJson = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) =>
        Object.entries(responses)
          .filter(([status, { content }]) => Number(status) >= 400 && content?.['application/json'] !== undefined)
          .map(([status]) => `${path} ${status}`),
      ),
    )
    expect(inJson).toEqual(['/mcp 400', '/mcp 404'])
  })
})
