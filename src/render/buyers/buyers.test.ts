import { describe, expect, it } from 'vitest'
import { contradictionsOf } from '../../domain/offers/contradictions.ts'
import type { SeenOffer } from '../../domain/offers/seen-offer.ts'
import { hostView as hostSchema } from '../../wire/api/host.ts'
import { hostPage } from '../html/pages/host.tsx'
import { hostJson } from '../json/host.ts'
import { hostMarkdown } from '../markdown/host.ts'
import { hostView, NO_PAID_CALLS, NOON_US, review, route } from '../testing/sample-views.ts'

const SITE = { baseUrl: 'https://tollbook.example' }
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const SELLER = `0x${'a'.repeat(40)}`
const HOSTILE = 'https://a.example/x?<script>alert(1)</script>'

const offer: SeenOffer = {
  offer: {
    format: 'eip712',
    terms: {
      ...{ resourceUrl: HOSTILE, scheme: 'exact', network: 'eip155:8453', asset: USDC, payTo: SELLER, amount: '10000' },
      validUntil: Math.floor(NOON_US / 1e6) + 300,
    },
    ...{ signature: '0x12', kid: null },
  },
  ...{ check: { by: 'payee', wallet: SELLER }, firstUs: NOON_US, lastUs: NOON_US },
}
const strange: SeenOffer = {
  ...offer,
  offer: { ...offer.offer, terms: { ...offer.offer.terms, payTo: '<b>me</b>' } },
  check: { by: null, reason: 'its signature is not valid' },
}
const dear = { rail: 'x402', network: 'eip155:8453', price: 20_000, asset: USDC, payee: SELLER } as const
const calls = {
  ...NO_PAID_CALLS,
  'Verified buyer': { served: 11, notServed: 1 },
  Unsigned: { served: 0, notServed: 3 },
}
const call = { review: 'r-1', httpStatus: 500, latencyMs: 812, network: 'eip155:8453', transaction: '0xab' }

const view = hostView(
  [
    route('/v1/forecast', {
      reviews: [review({ outcome: { httpStatus: 500, latencyMs: 812, bytes: 0, contentSha256: null } })],
      paidCalls: calls,
      notServed: [{ ...call, reportedUs: NOON_US }],
      signedOffers: [offer, strange],
      contradictions: contradictionsOf([offer], {
        ...{ listings: [], payments: [] },
        live: { offers: [dear], atUs: NOON_US },
      }),
    }),
  ],
  { paidCalls: calls },
)

describe('what buyers report and sellers sign', () => {
  const html = hostPage(SITE, view, { cards: false, cursor: null })
  const markdown = hostMarkdown(SITE, view, { cards: false })
  const json = hostJson(SITE, view, { cards: false })

  it.each([
    ['paid calls, one line a level', 'Paid calls reported by verified buyers: 12 · 11 served · 1 not served'],
    ['another level apart', 'Paid calls reported without a signature: 3 · 0 served · 3 not served'],
    ['the transaction of what was not served', 'Not served: HTTP 500 after 812 ms, paid by 0xab on eip155:8453'],
    ['an outcome beside its review', 'not served: HTTP 500 after 812 ms, 0 bytes'],
    ['whose signature an offer has', `key authorised by its payee ${SELLER}`],
    ['why another is nobody’s', 'not shown to be signed by the seller, its signature is not valid'],
    [
      'where the seller asked for more',
      'The seller signed 0.010000 until 2026-11-14 12:39, and 0.020000 was asked for',
    ],
  ])('is in HTML, Markdown and JSON: %s', (_, words) => {
    expect(html).toContain(words)
    expect(markdown).toContain(words)
    if (!words.startsWith('not served')) expect(JSON.stringify(json)).toContain(words)
  })

  it('is JSON as the schema says, with the signed offer itself', () => {
    const read = hostSchema.parse(JSON.parse(JSON.stringify(json)))
    const [first] = read.routes
    expect(first?.reviews[0]?.outcome).toMatchObject({ http_status: 500, latency_ms: 812, served: false })
    expect(first?.signed_offers?.[0]).toMatchObject({ authorised_by: SELLER, offer: { payload: { amount: '10000' } } })
    expect(first?.contradictions?.[0]).toMatchObject({ kind: 'asked', signed: '0.010000', price: '0.020000' })
    expect(read.contradictions).toHaveLength(1)
  })

  it('says nothing where nobody reported or signed anything', () => {
    const silent = hostView([route('/v1/forecast')])
    expect(hostPage(SITE, silent, { cards: false, cursor: null })).not.toMatch(/Paid calls|Offers signed/)
    expect(hostMarkdown(SITE, silent, { cards: false })).not.toMatch(/Paid calls|Offers signed|Contradicted/)
    expect(JSON.stringify(hostJson(SITE, silent, { cards: false }))).not.toMatch(
      /paid_calls|signed_offers|contradictions/,
    )
  })

  it('keeps strangers’ words out of markup', () => {
    expect(html).not.toContain('<b>me</b>')
    expect(html).not.toContain('<script>alert')
    const [before = ''] = markdown.split('<b>me</b>')
    expect(before.split('```').length % 2).toBe(0)
  })
})
