import { describe, expect, it } from 'vitest'
import { outsideCode } from '../../test/support/markdown.ts'
import { homePage } from './html/pages/home.tsx'
import { hostPage } from './html/pages/host.tsx'
import { routePage } from './html/pages/route-page.tsx'
import { hostJson } from './json/host.ts'
import { hostsJson } from './json/pages.ts'
import { routePageJson } from './json/route-page.ts'
import { hostMarkdown } from './markdown/host.ts'
import { hostsMarkdown } from './markdown/hosts.ts'
import { routePageMarkdown } from './markdown/route-page.ts'
import { HOSTILE_TEXTS } from './testing/hostile-texts.ts'
import { HOST, homeView, hostRow, hostView, route, routePageView, SITE } from './testing/sample-views.ts'

const described = (text: string) => route('/v1/forecast', { descriptions: [{ source: 'bazaar', text }] })
const routeView = (text: string) => routePageView(described(text))
const searched = (text: string) => {
  const { query } = homeView([])
  return homeView([hostRow(HOST, { description: { source: 'bazaar', text } })], { query: { ...query, q: 'x' } })
}

const htmlOf = (text: string): string[] => [
  routePage(SITE, routeView(text), { cursor: null }),
  hostPage(SITE, hostView([described(text)]), { cards: false, cursor: null }),
  hostPage(SITE, hostView([described(text)]), { cards: true, cursor: null }),
  homePage(SITE, searched(text)),
]

/** The tags and the names of their attributes: what a browser builds, without any text. */
const skeleton = (html: string): string => (html.match(/<[^>]*>/g) ?? []).join('').replace(/="[^"]*"/g, '=')

describe('what sources say of a route', () => {
  it('builds nothing in HTML, whatever it says', () => {
    const calm = htmlOf('x').map(skeleton)
    for (const text of HOSTILE_TEXTS) expect(htmlOf(text).map(skeleton), text).toEqual(calm)
  })

  it('stands in a quotation with the name of who says it', () => {
    const [page = ''] = htmlOf('Hourly <forecast>')
    expect(page).toContain(
      '<p>bazaar says</p><blockquote dir="auto" tabindex="-1">Hourly &lt;forecast&gt;</blockquote>',
    )
    expect(routePageMarkdown(SITE, routeView('Hourly'))).toContain('`bazaar` says:\n\n```text\nHourly\n```')
  })

  it('covers nothing of ours where it is quoted in a line, and turns none of it round', () => {
    const pile = '\u0301'.repeat(30)
    const [whole = '', ...inLine] = htmlOf(`a${pile} \u05d0`)
    expect(whole).toContain(`>a${pile} \u05d0</blockquote>`)
    for (const html of inLine) expect(html).toContain(`bazaar says: “<bdi>a${'\u0301'.repeat(3)} \u05d0</bdi>”`)
  })

  it('changes nothing in Markdown outside of its quotation', () => {
    const markdown = (text: string) => [routePageMarkdown(SITE, routeView(text)), hostsMarkdown(SITE, searched(text))]
    const calm = markdown('x').map(outsideCode)
    for (const text of HOSTILE_TEXTS) expect(markdown(text).map(outsideCode), text).toEqual(calm)
  })

  it('is one string of an object marked as untrusted in JSON, and no member where nothing is said', () => {
    for (const text of HOSTILE_TEXTS) {
      const said = { source: 'bazaar', untrusted: true, text }
      expect(routePageJson(SITE, routeView(text)).descriptions).toEqual([said])
      expect(hostJson(SITE, hostView([described(text)]), { cards: false }).routes[0]?.descriptions).toEqual([said])
      const { query, rows } = searched(text)
      expect(hostsJson(SITE, query, { items: rows, next: null }).hosts[0]?.description).toEqual(said)
    }
    expect(hostJson(SITE, hostView([route('/v1')]), { cards: false }).routes[0]?.descriptions).toBeUndefined()
  })

  it('is left out of the Markdown of a host, whose length is bounded', () => {
    const plain = hostMarkdown(SITE, hostView([described('x')]), { cards: false })
    expect(plain).toBe(hostMarkdown(SITE, hostView([route('/v1/forecast')]), { cards: false }))
  })
})
