import { describe, expect, it } from 'vitest'
import {
  challenge,
  EMPTY_HOST,
  FULL_HOST,
  HOST,
  hostView,
  listing,
  NOON_US,
  post,
  probe,
  review,
  route,
  SITE,
} from '../testing/sample-views.ts'
import { hostJson } from './host.ts'

const LIST = { cards: false }
const TIME = '2026-11-14T12:34:56.123456Z'

describe('the JSON host view', () => {
  it('has the published field names in the published order', () => {
    const json = JSON.parse(JSON.stringify(hostJson(SITE, FULL_HOST, LIST)))
    expect(Object.keys(json)).toEqual([
      'host',
      'label',
      'description',
      'evidence_label',
      'counters',
      'now',
      'price_check',
      'probe_history',
      'reviews_heading',
      'reviews_by_level',
      'reviews_excluded',
      'routes',
      'next',
      'review_example',
      'support_levels',
      'thread',
    ])
    expect(Object.keys(json.counters)).toEqual(['routes', 'machine_evidence_rows', 'newest_evidence', 'agent_reviews'])
    expect(Object.keys(json.routes[0])).toEqual([
      'method',
      'address',
      'path',
      'price',
      'rail',
      'network',
      'probe_status',
      'listings',
      'probes',
      'probes_total',
      'reviews',
      'reviews_total',
      'listings_total',
      'now',
      'median_ms',
      'network_id',
      'network_name',
      'challenge_asks',
    ])
  })

  it('shows a host with three entries as the format says', () => {
    const view = hostView([
      route('/v1/x', {
        listings: [listing({ firstUs: NOON_US })],
        probes: [probe(402), probe(200, { latencyMs: 121 }), probe(404, { latencyMs: 1400 })],
      }),
    ])
    const json = JSON.parse(JSON.stringify(hostJson(SITE, view, LIST)))
    expect(json).toMatchObject({
      host: HOST,
      label: 'Seller service',
      counters: { routes: 1, machine_evidence_rows: 3, newest_evidence: TIME, agent_reviews: 0 },
      probe_history: {
        heading: 'Machine-observed probe history',
        note: 'This evidence is not a review.',
        answers: 1,
        '402_correct': 1,
        failed: 1,
        unreachable: 0,
        summary: '1 answers · 1 402-correct · 1 failed · 0 unreachable',
        latency: { samples: 3, min_ms: 80, median_ms: 121, max_ms: 1400 },
        latency_line: 'Latency: 3 samples: minimum 80 ms, median 121 ms, maximum 1,400 ms',
      },
      reviews_heading: 'Reviews for this route',
      next: null,
      thread: { total: 0, posts: [], line: 'No thread posts exist.', next: null },
    })
    expect(json.routes[0]).toMatchObject({
      method: 'GET',
      address: `https://${HOST}/v1/x`,
      path: '/v1/x',
      price: '0.010000',
      rail: 'x402',
      network: 'base',
      probe_status: 'unverified',
      probes_total: 3,
      reviews: [],
      reviews_total: 0,
    })
    expect(json.routes[0].listings).toEqual([
      {
        source: 'bazaar',
        price: '0.010000',
        network: 'base',
        label: 'directory-observed',
        first_observed: TIME,
        last_observed: TIME,
        line: `bazaar: price 0.010000, network base, label directory-observed, observed ${TIME} to ${TIME}`,
      },
    ])
    expect(json.routes[0].probes[0]).toEqual({
      result: '402-correct',
      date: TIME,
      http_status: 402,
      latency_ms: 80,
      error: null,
      line: `402-correct — date ${TIME}; HTTP 402; latency 80 ms; error no data`,
      challenge: null,
    })
  })

  it('states the three support levels in their order', () => {
    expect(hostJson(SITE, EMPTY_HOST, LIST).support_levels).toEqual([
      'Verified buyer: A valid signature and a matching public payment support the review.',
      'Signed: A valid wallet signature supports the review, but no matching payment does.',
      'Unsigned: No wallet signature supports the review.',
    ])
  })

  it('says null for everything that is not known', () => {
    const json = hostJson(SITE, EMPTY_HOST, LIST)
    expect(json.counters.newest_evidence).toBeNull()
    expect(json.probe_history.latency).toBeNull()
    expect(json.probe_history.latency_line).toBe('Latency: no data')
    const unknown = hostView([
      route('/a', { price: null, network: null, probes: [probe(null, { error: 'deadline' })] }),
    ])
    const first = hostJson(SITE, unknown, LIST).routes[0]
    expect(first).toMatchObject({ price: null, network: null })
    expect(first?.probes[0]).toMatchObject({ result: 'unreachable', http_status: null, error: 'deadline' })
  })

  it('adds the three exact texts to each route of the card style only', () => {
    expect(hostJson(SITE, FULL_HOST, { cards: true }).routes[0]).toMatchObject({
      card: { line: 'Price: 0.010000Rail: x402Network: base', code: 'D-184', status_line: 'Probe status: differs' },
    })
    expect(hostJson(SITE, FULL_HOST, { cards: true }).routes[1]).toMatchObject({
      card: { line: 'Price: no dataRail: mppNetwork: no data', status_line: 'Probe status: unverified' },
    })
    expect(hostJson(SITE, FULL_HOST, LIST).routes[0]?.card).toBeUndefined()
  })

  it('shows what a challenge offered, marked as a stranger said it', () => {
    const view = hostView([route('/a', { probes: [probe(402, { challenge: challenge(20_000) })] })])
    expect(hostJson(SITE, view, LIST).routes[0]?.probes[0]?.challenge).toEqual({
      untrusted: true,
      offers: [
        {
          rail: 'x402',
          network: 'eip155:8453',
          price: '0.020000',
          asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          payee: '0xpayee',
        },
      ],
      warnings: [],
    })
  })

  it('leads on with full addresses when the routes or the thread are cut', () => {
    const view = hostView([route('/a')], { nextRoutes: 'r=1', thread: { total: 9, posts: [post()], next: 't' } })
    const json = hostJson(SITE, view, LIST)
    expect(json.next).toBe(`https://tollbook.example/v1/hosts/${HOST}/routes?cursor=r%3D1`)
    expect(json.thread).toMatchObject({
      total: 9,
      line: null,
      next: `https://tollbook.example/v1/thread/${HOST}?cursor=t`,
    })
  })

  it('marks the text of reviews and posts as untrusted and counts no excluded or superseded review', () => {
    const reviews = [review(), review({ excluded: 'founder' }), review({ superseded: true })]
    const view = hostView([route('/a', { reviews })], { thread: { total: 1, posts: [post()], next: null } })
    const json = hostJson(SITE, view, LIST)
    const listed = json.routes[0]?.reviews ?? []
    expect(listed.map((one) => one.counts_as_agent_review)).toEqual([true, false, false])
    expect(listed[0]).toMatchObject({
      untrusted: true,
      text: review().text,
      level: 'Verified buyer',
      submitted_at: TIME,
      href: 'https://tollbook.example/v1/reviews/r-1',
    })
    expect(json.thread.posts[0]).toMatchObject({
      host: HOST,
      untrusted: true,
      text: post().text,
      posted_at: TIME,
      payment: { network: 'tempo:4217', transaction: '0xtransaction', payer: '0xpayer' },
      hidden: null,
      href: 'https://tollbook.example/v1/posts/p-1',
    })
  })
})
