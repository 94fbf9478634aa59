import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { listingLine } from '../../../domain/listing.ts'
import { probeLine } from '../../../domain/probe.ts'
import { hostJson } from '../../json/host.ts'
import { hostMarkdown } from '../../markdown/host.ts'
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
} from '../../testing/sample-views.ts'
import { DESCRIPTION, EVIDENCE_LABEL, LEVEL_LINES } from '../../words.ts'
import { hostPage } from './host.tsx'

const list = { cards: false, cursor: null }
const cards = { cards: true, cursor: null }
const textOf = (html: string): string => html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, '')
/** Whether some element holds the line as its only text, or as a line of it. */
const holds = (html: string, line: string): boolean =>
  /[>\n]$/.test(before(html, line)) && /^(<\/|\n)/.test(after(html, line))
const before = (html: string, line: string): string => html.slice(0, placeOf(html, line)).slice(-1)
const after = (html: string, line: string): string => html.slice(placeOf(html, line) + line.length).slice(0, 2)
/** Where it stands as a whole, of the places where it stands at all. */
function placeOf(html: string, line: string): number {
  for (let at = html.indexOf(line); at !== -1; at = html.indexOf(line, at + 1)) {
    if (/[>\n]/.test(html[at - 1] ?? '') && /^(<\/|\n)/.test(html.slice(at + line.length, at + line.length + 2)))
      return at
  }
  return 0
}

