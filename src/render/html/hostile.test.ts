import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  HOST,
  homeView,
  hostRow,
  hostView,
  listing,
  NOON_US,
  post,
  probe,
  review,
  route,
  routePageView,
  SITE,
} from '../testing/sample-views.ts'
import { homePage } from './pages/home.tsx'
import { hostPage } from './pages/host.tsx'
import { problemPage } from './pages/problem.tsx'
import { routePage } from './pages/route-page.tsx'

/** Every page, with one text in every place where strangers or visitors write. */
function pagesWith(text: string): string[] {
  const shown = route(`/${text}`, {
    network: text,
    listings: [listing({ source: text, network: text })],
    probes: [probe(404, { error: text })],
    probesTotal: 9,
    reviews: [
      review({ text, wallet: text, levelReason: text }),
      review({ id: 'r-2', hidden: { atUs: NOON_US, reason: text } }),
    ],
  })
  const posts = [post({ text, wallet: text }), post({ hidden: { atUs: NOON_US, reason: text } })]
  const view = hostView([shown], { nextRoutes: text, thread: { total: 3, posts, next: text } })
  const home = homeView([hostRow(HOST)], { query: { ...homeView([]).query, q: text, network: text } })
  return [
    hostPage(SITE, view, { cards: false, cursor: text }),
    hostPage(SITE, view, { cards: true, cursor: text }),
    hostPage(SITE, { ...view, filter: { q: text, method: null, total: 1 } }, { cards: true, cursor: null }),
    routePage(SITE, routePageView(shown, { nextProbes: text }), { cursor: text }),
    homePage(SITE, home),
    problemPage(SITE, { title: text, status: 400, detail: text, hint: text, request_id: text }),
  ]
}

/** The tags and the names of their attributes: what a browser builds, without any text. */
const skeleton = (html: string): string => (html.match(/<[^>]*>/g) ?? []).join('').replace(/="[^"]*"/g, '=')

const unescaped = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const piece = fc.constantFrom(
  ...[
    '<script>',
    '</script>',
    '</style>',
    '<!--',
    '-->',
    '<img src=x onerror=alert(1)>',
    '"',
    "'",
    '>',
    '<',
    '&',
    '&lt;',
    '&#60;',
    '\n',
    '`',
    ' onload=',
    'javascript:',
    '\\',
    'a',
    ' ',
    '\0',
    '\ud800',
  ],
)

describe('strangers in HTML', () => {
  const calm = pagesWith('x').map(skeleton)

  it('add no element and no attribute, whatever they write', () => {
    fc.assert(
      fc.property(fc.string({ unit: piece }), (text) => {
        expect(pagesWith(text).map(skeleton)).toEqual(calm)
      }),
      { numRuns: 150 },
    )
  })

  it('find their review shown to the letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: piece, minLength: 1 }), (text) => {
        expect(unescaped(pagesWith(text)[0] ?? '')).toContain(text)
      }),
      { numRuns: 50 },
    )
  })

  it('get no link to anywhere but this directory and the seller that the page is about', () => {
    for (const html of pagesWith('https://evil.example/')) {
      const hrefs = Array.from(html.matchAll(/ href="([^"]*)"/g), ([, href]) => href ?? '')
      expect(
        hrefs.filter(
          (href) => !/^(\/(?!\/)|#|https:\/\/tollbook\.example\/|https:\/\/api\.weather\.example\/$)/.test(href),
        ),
      ).toEqual([])
    }
  })

  it('meet pages without script, inline styles or anything loaded from elsewhere', () => {
    for (const tags of calm) {
      expect(tags).not.toMatch(/<script|<iframe|<object| style=| on[a-z]+=/)
      expect(tags).not.toMatch(/@import/)
    }
    for (const html of pagesWith('x')) {
      const sources = Array.from(html.matchAll(/ src="([^"]*)"/g), ([, source]) => source)
      expect(sources.filter((source) => source !== `/hosts/${HOST}/badge.svg`)).toEqual([])
    }
  })
})
