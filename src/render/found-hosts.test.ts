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
    expect(hostsJson(SITE, query, { items: plain, next: null }).hosts[0]?.match?.sources_say).toBeUndefined()
  })

  it('are called by their names where these stand among other words, beside those that are not known', () => {
    const asked = { ...all, q: `${HOST} vs b.example` }
    const home = homeView([hostRow(HOST)], { query: asked, forgiven: [{ word: 'b.example', takenFor: [] }] })
    const words = `their name in “${HOST} vs b.example”`
    expect(homePage(SITE, home)).toContain(`Hosts with ${words}, sorted`)
    expect(homePage(SITE, home)).toContain('<p>No host is called “b.example” here.</p>')
    expect(hostsMarkdown(SITE, home)).toContain(`- \`${words}\``)
    expect(hostsMarkdown(SITE, home)).toContain('No host is called `b.example` here.')
  })

  it('say which word none of them has, and what was taken for it', () => {
    const asked = { ...all, q: 'wether' }
    const forgiven = [{ word: 'wether', takenFor: ['weather', 'wethers'] }]
    const rows = [hostRow(HOST)]
    const home = homeView(rows, { query: asked, forgiven })
    const html = homePage(SITE, home)
    expect(html).toContain('<p>None of these hosts has “wether”: they have “weather” or “wethers”.</p>')
    expect(html).toContain('Hosts with words like “wether” in a name, path or description, sorted')
    const markdown = hostsMarkdown(SITE, home)
    expect(markdown).toContain('\nNone of these hosts has `wether`: they have `weather` or `wethers`.\n')
    expect(markdown).toContain('- `words like “wether” in a name, path or description`')
    const document = hostsJson(SITE, asked, { items: rows, next: null, forgiven })
    expect(hosts.parse(document).forgiven).toEqual([{ word: 'wether', taken_for: ['weather', 'wethers'] }])
    expect(hostsJson(SITE, asked, { items: rows, next: null })).not.toHaveProperty('forgiven')
  })

  it('lead on alike in every form where there are none', () => {
    const asked = { ...all, q: 'image api on Base', sort: 'match' } as const
    const wider = [{ ...asked, q: 'image api', foundOn: ['Base Sepolia'] }]
    const words = 'Search “image api” on any network (found on Base Sepolia)'
    const nothing = { retiredFound: { hosts: 0, isMore: false }, wider }
    expect(hostsMarkdown(SITE, homeView([], { query: asked, ...nothing }))).toContain(
      `- \`${words}\`: <https://tollbook.example/?q=image+api&sort=match&format=md>`,
    )
    expect(hosts.parse(hostsJson(SITE, asked, { items: [], next: null, ...nothing })).ways_on).toEqual([
      { words, href: 'https://tollbook.example/v1/hosts?q=image+api&sort=match' },
    ])
    const why = hostsJson(SITE, { ...all, q: 'a.b.example' }, { items: [], next: null, ...nothing, wider: [] })
    expect(why.ways_on?.[0]?.href).toBe('https://tollbook.example/hosts/a.b.example/why')
    const money = { ...all, q: 'USDC' }
    const line = 'Hosts are not found by the money that they take.'
    expect(hosts.parse(hostsJson(SITE, money, { items: [], next: null, wider: [] })).not_looked_for).toContain(line)
    expect(hostsMarkdown(SITE, homeView([], { query: money, wider: [] }))).toContain(line)
    expect(hostsJson(SITE, asked, { items: [hostRow(HOST)], next: null })).not.toHaveProperty('ways_on')
  })

  it('are those of another list where nothing has the words, which every form says', () => {
    const asked = { ...all, q: 'x402' }
    const instead = { words: 'x402', query: { ...all, q: null, rail: 'x402' } } as const
    const items = [hostRow(HOST)]
    const document = hosts.parse(hostsJson(SITE, asked, { items, next: 'c', instead }))
    const line = 'Nothing has “x402” in a name, path or description. Listed instead: hosts with rail x402.'
    expect(document.instead).toEqual({ of: 'x402', rail: 'x402', network: null, max_price: null, line })
    expect(document.next).toBe(`https://tollbook.example/v1/hosts?rail=x402&sort=${all.sort}&cursor=c`)
    expect(hostsMarkdown(SITE, homeView(items, { query: instead.query, instead }))).toContain(
      line.replace('“x402”', '`x402`'),
    )
  })

  it('say beside the nearest route of a mistyped address that it is another one', () => {
    const row = [hostRow(HOST, { match })]
    const of = (q: string) => hosts.parse(hostsJson(SITE, { ...all, q }, { items: row, next: null })).hosts[0]
    expect(of(`https://${HOST}/nwo`)?.no_match).toBe('no route with this path is on offer')
    expect(of(`https://${HOST}/now`)).not.toHaveProperty('no_match')
  })
})
