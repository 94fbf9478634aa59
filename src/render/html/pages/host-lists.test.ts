import { describe, expect, it } from 'vitest'
import { probeLine } from '../../../domain/probe.ts'
import {
  probeListMarkdown,
  reviewListMarkdown,
  routeListMarkdown,
  threadListMarkdown,
} from '../../markdown/host-lists.ts'
import { HOST, NOON_US, post, probe, review, route, SITE, statement } from '../../testing/sample-views.ts'
import { type ListShown, probeListPage, reviewListPage, routeListPage, threadListPage } from './host-lists.tsx'

const entry = (httpStatus: number, ago: number) => ({
  ...probe(httpStatus, { atUs: NOON_US - ago * 60_000_000 }),
  method: 'GET' as const,
  rail: 'x402' as const,
  address: `https://${HOST}/v1/x`,
})
const ENTRIES = [entry(402, 0), entry(402, 1), entry(500, 2), entry(402, 3)]

const shown = <T>(items: readonly T[], more: Partial<ListShown<T>> = {}): ListShown<T> => ({
  host: HOST,
  page: { items, total: 1204, next: 'c=1' },
  nowUs: NOON_US,
  query: {},
  cursor: null,
  ...more,
})

const textOf = (html: string): string => html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, '')

describe('the lists of a host as pages', () => {
  it('fold entries in a row of one class, and keep every exact line', () => {
    const html = probeListPage(SITE, shown(ENTRIES, { query: { method: 'GET' } }))
    expect(textOf(html)).toContain('402-correct × 2, 2026-11-14 12:33 to 2026-11-14 12:34 UTC')
    expect(textOf(html)).toContain('failed × 1, 2026-11-14 12:32 UTC')
    for (const one of ENTRIES) expect(html).toContain(`${probeLine(one)}\n  GET https://${HOST}/v1/x, x402`)
    expect(html).toContain(`<a rel="next" href="/hosts/${HOST}/probes?method=GET&amp;cursor=c%3D1">Older entries</a>`)
    expect(html).toContain('showing 4 of 1,204')
  })

  it('say one minute once, of entries that are all of it', () => {
    const html = probeListPage(SITE, shown([entry(402, 1), entry(402, 1)]))
    expect(textOf(html)).toContain('402-correct × 2, 2026-11-14 12:33 UTC')
  })

  it('lead to the probe entries of each vantage by itself, where there are several', () => {
    const from = (vantage: string) => ({ ...entry(402, 0), vantage })
    const query = { method: 'GET' }
    const html = probeListPage(SITE, shown([from('eu-1'), from('ap-1'), from('eu-1')], { query }))
    const href = `/hosts/${HOST}/probes?method=GET`
    expect(html).toContain(`<a href="${href}" aria-current="true">All vantages</a>`)
    expect(html).toContain(
      `<a href="${href}&amp;vantage=ap-1">From ap-1</a><a href="${href}&amp;vantage=eu-1">From eu-1</a>`,
    )
    const one = probeListPage(SITE, shown([from('eu-1')], { query: { ...query, vantage: 'eu-1' } }))
    expect(one).toContain(`<a href="${href}">All vantages</a>`)
    expect(one).toContain(`vantage=eu-1" aria-current="true">From eu-1</a>`)
    for (const items of [ENTRIES, [from('eu-1')]]) expect(probeListPage(SITE, shown(items))).not.toContain('vantages<')
  })

  it('put the words of verified buyers first, then who wrote them and when', () => {
    const reviews = [
      review({ id: 'r-1', level: 'Unsigned', wallet: null, text: 'Slow.' }),
      review({ id: 'r-2', text: 'Paid once.' }),
    ]
    const html = reviewListPage(SITE, shown(reviews))
    const text = textOf(html)
    expect(text.indexOf('Paid once.')).toBeLessThan(text.indexOf('Slow.'))
    expect(text).toContain(
      'Paid once.Verified buyer rating 4 of 5 · wallet 0x5aae…eaed · just now, 2026-11-14T12:34:56.123456Z',
    )
    expect(html).toContain(`<a href="/hosts/${HOST}/reviews?level=Verified+buyer">Verified buyer</a>`)
  })

  it('say that there is nothing only of a page without any review', () => {
    const founders = shown([review({ excluded: 'founder', text: 'Mine.' })])
    expect(textOf(reviewListPage(SITE, founders))).not.toContain('no data')
    expect(reviewListMarkdown(SITE, founders)).not.toContain('no data')
    expect(textOf(reviewListPage(SITE, shown([])))).toContain('no data')
    expect(reviewListMarkdown(SITE, shown([]))).toContain('no data')
  })

  it('have headings one below the other, and keep the links of a review apart', () => {
    const reviews = [review({ logIndex: 126 }), review({ id: 'r-2', excluded: 'founder' })]
    const html = reviewListPage(SITE, shown(reviews))
    const headings = Array.from(html.matchAll(/<h(\d)>/g), ([, level]) => Number(level))
    expect(headings).toEqual([1, 2])
    expect(textOf(html)).toContain('/v1/forecast · in the log at 126')
  })

  it('have links to reviews and statements that each say which one they lead to, in what is read of them alone', () => {
    const reviews = [1, 2].map((n) =>
      review({ id: `r-${n}`, submittedUs: NOON_US + n, reply: statement({ id: `s-${n}`, submittedUs: NOON_US + n }) }),
    )
    const html = reviewListPage(SITE, shown(reviews))
    const links = Array.from(html.matchAll(/<a class="by" href="[^"]+" aria-label="([^"]+)">([^<]+)</g))
    expect(links).toHaveLength(4)
    expect(new Set(links.map(([, name]) => name)).size).toBe(4)
    // What is spoken to press one is what is seen (WCAG 2.5.3).
    for (const [, name = '', words = ''] of links) expect(name.startsWith(words)).toBe(true)
  })

  it('show routes as a table and posts with their proofs folded', () => {
    expect(textOf(routeListPage(SITE, shown([route('/v1/x')])))).toContain('GET /v1/x · x4020.010000')
    const html = threadListPage(SITE, shown([post()], { cursor: 'c=0' }))
    expect(html).toContain(`<a href="/hosts/${HOST}/thread">First posts</a>`)
    expect(html).toContain('  payment 0xtransaction on tempo:4217 by 0xpayer')
    expect(textOf(threadListPage(SITE, shown([])))).toContain('No thread posts exist.')
  })

  it('say the same in Markdown', () => {
    expect(probeListMarkdown(SITE, shown(ENTRIES))).toContain(
      '402-correct × 2\n\n```text\n402-correct — date 2026-11-14T12:34:56.123456Z',
    )
    expect(reviewListMarkdown(SITE, shown([review()]))).toContain('Paid once, got the forecast in 80 ms.')
    expect(routeListMarkdown(SITE, shown([route('/v1/x')]))).toContain(`- \`GET https://${HOST}/v1/x\`: price 0.010000`)
    expect(threadListMarkdown(SITE, shown([post()]))).toContain('Does the hourly route count calls per key?')
    expect(threadListMarkdown(SITE, shown([post()]))).toContain(
      `Later posts: <https://tollbook.example/hosts/${HOST}/thread?format=md&cursor=c%3D1>`,
    )
  })
})