describe('the HTML host page', () => {
  const full = hostPage(SITE, FULL_HOST, list)

  it('holds every exact line as a line of its own', () => {
    const lines = [
      'Seller service',
      HOST,
      DESCRIPTION,
      EVIDENCE_LABEL,
      '1 answers · 1 402-correct · 1 failed · 1 unreachable',
      'Latency: 4 samples: minimum 80 ms, median 760.5 ms, maximum 10,000 ms',
      ...FULL_HOST.routes.flatMap((shown) => shown.listings.map(listingLine)),
      ...FULL_HOST.routes.flatMap((shown) => shown.probes.map(probeLine)),
      'Machine-observed probe history',
      'This evidence is not a review.',
      'Reviews for this route',
      'no data',
      ...LEVEL_LINES,
    ]
    expect(lines.filter((line) => !holds(full, line))).toEqual([])
  })

  it('has the six parts in their order', () => {
    const parts = [
      '<dt>machine evidence rows',
      'id="results"',
      'id="routes"',
      'id="example"',
      'id="levels"',
      'id="thread"',
    ]
    const places = parts.map((part) => full.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  it('follows the heading of the probe history with its note, always', () => {
    expect(full.split('<h4>Machine-observed probe history</h4>')).toHaveLength(3)
    expect(
      full.split('<h4>Machine-observed probe history</h4><p class="note">This evidence is not a review.</p>'),
    ).toHaveLength(3)
  })

  it('shows the four counters under their labels', () => {
    const header = textOf(full.slice(full.indexOf('<dl class="counters">'), full.indexOf('</dl>')))
    expect(header).toBe('routes2machine evidence rows4newest evidence2026-11-14T12:34:56.123456Zagent reviews0')
  })

  it('shows a host without anything as such', () => {
    const empty = hostPage(SITE, EMPTY_HOST, list)
    const lines = [
      '0 answers · 0 402-correct · 0 failed · 0 unreachable',
      'Latency: no data',
      'No thread posts exist.',
      'no data',
    ]
    expect(lines.filter((line) => !holds(empty, line))).toEqual([])
    expect(empty).toContain('No listing source names a route of this host.')
  })

  it('says in words where the observed price differs from the listed one', () => {
    expect(full).toContain('Machine-observed price 0.020000 in the newest challenge')
    expect(full.match(/Machine-observed price/g)).toHaveLength(1)
  })

  it('leads to the seller’s own site by the scheme that its routes have', () => {
    const own = (...schemes: ('http' | 'https')[]) =>
      hostPage(SITE, hostView(schemes.map((scheme, n) => route(`/${n}`, { scheme }))), list)
    expect(own('http', 'http')).toContain(`<a href="http://${HOST}/"`)
    for (const page of [own('http', 'https'), own()]) expect(page).toContain(`<a href="https://${HOST}/"`)
  })

  it('says of a route that its seller retired it, before how it answers and in no colour', () => {
    const retired = { sinceUs: NOON_US, statementId: 's-1', movedTo: null }
    const page = hostPage(SITE, hostView([route('/old', { probes: [probe(404)], retired })]), list)
    expect(page).toContain(
      '<td data-name="Newest" class="soft">retired by its seller; failed since 2026-11-14 12:34</td>',
    )
    const card = hostPage(SITE, hostView([route('/old', { probes: [probe(402)], retired })]), { ...list, cards: true })
    expect(card).toContain('<p class="small"><span class="soft">requested payment ')
    expect(card).not.toContain('class="mark ')
  })

  it('says how a host that its seller retired answers in no colour', () => {
    const retired = { sinceUs: NOON_US, statementId: 's-1', movedTo: null }
    const seen = { ...FULL_HOST, seller: { ...FULL_HOST.seller, retired } }
    expect(full).toMatch(/<p class="now \w/)
    expect(hostPage(SITE, seen, list)).not.toMatch(/<p class="now \w/)
  })

  it('says how many entries and reviews there are in all, and leads to the page of the route', () => {
    expect(full).toContain('showing 4 of 1,204 probe entries and 3 of 7 reviews')
    const unprobed = hostPage(SITE, hostView([route('/{id}', { reviews: [review()], reviewsTotal: 6 })]), list)
    expect(unprobed).toContain('nobody knows what to put there. · showing 1 of 6 reviews')
    expect(full).toContain(`href="/hosts/${HOST}/route?method=GET&amp;path=%2Fv1%2Fforecast&amp;rail=x402"`)
  })

  it('says under its title what is true now, and how prices compare', () => {
    expect(textOf(full.slice(full.indexOf('<p class="now'), full.indexOf('<p class="follow">')))).toBe(
      'Requested payment 3 min ago, 0.020000 on base 2026-11-14 12:34 UTCPrice check: differs on 1 of 2 routes',
    )
    const priced = (path: string, price: number) =>
      route(path, { probes: [probe(402, { challenge: challenge(price) })] })
    const several = hostView([priced('/a', 10_000), priced('/b', 20_000)])
    for (const text of [textOf(hostPage(SITE, several, list)), hostMarkdown(SITE, several, { cards: false })]) {
      expect(text).toMatch(/Requested payment [^,]* \(2 of 2 routes\)/)
    }
    expect(hostJson(SITE, several, { cards: false }).now).toMatchObject({
      line: 'Requested payment 2026-11-14 12:34, 0.010000 on base',
      address: `https://${HOST}/a`,
    })
    const failing = hostView([
      route('/a', { probes: [probe(500, { atUs: NOON_US }), probe(402, { atUs: NOON_US - 7_200_000_000 })] }),
    ])
    expect(textOf(hostPage(SITE, failing, list))).toContain(
      'Failing since 2026-11-14 12:34 (HTTP 500); last requested payment 2026-11-14 10:34 Checked 3 min ago',
    )
    expect(textOf(hostPage(SITE, EMPTY_HOST, list))).toContain('Never probed: no route of it has had its turn.')
  })

  it('has one row for each route before the evidence, which is folded unless there is little of it', () => {
    const rows = full.slice(full.indexOf('<tbody>', full.indexOf('id="routes"')), full.indexOf('id="evidence"'))
    expect(rows.match(/<tr>/g)).toHaveLength(FULL_HOST.routes.length)
    expect(textOf(rows)).toContain('GET /v1/forecast · x4020.0100000.020000 differs402-correct 3 min ago')
    expect(textOf(rows)).toContain('POST /v1/history/:city · mppno datano data unverifiednever probed')
    expect(full).toContain('<details id="evidence" open="">')
    const many = hostPage(SITE, hostView(Array.from({ length: 9 }, (_, i) => route(`/${i}`))), list)
    expect(many).toContain('<details id="evidence">')
  })

  it('tells routes apart that differ by their rail or scheme alone, in the table and in the evidence', () => {
    const address = `http://${HOST}/a`
    const routes = [route('/a'), route('/a', { rail: 'mpp' }), route('/a', { scheme: 'http', address }), route('/b')]
    const html = hostPage(SITE, hostView(routes), list)
    const names = Array.from(html.matchAll(/<th scope="row"><a href="[^"]*">([^<]*)</g), ([, name]) => name)
    expect(names).toEqual(['GET /a · x402 · https', 'GET /a · mpp', 'GET /a · x402 · http', 'GET /b · x402'])
    const headings = Array.from(html.matchAll(/<h3>(GET [^<]*)</g), ([, heading]) => heading)
    expect(new Set(headings).size).toBe(routes.length)
  })

  it('says beside the listed price of a row that sources disagree', () => {
    const rows = hostPage(SITE, hostView([route('/a', { spread: { low: 10_000, high: 250_000 } })]), list)
    expect(rows).toContain('<td data-name="Listed">0.010000; sources say 0.010000 to 0.250000</td>')
  })

  it('says of what it does not know why, where that follows from the address', () => {
    expect(full).toContain('Never probed: the path has a parameter, and nobody knows what to put there.')
    const templates = textOf(hostPage(SITE, hostView([route('/v1/{city}')]), list))
    expect(templates).toContain('Never probed: as it is listed it cannot be, since every path has a parameter')
    expect(templates).not.toContain('has had its turn')
    expect(textOf(hostPage(SITE, hostView([route('/v1/{city}'), route('/v1/now')]), list))).toContain(
      'Never probed: no route of it has had its turn.',
    )
  })

  it('has its feed, its events, its badge and the way for sellers in its header', () => {
    const header = full.slice(full.indexOf('<header>'), full.indexOf('</header>', full.indexOf('<header>')))
    for (const href of [`/hosts/${HOST}/feed.atom`, `/hosts/${HOST}/badge.svg`, `/hosts/${HOST}/why`, '/sellers'])
      expect(header).toContain(`href="${href}"`)
    expect(header).toContain(`[![${HOST} on Tollbook](https://tollbook.example/hosts/${HOST}/badge.svg)]`)
  })

  it('is named by sources that still name it, not by those that stopped', () => {
    const listings = [listing(), { ...listing(), source: 'gone', goneUs: NOON_US }]
    const named = textOf(hostPage(SITE, hostView([route('/a', { listings })]), list))
    expect(named).toContain(`Named by ${listing().source}. Nobody is asked`)
    const ended = hostView([route('/a', { listings: listings.slice(1) })])
    expect(textOf(hostPage(SITE, ended, list))).toContain('Listing sources named this host: ')
  })

  it('names its Markdown and JSON forms in the head, and is a whole document', () => {
    expect(full.startsWith('<!doctype html>')).toBe(true)
    expect(full).toContain('<html lang="en">')
    expect(full).toContain(`<title>${HOST} · Tollbook</title>`)
    expect(full).toContain(`<link rel="alternate" type="text/markdown" href="/hosts/${HOST}?format=md"/>`)
    expect(full).toContain(`<link rel="alternate" type="application/json" href="/hosts/${HOST}?format=json"/>`)
  })

  it('shows the Unicode form beside a punycode name, never instead of it', () => {
    const html = hostPage(SITE, { ...EMPTY_HOST, host: 'xn--bcher-kva.example' }, list)
    expect(html).toContain('<h1>xn--bcher-kva.example</h1>')
    expect(html).toContain('Unicode form: bücher.example')
  })

  it('leads through a cut list of routes and keeps the card style', () => {
    const counters = { ...EMPTY_HOST.counters, routes: 5000 }
    const view = hostView(
      Array.from({ length: 50 }, (_, i) => route(`/${i}`)),
      { counters, nextRoutes: 'c=1' },
    )
    const first = hostPage(SITE, view, cards)
    expect(holds(first, 'Showing 50 of 5,000 routes')).toBe(true)
    expect(first).toContain(`href="/hosts/${HOST}?view=cards&amp;cursor=c%3D1"`)
    expect(first).not.toContain('First routes')
    const later = hostPage(SITE, { ...view, nextRoutes: null }, { cards: false, cursor: 'c=1' })
    expect(later).toContain(`<a href="/hosts/${HOST}">First routes</a>`)
    expect(later).not.toContain('Next routes')
  })

  it('draws 60 days, counted in words, and lists the last seven', () => {
    expect(full).toContain('aria-label="60 days to 2026-11-14: 1 answers · 5 402-correct · 1 failed · 1 unreachable"')
    expect(full).toContain('lowest 80 ms, highest 534 ms, newest 534 ms')
    const table = full.slice(full.indexOf('<caption>'), full.indexOf('</table>'))
    expect(table.match(/2026-11-\d\d(?=<\/th>)/g)).toEqual(
      [14, 13, 12, 11, 10, '09', '08'].map((day) => `2026-11-${day}`),
    )
    expect(textOf(table)).toContain('2026-11-12040080 ms')
    expect(textOf(table)).toContain('2026-11-130000no data')
  })

  it('shows the listed price beside the observed one', () => {
    expect(full).toContain('Listed price 0.010000 · Observed price 0.020000 · Rail x402 · Network base')
  })

  it('filters a long list of routes by a plain form that keeps the style', () => {
    const counters = { ...EMPTY_HOST.counters, routes: 5000 }
    const filter = { q: 'a"b', method: 'POST', total: 120 } as const
    const html = hostPage(SITE, hostView([route('/a')], { counters, filter, nextRoutes: 'c' }), cards)
    expect(html).toContain(`<form class="filters pick" action="/hosts/${HOST}#routes" method="get">`)
    expect(html).toContain('<input type="hidden" name="view" value="cards"/>')
    expect(html).toContain('name="q" value="a&quot;b"')
    expect(html).toContain('<option value="POST" selected="">POST</option>')
    expect(holds(html, '120 of 5,000 routes fit, showing 1')).toBe(true)
    expect(html).toContain(`href="/hosts/${HOST}?view=cards&amp;q=a%22b&amp;method=POST&amp;cursor=c"`)
    expect(hostPage(SITE, hostView([route('/a')]), list)).not.toContain('class="filters pick"')
  })

  it('says so when no route fits', () => {
    const counters = { ...EMPTY_HOST.counters, routes: 12 }
    const view = hostView([], { counters, filter: { q: 'x', method: null, total: 0 } })
    expect(hostPage(SITE, view, list)).toContain('None of the 12 routes of this host fits.')
  })

  it.each([list, cards])('says how many listing rows there are where it shows less', (options) => {
    const html = hostPage(SITE, hostView([route('/a', { listingsTotal: 23 }), route('/b')]), options)
    expect(html.match(/showing 1 of 23 listing rows ·/g)).toHaveLength(1)
    expect(html).toContain('rail=x402#listings">more rows</a>')
  })

  it('keeps 25 routes and 20 posts within 30 kB compressed and 1,000 elements', () => {
    const noise = (i: number): number => (i * 2_654_435_761) % 1_000_000_007
    const routes = Array.from({ length: 25 }, (_, i) =>
      route(`/v1/${noise(i).toString(36)}/items`, {
        listings: [
          listing({ firstUs: NOON_US - noise(i) * 1000 }),
          listing({ source: 'index', lastUs: NOON_US - noise(i + 1) }),
        ],
        probes: [402, 402, 200, 404, null].map((status, j) =>
          probe(status, { atUs: NOON_US - noise(i * 5 + j) * 1000, latencyMs: noise(j + i) % 2000 }),
        ),
        probesTotal: 900,
      }),
    )
    const posts = Array.from({ length: 20 }, (_, i) => post({ text: `post ${noise(i)}`, wallet: `0x${noise(i)}` }))
    const html = hostPage(SITE, hostView(routes, { thread: { total: 20, posts, next: null } }), list)
    expect(gzipSync(html).length).toBeLessThan(30_000)
    expect(html.match(/<[a-z]/g)?.length).toBeLessThan(1000)
  })
})

describe('the card style', () => {
  const html = hostPage(SITE, FULL_HOST, cards)

  it('prints price, rail and network without a space between, then the code, then the probe status', () => {
    const cards = html.slice(html.indexOf('<p class="cardline"'))
    const card = cards.slice(0, cards.indexOf('<details'))
    expect(textOf(card)).toMatch(/^Price: 0\.010000Rail: x402Network: baseD-184Probe status: differs/)
    expect(html).toContain('data-line="Price: 0.010000Rail: x402Network: base"')
    expect(html).toContain('data-line="Price: no dataRail: mppNetwork: no data"')
    expect(holds(html, 'D-184')).toBe(true)
    expect(holds(html, 'Probe status: unverified')).toBe(true)
  })

  it('still holds the listing rows, the probe history and the reviews', () => {
    const lines = FULL_HOST.routes.flatMap((shown) => [
      ...shown.listings.map(listingLine),
      ...shown.probes.map(probeLine),
    ])
    expect(lines.filter((line) => !holds(html, line))).toEqual([])
    expect(html.match(/<h4>Reviews for this route<\/h4>/g)).toHaveLength(2)
  })
})
