import { describe, expect, it } from 'vitest'
import type { RouteMatch } from '../views/host/hosts-view.ts'
import { hosts } from '../wire/api/lists.ts'
import { homePage } from './html/pages/home.tsx'
import { hostsJson } from './json/pages.ts'
import { hostsMarkdown } from './markdown/hosts.ts'
import { homeView, hostRow, SITE } from './testing/sample-views.ts'

const HOST = 'a.example'
const { query: all } = homeView([])
const query = { ...all, q: 'tides' }
const match: RouteMatch = {
  ...{ scheme: 'https', method: 'GET', path: '/now', rail: 'x402' },
  ...{ price: 10_000, network: 'base', probeStatus: 'unverified' },
}

describe('hosts that a search found', () => {
  it('say where sources disagree about the price of the route that fits', () => {
    const rows = [hostRow(HOST, { match: { ...match, spread: { low: 500, high: 250_000 } } })]
    const words = 'sources say 0.000500 to 0.250000'
    const home = homeView(rows, { query })
    expect(homePage(SITE, home)).toContain(`GET /now</a> 0.010000, ${words}, unverified`)
    expect(hostsMarkdown(SITE, home)).toContain(`price 0.010000, ${words}, network \`base\`, probe status unverified`)
    const document = hostsJson(SITE, query, { items: rows, next: null })
    expect(hosts.parse(document).hosts[0]?.match?.sources_say).toEqual({
      ...{ lowest: '0.000500', highest: '0.250000', line: words },
    })
    const plain = [hostRow(HOST, { match: { ...match, spread: null } })]
    expect(homePage(SITE, homeView(plain, { query }))).toContain('GET /now</a> 0.010000, unverified')
    expect(hostsJson(SITE, query, { items: plain, next: null }).hosts[0]?.match).not.toHaveProperty('sources_say')
  })
})
