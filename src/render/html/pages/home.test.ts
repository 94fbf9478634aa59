import { describe, expect, it } from 'vitest'
import { homeView, hostRow, SITE } from '../../testing/sample-views.ts'
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
    expect(html).toContain('value="0.050000"')
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
    expect(html).toContain('<a href="/?q=a&amp;requested=day&amp;sort=newest">any</a>')
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
  })

  it('says that an empty directory waits for its first listing', () => {
    expect(homePage(SITE, homeView([]))).toContain('No host is stored yet.')
  })
})
