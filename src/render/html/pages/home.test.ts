import { describe, expect, it } from 'vitest'
import type { HostQuery, RouteMatch } from '../../../views/host/hosts-view.ts'
import type { ListedHome, RetiredFound } from '../../../views/seller/listed-hosts.ts'
import { homeView, hostRow, NOON_US, SITE } from '../../testing/sample-views.ts'
import { homePage } from './home.tsx'

const { query } = homeView([])

describe('the home page', () => {
  it('shows the three totals, the rows and how they are sorted', () => {
    const html = homePage(SITE, homeView([hostRow('api.weather.example'), hostRow('xn--bcher-kva.example')]))
    for (const total of ['1,204', '9,031', '402,117']) expect(html).toContain(`<dd>${total}</dd>`)
    expect(html).toContain('<a href="/hosts/api.weather.example">api.weather.example</a>')
    expect(html).toContain('bücher.example')
    expect(html).toContain('0.001000 to 0.050000')
    expect(html).toContain('aria-label="30 days to 2026-11-14: 0 answers · 4 402-correct · 1 failed · 0 unreachable"')
    expect(html).toContain('<td data-name="Now" class="mark due">requested payment 3 min ago</td>')
    expect(html).toContain('<td data-name="Price check" class="check verified">verified on 2 of 3 routes</td>')
    expect(html).toContain('<td data-name="Median" class="num tight">120.5 ms</td>')
    expect(html).toContain('2 Verified buyer · 1 Signed · 1 not counted')
    expect(html).toContain('All hosts, sorted by newest evidence.')
  })

  it('is titled with what was asked for', () => {
    const titled = (q: string | null) => homePage(SITE, homeView([], { query: { ...query, q } }))
    expect(titled(null)).toContain('<title>Tollbook: Evidence on APIs that agents pay per call</title>')
    expect(titled('</title>x')).toContain('<title>“&lt;/title&gt;x” · Hosts · Tollbook</title>')
  })

  it('says which reviews the order of reviews is by', () => {
    const html = homePage(SITE, homeView([hostRow('a.example')], { query: { ...query, sort: 'reviews' } }))
    expect(html).toContain('All hosts, sorted by most reviews of verified buyers, then most signed reviews.')
  })

  it('quotes what a source says below the host that a search found', () => {
    const description = { source: 'bazaar', text: `<b>Tides</b> ${'x'.repeat(300)}` }
    const html = homePage(SITE, homeView([hostRow('a.example', { description })], { query: { ...query, q: 'tides' } }))
    expect(html).toContain(`bazaar says: “<bdi>&lt;b&gt;Tides&lt;/b&gt; ${'x'.repeat(96)}…</bdi>”`)
  })

  it('shows the way on where nothing fits among the hosts looked at so far', () => {
    const html = homePage(SITE, homeView([], { query: { ...query, maxPrice: 1 }, next: 'y' }))
    expect(html).toContain('among those looked at so far')
    expect(html).toContain('&amp;cursor=y">Look further</a>')
    expect(html).not.toContain('No host has a route')
  })

  it('keeps what was asked in the form and in the way on', () => {
    const asked = {
      ...query,
      q: 'a"b',
      rail: 'mpp',
      maxPrice: 50_000,
      result: 'failed',
      sort: 'routes',
      cursor: 'x',
    } as const
    const html = homePage(SITE, homeView([hostRow('a.example')], { query: asked, next: 'y' }))
    expect(html).toContain('value="a&quot;b"')
    expect(html).toContain('<input type="hidden" name="rail" value="mpp"/>')
    expect(html).toContain('<option value="failed" selected="">failed</option>')
    expect(html).toContain('<input type="hidden" name="sort" value="routes"/>')
    expect(html).toMatch(/value="0.050000"[^>]* pattern="[^"]+" title="Dollars such as 0.05/)
    const kept = 'q=a%22b&amp;rail=mpp&amp;max_price=0.050000&amp;result=failed&amp;sort=routes'
    expect(html).toContain(`href="/?${kept}&amp;cursor=y">Next hosts</a>`)
    expect(html).toContain(`href="/?${kept}">First hosts</a>`)
  })

  it('offers each facet as a link that keeps the rest, and marks what is chosen', () => {
    const asked = { ...query, q: 'a', rail: 'mpp', requested: 'day' } as const
    const html = homePage(SITE, homeView([hostRow('a.example')], { query: asked }))
    expect(html).toContain('<a href="/?q=a&amp;rail=x402&amp;requested=day&amp;sort=newest">x402 (1,100)</a>')
    expect(html).toContain('network=eip155%3A8453&amp;requested=day&amp;sort=newest">Base (900)</a>')
    expect(html).toContain('check=differs&amp;requested=day&amp;sort=newest">differs (12)</a>')
    expect(html).toContain('&amp;sort=price">lowest price</a>')
    expect(html).not.toContain('unverified (')
    expect(html).toContain('<a href="/?q=a&amp;rail=mpp&amp;requested=day&amp;sort=newest" aria-current="true">mpp</a>')
    expect(html).toContain('<a href="/?q=a&amp;requested=day&amp;sort=newest" aria-label="any, rail">any</a>')
    expect(html).toContain('max_price=0.010000&amp;requested=day&amp;sort=newest">at most 0.01 (700)</a>')
    expect(html).toContain('<input type="hidden" name="requested" value="day"/>')
    expect(html).toContain('>best match</a>')
    expect(html).toContain('Numbers are of all hosts.')
    expect(homePage(SITE, homeView([hostRow('a.example')]))).not.toContain('Numbers are of all hosts.')
    expect(homePage(SITE, homeView([]))).not.toContain('>best match</a>')
  })

  it('shows under a host the route that was looked for, with its price', () => {
    const key = { scheme: 'https', method: 'POST', path: '/v1/image', rail: 'x402' } as const
    const match = { ...key, price: 3000, network: 'base', probeStatus: 'verified' } as const
    const html = homePage(SITE, homeView([hostRow('a.example', { match })], { query: { ...query, q: 'image' } }))
    expect(html).toContain(
      '<a href="/hosts/a.example/route?method=POST&amp;path=%2Fv1%2Fimage&amp;rail=x402">POST /v1/image</a> 0.003000, verified',
    )
    const asked = { ...query, q: 'imag', maxPrice: 10 }
    const none = '<span class="note">no route with these words fits what is asked for</span>'
    expect(homePage(SITE, homeView([hostRow('a.example')], { query: asked }))).toContain(none)
    for (const other of [
      { ...asked, q: null },
      { ...asked, maxPrice: null },
    ])
      expect(homePage(SITE, homeView([hostRow('a.example')], { query: other }))).not.toContain(none)
  })

  it('says of an address that was pasted with a path of no route that the route shown is another one', () => {
    const key = { scheme: 'https', method: 'GET', path: '/v1/now', rail: 'x402' } as const
    const match: RouteMatch = { ...key, price: 10_000, network: 'base', probeStatus: 'verified' }
    const found = (q: string, more: Partial<HostQuery> = {}, shown: RouteMatch | null = match): string =>
      homePage(SITE, homeView([hostRow('a.example', { match: shown })], { query: { ...query, q, ...more } }))
    const mistyped = 'https://a.example/v1/nwo'
    expect(found(mistyped)).toContain('Hosts with words like “https://a.example/v1/nwo” in a name')
    expect(found(mistyped)).toMatch(
      /<span class="note">no route with this path is on offer<\/span><span class="note">nearest: <a href="[^"]+">GET \/v1\/now<\/a> 0.010000/,
    )
    expect(found(mistyped, {}, null)).toContain('no route with this path is on offer')
    expect(found(mistyped, { maxPrice: 10 }, null)).toContain('no route with this path fits what is asked for')
    for (const right of ['a.example/v1/now', 'https://a.example/v1/now?city=x', 'a.example', '/v1/nwo'])
      expect(found(right)).not.toMatch(/words like|no route with|nearest/)
    const template = { ...match, path: '/v1/:what' }
    expect(found(mistyped, {}, template)).not.toContain('no route with')
  })

  it('offers fewer words where several find nothing', () => {
    const html = homePage(SITE, homeView([], { query: { ...query, q: 'cheap zebra image api' } }))
    expect(html).toContain('<a href="/?q=image&amp;sort=newest">Search without the word “zebra”</a>')
    expect(html).toContain('<a href="/?q=zebra&amp;sort=newest">Search without the word “image”</a>')
  })

  it('helps when nothing matches: each condition can be left out', () => {
    const html = homePage(SITE, homeView([], { query: { ...query, q: 'weathr', rail: 'mpp' } }))
    expect(html).toContain(
      '<a href="/?rail=mpp&amp;sort=newest">Search without “weathr” in a name, path or description</a>',
    )
    expect(html).toContain('<a href="/?q=weathr&amp;sort=newest">Search without rail mpp</a>')
    expect(html).toContain('<a href="/">Show all hosts</a>')
    const asked = { ...query, q: 'weathr', rail: 'mpp' } as const
    const found = homePage(SITE, homeView([], { query: asked, wider: [{ ...asked, q: null }] }))
    expect(found).toContain('<a href="/?rail=mpp&amp;sort=newest">Search without “weathr”')
    expect(found).not.toContain('Search without rail mpp')
    const nothing = homePage(SITE, homeView([], { query: asked, wider: [] }))
    expect(nothing).not.toContain('Search without')
    expect(nothing).not.toContain('Leave one out')
  })

  it('offers to choose the rail or network that the words name where nothing has them, and not all hosts twice', () => {
    const nothing = (q: string, more: Partial<HostQuery> = {}): string =>
      homePage(SITE, homeView([], { query: { ...query, q, ...more }, retiredFound: { hosts: 0, isMore: false } }))
    expect(nothing('image api that takes USDC on Base')).toContain(
      '<a href="/?q=image+api&amp;network=Base&amp;sort=newest">Search “image api” with network Base</a>',
    )
    const rail = nothing('x402')
    expect(rail).toContain('<a href="/?rail=x402&amp;sort=newest">Search all hosts with rail x402</a>')
    expect(rail).not.toContain('Search without')
    expect(rail.match(/href="\/\?sort=newest"/g) ?? []).toEqual([])
  })

  it('says what is listed where nothing has the words, and what these may choose where something has them', () => {
    const rail = { ...query, rail: 'x402' } as const
    const rows = [hostRow('a.example')]
    const html = homePage(SITE, homeView(rows, { query: rail, instead: { words: 'x402', query: rail } }))
    expect(html).toContain(
      '<p>Nothing has “x402” in a name, path or description. Listed instead: hosts with rail x402.</p>',
    )
    const cheap = { ...query, sort: 'price' } as const
    expect(homePage(SITE, homeView(rows, { query: cheap, instead: { words: 'cheapest', query: cheap } }))).toContain(
      'Listed instead: all hosts.</p>',
    )
    const asked = { ...query, q: 'x402' }
    expect(homePage(SITE, homeView(rows, { query: asked, wider: [rail] }))).toContain(
      '<p><a href="/?rail=x402&amp;sort=newest">Search all hosts with rail x402</a></p>',
    )
    expect(homePage(SITE, homeView(rows, { query: asked }))).not.toContain('Search all hosts')
  })

  it('says on which networks there is what is not on the one that the words name', () => {
    const asked = { ...query, q: 'image api on Base' }
    const wider = [{ ...query, q: 'image api', foundOn: ['Base Sepolia'] }]
    expect(homePage(SITE, homeView([], { query: asked, wider }))).toContain(
      '<a href="/?q=image+api&amp;sort=newest">Search “image api” on any network (found on Base Sepolia)</a>',
    )
  })

  it('says what no search finds, and leads to a review by its id', () => {
    const nothing = (q: string): string => homePage(SITE, homeView([], { query: { ...query, q }, wider: [] }))
    expect(nothing('USDC')).toContain('Hosts are not found by the money that they take.')
    expect(nothing('0x036CbD53842c5426634e7929541eC2318f3dCF7e')).toContain('Hosts are not found by the wallets')
    expect(nothing('weather under 5')).toContain('Of a price say what it is in, such as $0.05 or 5 cents.')
    const id = '330d2c670af8e63e20ca53caae6eab39'
    expect(nothing(id)).toContain(`<a href="/v1/reviews/${id}">Look for the review ${id}</a>`)
    for (const q of [id, 'zebra']) expect(nothing(q)).not.toContain('Hosts are not found by')
  })

  it('says why a host is not here that was looked for, or whose address was', () => {
    const found = (q: string, more: Partial<ListedHome> = {}): string =>
      homePage(SITE, homeView([], { query: { ...query, q }, retiredFound: { hosts: 0, isMore: false }, ...more }))
    const why =
      '<a href="/hosts/api.nobody.example/why">Why api.nobody.example is not here, and whether it was refused</a>'
    for (const q of ['api.nobody.example', 'GET https://API.nobody.example/v1/x', 'api.nobody.example/v1'])
      expect(found(q)).toContain(why)
    for (const q of ['is api.nobody.example down?', 'curl https://api.nobody.example/v1'])
      expect(found(q)).toContain(why)
    for (const q of ['zebra', '/v1/x']) expect(found(q)).not.toContain('/why"')
    const q = 'api.nobody.example'
    expect(found(q, { retiredFound: { hosts: 1, isMore: false } })).not.toContain('/why"')
    expect(found(q, { query: { ...query, q, rail: 'mpp' } })).not.toContain('/why"')
  })

  it('keeps retired hosts in the form, in the words and in the way back, and marks each with a link to where it moved', () => {
    const asked = { ...query, rail: 'x402', retired: 'with' } as const
    const gone = { sinceUs: NOON_US, statementId: 's-1', movedTo: null }
    const rows = [
      hostRow('gone.example', { retired: gone }),
      hostRow('old.example', { retired: { ...gone, movedTo: 'new.example' } }),
    ]
    const html = homePage(SITE, homeView(rows, { query: asked }))
    expect(html).toContain('<input type="hidden" name="retired" value="with"/>')
    expect(html).not.toContain('<td data-name="Now" class="mark ')
    expect(html).toContain('Hosts, retired ones too, with rail x402, sorted by newest evidence.')
    expect(html).toContain('<a href="/?rail=x402&amp;sort=newest">Leave retired hosts out</a>')
    expect(html).toContain(
      '<span class="note"><a href="/v1/statements/s-1">Retired by the seller on 2026-11-14 12:34</a></span>',
    )
    expect(html).toContain(
      'Moved to <a href="/hosts/new.example">new.example</a>, <a href="/v1/statements/s-1">the seller says since 2026-11-14 12:34</a>',
    )
    const only = homePage(SITE, homeView(rows, { query: { ...query, retired: 'only' } }))
    expect(only).toContain('All retired hosts, sorted by newest evidence.')
    expect(homePage(SITE, homeView([hostRow('a.example')]))).not.toContain('etired')
  })

  it('says how many retired hosts a list leaves out, and numbers are without them', () => {
    const list = (more: Partial<HostQuery>): string =>
      homePage(SITE, homeView([hostRow('a.example')], { query: { ...query, ...more }, retiredHosts: 3 }))
    const all = list({})
    expect(all).toContain('All hosts, sorted by newest evidence. 3 retired hosts left out.')
    expect(all).toContain('<a href="/?retired=with&amp;sort=newest">Show retired hosts too</a>')
    expect(all).toContain('<a href="/?sort=newest" aria-current="true">left out</a>')
    expect(all).toContain('<a href="/?retired=with&amp;sort=newest">listed too (1,204)</a>')
    expect(all).toContain('<a href="/?retired=only&amp;sort=newest">alone (3)</a>')
    const some = list({ rail: 'mpp' })
    expect(some).toContain('Hosts with rail mpp, sorted by newest evidence. Retired hosts left out.')
    expect(some).toContain('<a href="/?rail=mpp&amp;retired=with&amp;sort=newest">Show retired hosts too</a>')
    expect(some).toContain('Numbers are of all hosts that are not retired.')
    expect(list({ rail: 'mpp', retired: 'with' })).toContain('Numbers are of all hosts.')
    expect(list({ rail: 'mpp', retired: 'only' })).toContain('Numbers are of all retired hosts.')
    expect(list({ retired: 'with' })).not.toContain('left out.')
  })

  it('says how many retired hosts a search leaves out that finds nothing, and leads to them', () => {
    const asked = { ...query, q: 'old.example' }
    const nothing = (retiredFound: RetiredFound | null, more: Partial<HostQuery> = {}): string =>
      homePage(SITE, homeView([], { query: { ...asked, ...more }, retiredFound }))
    const link = '<a href="/?q=old.example&amp;retired=with&amp;sort=newest">Search also among retired hosts</a>'
    const one = nothing({ hosts: 1, isMore: false })
    expect(one).toContain('in a name, path or description, apart from 1 retired host.</p>')
    expect(one).toContain(link)
    expect(nothing({ hosts: 50, isMore: true })).toContain('apart from at least 50 retired hosts.</p>')
    expect(nothing(null)).toContain(link)
    expect(nothing({ hosts: 0, isMore: true })).toContain(link)
    expect(nothing({ hosts: 0, isMore: false })).not.toContain('retired')
    expect(nothing(null, { retired: 'with' })).toContain('No host, retired or not, has a route with “old.example”')
    expect(nothing(null, { retired: 'with' })).not.toContain('Search also')
    const all = { q: null } as const
    expect(nothing({ hosts: 2, isMore: false }, all)).toContain('No host is listed, apart from 2 retired hosts.')
    expect(nothing(null, { ...all, retired: 'only' })).toContain('No host is retired by its seller.')
    expect(nothing({ hosts: 0, isMore: false }, all)).toContain('No host is stored yet.')
  })

  it('says that an empty directory waits for its first listing', () => {
    expect(homePage(SITE, homeView([]))).toContain('No host is stored yet.')
  })
})
