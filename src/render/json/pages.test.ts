import { describe, expect, it } from 'vitest'
import { HOST, homeView, hostRow, NOON_US, post, probe, review, route, SITE } from '../testing/sample-views.ts'
import { hostsJson, probesJson, reviewsJson, routesJson, threadJson } from './pages.ts'

describe('pages of one host', () => {
  it('carry the host, the total, the items and the way on', () => {
    const page = { items: [route('/a')], total: 12, next: 'c' }
    const json = routesJson(SITE, HOST, page, new URLSearchParams('limit=1'))
    expect(Object.keys(json)).toEqual(['host', 'total', 'routes', 'next'])
    expect(json).toMatchObject({
      host: HOST,
      total: 12,
      next: `https://tollbook.example/v1/hosts/${HOST}/routes?limit=1&cursor=c`,
    })
    expect(json.routes[0]?.path).toBe('/a')
  })

  it('name the route of every probe entry and keep the filters', () => {
    const item = { ...probe(402), method: 'GET', rail: 'x402', address: `https://${HOST}/a` } as const
    const query = new URLSearchParams({ method: 'GET', path: '/a', rail: 'x402' })
    const json = probesJson(SITE, HOST, { items: [item], total: 3, next: 'c' }, query)
    expect(json.next).toBe(`https://tollbook.example/v1/hosts/${HOST}/probes?method=GET&path=%2Fa&rail=x402&cursor=c`)
    expect(json.probes[0]).toMatchObject({
      method: 'GET',
      address: `https://${HOST}/a`,
      rail: 'x402',
      result: '402-correct',
    })
  })

  it('end with null on the last page of reviews and posts', () => {
    expect(reviewsJson(SITE, HOST, { items: [review()], total: 1, next: null })).toMatchObject({ total: 1, next: null })
    expect(threadJson(SITE, HOST, { items: [post()], total: 1, next: null })).toMatchObject({
      posts: [{ id: 'p-1' }],
      next: null,
    })
  })
})

describe('the list of hosts', () => {
  it('says which host its seller retired, since when and where to', () => {
    const retired = { sinceUs: NOON_US, statementId: 's-1', movedTo: 'new.example' }
    const items = [hostRow(HOST, { retired }), hostRow('sold.example', { retired: null })]
    const [moved, sold] = hostsJson(SITE, homeView([]).query, { items, next: null }).hosts
    expect(moved?.retired).toEqual({
      since: '2026-11-14T12:34:56.123456Z',
      moved_to: 'new.example',
      statement: 'https://tollbook.example/v1/statements/s-1',
      line: 'Moved to new.example, the seller says since 2026-11-14 12:34',
    })
    expect(sold).not.toHaveProperty('retired')
  })

  it('says of a list of nothing how many retired hosts fit, and where they are', () => {
    const query = { ...homeView([]).query, q: 'old' }
    const json = (hosts: number) =>
      hostsJson(SITE, query, { items: [], next: null, retiredFound: { hosts, isMore: false } })
    expect(json(1).retired_left_out).toEqual({
      at_least: 1,
      href: 'https://tollbook.example/v1/hosts?q=old&retired=with&sort=newest',
    })
    expect(json(0)).not.toHaveProperty('retired_left_out')
  })

  it('shows each host with its counts, and never adds the excluded reviews', () => {
    const { query } = homeView([])
    const json = hostsJson(SITE, { ...query, rail: 'x402', limit: 10 }, { items: [hostRow(HOST)], next: 'c' })
    expect(json).toEqual({
      sort: 'newest',
      hosts: [
        {
          host: HOST,
          href: `https://tollbook.example/v1/hosts/${HOST}`,
          routes: 3,
          rails: ['x402'],
          price_min: '0.001000',
          price_max: '0.050000',
          now: {
            result: '402-correct',
            since: '2026-11-13T12:34:56.123456Z',
            http_status: 402,
            checked: '2026-11-14T12:34:56.123456Z',
            last_402: '2026-11-14T12:34:56.123456Z',
            line: 'Requested payment 2026-11-14 12:34, 0.001000 on base',
            method: 'GET',
            address: `https://${HOST}/v1/x`,
            routes: 3,
            of: 3,
          },
          price_check: { verified: 2, differs: 0, line: 'verified on 2 of 3 routes' },
          median_ms: 120.5,
          probe_history: {
            answers: 12,
            '402_correct': 240,
            failed: 3,
            unreachable: 1,
            summary: '12 answers · 240 402-correct · 3 failed · 1 unreachable',
          },
          newest_evidence: '2026-11-14T12:34:56.123456Z',
          agent_reviews: 3,
          reviews_by_level: { verified_buyer: 2, signed: 1, unsigned: 0 },
          reviews_excluded: 1,
          match: null,
          description: null,
        },
      ],
      next: 'https://tollbook.example/v1/hosts?rail=x402&sort=newest&limit=10&cursor=c',
    })
  })
})
