import { describe, expect, it } from 'vitest'
import { listingLine } from '../../../domain/listing.ts'
import { probeLine } from '../../../domain/probe.ts'
import { formatTimestamp } from '../../../domain/time/timestamp.ts'
import { routePageJson } from '../../json/route-page.ts'
import { routePageMarkdown } from '../../markdown/route-page.ts'
import { FULL_HOST, HOST, NOON_US, probe, review, route, routePageView, SITE } from '../../testing/sample-views.ts'
import { CSS } from '../style.ts'
import { routePage } from './route-page.tsx'

const [full = route('/')] = FULL_HOST.routes
const view = routePageView(full, { nextProbes: 'c=1', keptSinceUs: NOON_US })
const address = `/hosts/${HOST}/route?method=GET&amp;path=%2Fv1%2Fforecast&amp;rail=x402`

describe('the page of a route', () => {
  const html = routePage(SITE, view, { cursor: null })

  it('holds every exact line of its listings and entries, and the words on its price', () => {
    const lines = [...full.listings.map(listingLine), ...full.probes.map(probeLine)]
    const printed = new Set(html.split(/\n|<pre class="lines">|<\/pre>/))
    expect(lines.filter((line) => !printed.has(line))).toEqual([])
    expect(html).toContain('Machine-observed price 0.020000 in the newest challenge')
    expect(html).toContain(
      '<h2>Machine-observed probe history</h2><p class="small soft">This evidence is not a review.</p>',
    )
    expect(html).toContain('<h2>Reviews for this route</h2>')
  })

  it('says how a route that its seller retired answers in no colour', () => {
    const retired = { sinceUs: NOON_US, statementId: 's-1', movedTo: null }
    expect(html).toMatch(/<p class="now \w/)
    const gone = routePage(SITE, { ...view, route: { ...full, retired } }, { cursor: null })
    expect(gone).toContain('<p class="now"><b>')
    expect(gone).not.toMatch(/<p class="now \w/)
  })

  it('draws one line per source with a price, and has a row for every listing', () => {
    expect(html.match(/<path class="s\d"/g)).toHaveLength(2)
    expect(html).toContain('Listed prices of 2 sources from 0 to 0.012000 dollars')
    const prices = html.slice(html.indexOf('id="prices"'))
    const table = prices.slice(prices.indexOf('<caption>'), prices.indexOf('</table>'))
    expect(table.match(/<th scope="row" class="whole">/g)).toHaveLength(3)
    expect(table).toContain('<th scope="row" class="whole">mirror</th><td class="num">no data</td><td>no data</td>')
  })

  it('says what its own answers asked for, apart from every source, in each representation', () => {
    const prices = Array.from({ length: 51 }, (_, n) => ({
      ...{ price: n === 0 ? null : 1000 * n, network: n === 0 ? '<b>' : 'base' },
      ...{ entries: n + 1, firstUs: NOON_US, lastUs: NOON_US + 60_000_000 },
    }))
    const asked = { prices, entries: 500, isCut: true }
    const shown = routePage(SITE, { ...view, asked }, { cursor: null })
    const part = shown.slice(shown.indexOf('<section id="observed">'), shown.indexOf('<section id="payees">'))
    expect(part).toContain('The 500 newest of the last 90 days that could be read are in it, and no source’s word.')
    expect(part).toContain('<th scope="row" class="num">0.001000</th><td>Base</td><td class="num">2</td>')
    expect(part).toContain('<th scope="row" class="num">no data</th><td>&lt;b&gt;</td><td class="num">1</td>')
    expect(part).toContain('showing 50 of 51')
    for (const source of full.listings.map((row) => row.source)) expect(part).not.toContain(source)
    expect(html).toContain('No answer of the last 90 days asked for a payment on this rail that could be read.')
    const markdown = routePageMarkdown(SITE, { ...view, asked })
    expect(markdown).toContain(
      `0.001000 on base, asked 2 times, first ${formatTimestamp(NOON_US)}, last ${formatTimestamp(NOON_US + 60_000_000)}`,
    )
    expect(routePageJson(SITE, { ...view, asked }).observed_prices).toMatchObject({
      ...{ untrusted: true, days: 90, challenges: 500, is_cut: true, total: 51 },
      seen: expect.arrayContaining([
        expect.objectContaining({ price: '0.001000', network: 'base', network_id: 'eip155:8453', challenges: 2 }),
      ]),
    })
  })

  it('breaks neither a price nor a day', () => {
    expect(html).toContain('<td class="num">0.010000</td>')
    expect(html).toContain('<span class="num">2026-10-15</span> <span class="num">12:34</span>')
    expect(CSS).toMatch(/\.num\{[^}]*white-space:nowrap/)
  })

  it('folds where its entries are in the log, one apart from the other', () => {
    const probes = [probe(402, { logIndex: 3446 }), probe(402, { atUs: NOON_US - 1, logIndex: 3439 })]
    const logged = routePage(SITE, { ...view, route: { ...full, probes } }, { cursor: null })
    expect(logged).toContain(
      '<summary>Where these entries are in the log</summary><p class="small"><a class="by" href="/log/proof/3446">in the log at 3,446</a> · <a class="by" href="/log/proof/3439">in the log at 3,439</a></p>',
    )
    expect(html).not.toContain('in the log')
  })

  it('leads through all entries', () => {
    expect(html).toContain('showing 4 of 1,204')
    expect(html).toContain(`<a rel="next" href="${address}&amp;cursor=c%3D1#entries">Older entries</a>`)
    expect(html).not.toContain('Newest entries')
    const older = routePage(SITE, { ...view, nextProbes: null }, { cursor: 'c=1' })
    expect(older).toContain(`<a href="${address}#entries">Newest entries</a>`)
    expect(older).not.toContain('Older entries')
  })

  it('says so where nobody states a price', () => {
    const bare = { ...view, route: route('/a', { listings: [], price: null }) }
    expect(routePage(SITE, bare, { cursor: null })).toContain('No listing source states a price in dollars.')
  })

  it('names a route by its scheme where that is http', () => {
    const plain = routePage(SITE, { ...view, route: { ...full, scheme: 'http' } }, { cursor: null })
    expect(plain).toContain('rail=x402&amp;scheme=http')
  })
})

describe('a route in other representations', () => {
  it('has links to its reviews that each say which one they lead to, in what is read of them alone', () => {
    const reviews = [1, 2].map((n) => review({ id: `r-${n}`, submittedUs: NOON_US + n }))
    const shown = routePage(SITE, routePageView(route('/v1/x', { reviews, reviewsTotal: 2 })), { cursor: null })
    const names = Array.from(shown.matchAll(/aria-label="(permalink [^"]+)">permalink</g), ([, name]) => name)
    expect(names).toEqual([1, 2].map((n) => `permalink of the review of 2026-11-14T12:34:56.12345${6 + n}Z`))
  })

  it('says how many listing rows there are where it shows less', () => {
    const cut = routePageView(route('/a', { listingsTotal: 230 }))
    expect(routePage(SITE, cut, { cursor: null })).toContain('<p class="cut">showing 1 of 230 listing rows</p>')
    expect(routePageMarkdown(SITE, cut)).toContain(
      `showing 1 of 230: <https://tollbook.example/hosts/${HOST}/listing-history?format=md>`,
    )
    expect(routePageJson(SITE, cut)).toMatchObject({ listings_total: 230 })
  })

  it('names who is paid, of many the newest fifty', () => {
    const seen = (n: number) => ({
      ...{ network: 'eip155:8453', payee: `0xpayee${n}`, asset: null, origin: 'challenge' as const },
      ...{ firstUs: NOON_US - 1, lastUs: NOON_US },
    })
    const line =
      '0xpayee0 on eip155:8453 (Base), asset no data, named by a challenge, first seen 2026-11-14T12:34:56.123455Z, last seen 2026-11-14T12:34:56.123456Z'
    const one = { ...view, payees: [seen(0)], payeesTotal: 1 }
    expect(routePage(SITE, one, { cursor: null })).toContain(`<pre class="lines">${line}</pre></section>`)
    expect(routePageMarkdown(SITE, one)).toContain(`#### Payees seen\n\n\`\`\`text\n${line}\n\`\`\`\n`)
    expect(routePageJson(SITE, one).payees).toMatchObject({ untrusted: true, total: 1, seen: [{ payee: '0xpayee0' }] })
    const paidIn = {
      ...view,
      payees: [{ ...seen(0), asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' }],
      payeesTotal: 1,
    }
    expect(routePage(SITE, paidIn, { cursor: null })).toContain(
      'asset 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913 (USDC)',
    )
    expect(routePageJson(SITE, paidIn).payees).toMatchObject({ seen: [{ asset_name: 'USDC' }] })
    const many = { ...view, payees: Array.from({ length: 60 }, (_, n) => seen(n)), payeesTotal: 1200 }
    const html = routePage(SITE, many, { cursor: null })
    expect(html.match(/0xpayee\d+ on/g)).toHaveLength(50)
    expect(html).toContain('<p class="cut">showing 50 of 1,200</p>')
    expect(routePageMarkdown(SITE, many)).toMatch(/0xpayee49 on .*\n```\n\nshowing 50 of 1200\n/)
    expect(routePageJson(SITE, many).payees.seen).toHaveLength(50)
    expect(routePage(SITE, view, { cursor: null })).toMatch(
      /<h2>Payees seen<\/h2><p[^>]*>[^<]*<\/p><p class="none">no data/,
    )
  })

  it('is JSON with the fields of a route in a host view, and more', () => {
    const json = routePageJson(SITE, view)
    expect(json).toMatchObject({
      host: HOST,
      host_href: `https://tollbook.example/v1/hosts/${HOST}`,
      method: 'GET',
      price: '0.010000',
      observed_price: '0.020000',
      probes_total: 1204,
      entries_kept_since: '2026-11-14T12:34:56.123456Z',
      next: `https://tollbook.example/hosts/${HOST}/route?method=GET&path=%2Fv1%2Fforecast&rail=x402&format=json&cursor=c%3D1`,
    })
    expect(json.listings).toHaveLength(3)
  })

  it('is Markdown with every exact line', () => {
    const text = routePageMarkdown(SITE, view)
    const lines = [...full.listings.map(listingLine), ...full.probes.map(probeLine)]
    expect(lines.filter((line) => !text.split('\n').includes(line))).toEqual([])
    expect(text).toContain(`Older entries: <https://tollbook.example/hosts/${HOST}/route?`)
  })
})
