import { describe, expect, it } from 'vitest'
import { listingLine } from '../../domain/listing.ts'
import { probeLine } from '../../domain/probe.ts'
import { RAILS } from '../../domain/route.ts'
import {
  challenge,
  HOST,
  hostView,
  listing,
  post,
  probe,
  RECEIPT,
  review,
  route,
  SITE,
} from '../testing/sample-views.ts'
import { MOST_TOKENS } from './detail.ts'
import { hostMarkdown } from './host.ts'
import { llmsText } from './llms.ts'

const tokens = (text: string): number => text.length / 3.5
const HEX = '0123456789abcdef'.repeat(4)

const busyRoute = (at: number) =>
  route(`/v1/stations/${at}/forecast`, {
    listings: [listing(), listing({ source: 'x402 index', price: 12_000 }), listing({ source: 'mirror' })],
    probes: Array.from({ length: 5 }, () => probe(402, { challenge: challenge(10_000) })),
    probesTotal: 400,
    reviews: at % 5 === 0 ? [review(), review()] : [],
    reviewsTotal: at % 5 === 0 ? 2 : 0,
  })

const busyHost = (routes: number, posts: number, text = 'Does the hourly route count calls per key?') =>
  hostView(
    Array.from({ length: routes }, (_, at) => busyRoute(at)),
    {
      thread: {
        total: posts,
        posts: Array.from({ length: posts }, (_, at) =>
          post({
            id: `p${at}${'abcdefghijklmnopqrstuvwxyz'.slice(0, 24)}`,
            text,
            payment: {
              network: 'tempo:4217',
              transaction: `0x${HEX}`,
              payer: `0x${HEX.slice(0, 40)}`,
              settlement: 'as the facilitator says',
              ...RECEIPT,
            },
          }),
        ),
        next: null,
      },
    },
  )

describe('what models read', () => {
  it.each([
    [25, 20],
    [50, 20],
    [12, 3],
  ])('is under 3,000 tokens for a host with %i routes and %i posts, in either style', (routes, posts) => {
    for (const cards of [false, true]) {
      expect(tokens(hostMarkdown(SITE, busyHost(routes, posts), { cards }))).toBeLessThan(MOST_TOKENS)
    }
  })

  it('is under 3,000 tokens whatever posters write', () => {
    const text = hostMarkdown(SITE, busyHost(25, 20, 'long '.repeat(800)), { cards: false })
    expect(tokens(text)).toBeLessThan(MOST_TOKENS)
    expect(text).toContain(`showing 0 of 20: <https://tollbook.example/v1/thread/${HOST}>`)
  })

  it('names every one of 25 routes with price, rail, network and newest result', () => {
    const view = busyHost(25, 20)
    const text = hostMarkdown(SITE, view, { cards: false })
    for (const { address } of view.routes) expect(text).toContain(`\`GET ${address}\``)
    expect(text).toMatch(
      /^- `GET \S+`: price 0\.010000, rail x402, network `base`, probe status unverified, newest probe 402-correct 2026/m,
    )
  })

  it('shows a host with few routes in full, to the last line', () => {
    const view = busyHost(3, 2)
    const lines = hostMarkdown(SITE, view, { cards: false }).split('\n')
    for (const one of view.routes) {
      expect(lines).toEqual(expect.arrayContaining([...one.listings.map(listingLine), ...one.probes.map(probeLine)]))
    }
  })

  it('says what it leaves out of a host that almost fits, and where that is', () => {
    const text = hostMarkdown(SITE, busyHost(7, 4), { cards: false })
    expect(text).toMatch(/showing [12] of 3: <https:\/\/tollbook\.example\/hosts\/[^>]+format=md>/)
    expect(text).toMatch(/showing [123] of 400: <https:\/\/tollbook\.example\/v1\/hosts\/[^>]+>/)
  })

  it('begins with llms.txt of under 2,000 tokens, which follows its convention', () => {
    const text = llmsText(SITE, RAILS)
    expect(tokens(text)).toBeLessThan(2000)
    expect(text).toMatch(/^# Tollbook\n\n> [^\n]+\n\n/)
    for (const part of [
      '/v1/decide?',
      '?format=md',
      '/v1/hosts?q=',
      'Verify',
      'Review',
      'outcome',
      'Post',
      '/v1/claims/message?',
      '/mcp',
    ]) {
      expect(text).toContain(part)
    }
    expect([...text.matchAll(/^## /gm)].length).toBeGreaterThan(4)
  })

  it('names the rails in llms.txt that a post is paid through here, and no other', () => {
    const both = llmsText(SITE, RAILS)
    expect(both).toContain('`POST /v1/thread/<host>` (x402) or `POST /mpp/v1/thread/<host>` (mpp) with JSON')
    expect(both).toContain('Pay with any x402 or mpp client')
    const one = llmsText(SITE, ['mpp'])
    expect(one).toContain('\n2. `POST /mpp/v1/thread/<host>` (mpp) with JSON')
    expect(one).toContain('Pay with any mpp client')
    expect(one).not.toContain('(x402)')
  })
})
