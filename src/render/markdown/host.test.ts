import { describe, expect, it } from 'vitest'
import { listingLine } from '../../domain/listing.ts'
import { probeLine } from '../../domain/probe.ts'
import {
  EMPTY_HOST,
  FULL_HOST,
  HOST,
  homeView,
  hostRow,
  hostView,
  listing,
  NOON_US,
  route,
  SITE,
} from '../testing/sample-views.ts'
import { hostMarkdown } from './host.ts'
import { hostsMarkdown } from './hosts.ts'

const linesOf = (markdown: string): string[] => markdown.split('\n').map((line) => line.replace(/^(- |#+ )/, ''))
const full = linesOf(hostMarkdown(SITE, FULL_HOST, { cards: false }))

describe('the Markdown host view', () => {
  it('prints every exact line on a line of its own', () => {
    for (const shown of FULL_HOST.routes) {
      for (const row of shown.listings) expect(full).toContain(listingLine(row))
      for (const entry of shown.probes) expect(full).toContain(probeLine(entry))
    }
    expect(full).toEqual(
      expect.arrayContaining([
        'Seller service',
        HOST,
        '1 answers · 1 402-correct · 1 failed · 1 unreachable',
        'Latency: 4 samples: minimum 80 ms, median 760.5 ms, maximum 10,000 ms',
        'unreachable — date 2026-11-14T09:34:56.123456Z; HTTP no data; latency 10000 ms; error deadline',
        'no data',
        'Verified buyer: A valid signature and a matching public payment support the review.',
        'Signed: A valid wallet signature supports the review, but no matching payment does.',
        'Unsigned: No wallet signature supports the review.',
      ]),
    )
  })

  it('follows the heading of the probe history with its note, always', () => {
    const headings = full.flatMap((line, at) => (line === 'Machine-observed probe history' ? [at] : []))
    expect(headings).toHaveLength(2)
    for (const at of headings) expect(full.slice(at + 1, at + 3)).toEqual(['', 'This evidence is not a review.'])
  })

  it('has the six parts in their order', () => {
    const parts = [
      'routes: 2',
      'Probe result history',
      'Routes',
      'Review-submission example',
      'Review support levels',
      'Buyer discussion thread',
    ]
    const places = parts.map((part) => full.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  it('shows a host without anything as such', () => {
    const lines = linesOf(hostMarkdown(SITE, EMPTY_HOST, { cards: false }))
    expect(lines).toEqual(
      expect.arrayContaining([
        'newest evidence: no data',
        '0 answers · 0 402-correct · 0 failed · 0 unreachable',
        'Latency: no data',
        'No thread posts exist.',
      ]),
    )
  })

  it('says of what was never probed why, where that follows from the address', () => {
    const lines = linesOf(hostMarkdown(SITE, hostView([route('/v1/{city}')]), { cards: false }))
    expect(lines).toContain('Never probed: the path has a parameter, and nobody knows what to put there.')
    expect(lines).toContain(
      'Never probed: as it is listed it cannot be, since every path has a parameter and nobody knows what to put there.',
    )
  })

  it('prints the three texts of a card one after the other', () => {
    const cards = hostMarkdown(SITE, FULL_HOST, { cards: true })
    expect(cards).toContain('\nPrice: 0.010000Rail: x402Network: base\nD-184\nProbe status: differs\n')
    expect(linesOf(cards)).toContain('Reviews for this route')
  })

  it('says how much is cut and where it goes on', () => {
    const view = hostView([route('/a', { probesTotal: 7 })], {
      counters: { ...EMPTY_HOST.counters, routes: 5000 },
      nextRoutes: 'c',
    })
    const lines = linesOf(hostMarkdown(SITE, view, { cards: true }))
    expect(lines).toContain('Showing 1 of 5000 routes')
    expect(lines).toContain(`Next routes: <https://tollbook.example/hosts/${HOST}?format=md&view=cards&cursor=c>`)
    expect(lines).toContain(
      `showing 0 of 7: <https://tollbook.example/v1/hosts/${HOST}/probes?method=GET&path=%2Fa&rail=x402>`,
    )
  })

  it('says how many listing rows there are, where they are, and keeps the one that gives the price', () => {
    const rows = Array.from({ length: 20 }, (_, n) => listing({ source: 'hourly', price: 20_000 + n }))
    const listings = [...rows.slice(0, 19), listing({ source: 'daily', price: 10_000 })]
    const markdown = hostMarkdown(SITE, hostView([route('/a', { listings, listingsTotal: 23 })]), { cards: false })
    const address = `https://tollbook.example/hosts/${HOST}/route?method=GET&path=%2Fa&rail=x402&format=md`
    expect(linesOf(markdown)).toContain(`showing 20 of 23: <${address}>`)
    const many = Array.from({ length: 9 }, (_, n) => route(`/${n}`, { listings, listingsTotal: 23 }))
    const short = linesOf(hostMarkdown(SITE, hostView(many), { cards: false }))
    expect(short.filter((line) => line.startsWith('showing ') && line.includes(' of 23: '))).not.toEqual([])
    expect(short.filter((line) => line.startsWith('showing 20 of 23'))).toEqual([])
    const shown = (line: string): boolean => line.startsWith('daily: price 0.010000,')
    expect(short.filter(shown).length).toBe(short.filter((line) => line.includes(' of 23: ')).length)
  })

  it('shows a hidden post as a dated placeholder', () => {
    expect(full).toContain('Hidden 2026-11-14T12:34:56.123456Z: `personal data`')
  })
})

describe('the Markdown list of hosts', () => {
  it('links each host, states the sort and leads on', () => {
    const markdown = hostsMarkdown(SITE, homeView([hostRow(HOST)], { next: 'c' }))
    expect(markdown).toContain(
      `- [\`${HOST}\`](https://tollbook.example/hosts/${HOST}?format=md): 3 routes; rails x402`,
    )
    expect(markdown).toContain('Sorted by newest evidence.')
    expect(markdown).toContain('Next hosts: <https://tollbook.example/?sort=newest&format=md&cursor=c>')
  })

  it('says of an address that was pasted with a path of no route that the route shown is another one', () => {
    const key = { scheme: 'https', method: 'GET', path: '/v1/now', rail: 'x402' } as const
    const row = hostRow('a.example', { match: { ...key, price: 10_000, network: 'base', probeStatus: 'verified' } })
    const found = (q: string) => hostsMarkdown(SITE, homeView([row], { query: { ...homeView([]).query, q } }))
    expect(found('a.example/v1/nwo')).toContain('- `words like “a.example/v1/nwo” in a name')
    expect(found('a.example/v1/nwo')).toContain(
      '\n  no route with this path is on offer\n  nearest: `GET https://a.example/v1/now`, price 0.010000',
    )
    expect(found('a.example/v1/now')).toContain('\n  fits: `GET https://a.example/v1/now`, price 0.010000')
  })

  it('says how many retired hosts it leaves out, and how to have them', () => {
    const markdown = hostsMarkdown(SITE, homeView([hostRow(HOST)], { retiredHosts: 1 }))
    expect(markdown).toContain(
      '1 retired host left out: <https://tollbook.example/?retired=with&sort=newest&format=md>',
    )
    expect(markdown).toContain('- `retired`: `with` (1,204), `only` (1)')
  })

  it('marks retired hosts, and says how many a search leaves out that finds nothing', () => {
    const { query } = homeView([])
    const retired = { sinceUs: NOON_US, statementId: 's-1', movedTo: 'new.example' }
    const marked = hostsMarkdown(SITE, homeView([hostRow(HOST, { retired })], { query: { ...query, retired: 'only' } }))
    expect(marked).toContain('All retired hosts.\n\nSorted by')
    expect(marked).toContain('\n  Moved to new.example, the seller says since 2026-11-14 12:34\n')
    const found = { hosts: 1, isMore: false }
    const nothing = hostsMarkdown(SITE, homeView([], { query: { ...query, q: 'old' }, retiredFound: found }))
    expect(nothing).toContain(
      'No host matches, apart from 1 retired host. Search also among retired hosts: <https://tollbook.example/?q=old&retired=with&sort=newest&format=md>',
    )
  })
})
