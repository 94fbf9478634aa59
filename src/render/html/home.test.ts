import { describe, expect, it } from 'vitest'
import { homeView, hostRow, SITE } from '../sample-views.ts'
import { homePage } from './home.tsx'

const { query } = homeView([])

describe('the home page', () => {
  it('shows the three totals, the rows and how they are sorted', () => {
    const html = homePage(SITE, homeView([hostRow('api.weather.example'), hostRow('xn--bcher-kva.example')]))
    for (const total of ['1,204', '9,031', '402,117']) expect(html).toContain(`<dd>${total}</dd>`)
    expect(html).toContain('<a href="/hosts/api.weather.example">api.weather.example</a>')
    expect(html).toContain('bücher.example')
    expect(html).toContain('0.001000 to 0.050000')
    expect(html).toContain('>12 answers · 240 402-correct · 3 failed · 1 unreachable<')
    expect(html).toContain('2 Verified buyer · 1 Signed · 1 not counted')
    expect(html).toContain('All hosts, sorted by newest evidence.')
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
    expect(html).toContain('<option value="mpp" selected="">mpp</option>')
    expect(html).toContain('<option value="failed" selected="">failed</option>')
    expect(html).toContain('<option value="routes" selected="">most routes</option>')
    expect(html).toContain('value="0.050000"')
    const kept = 'q=a%22b&amp;rail=mpp&amp;max_price=0.050000&amp;result=failed&amp;sort=routes'
    expect(html).toContain(`href="/?${kept}&amp;cursor=y">Next hosts</a>`)
    expect(html).toContain(`href="/?${kept}">First hosts</a>`)
  })

  it('helps when nothing matches: each condition can be left out', () => {
    const html = homePage(SITE, homeView([], { query: { ...query, q: 'weathr', rail: 'mpp' } }))
    expect(html).toContain(
      '<a href="/?rail=mpp&amp;sort=newest">Search without “weathr” in the host name or a path</a>',
    )
    expect(html).toContain('<a href="/?q=weathr&amp;sort=newest">Search without rail mpp</a>')
    expect(html).toContain('<a href="/">Show all hosts</a>')
  })

  it('says that an empty directory waits for its first listing', () => {
    expect(homePage(SITE, homeView([]))).toContain('No host is stored yet.')
  })
})
