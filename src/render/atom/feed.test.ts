import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVENT_KINDS, type EventKind } from '../../domain/event.ts'
import type { EventView } from '../../views/events/events-view.ts'
import { HOST, SITE } from '../testing/sample-views.ts'
import { atomFeed, entryId } from './feed.ts'
import { event } from './testing/samples.ts'

const shown = { cursor: null, limit: null }
const hostile = '</summary><script>alert(1)</script>&"\u0007'

describe('a feed', () => {
  it('has an id, a time, an author and links to itself, its page and what follows', () => {
    const feed = atomFeed(SITE, HOST, { items: [event(2), event(1)], next: 'older' }, shown)
    expect(feed).toContain(`<id>https://tollbook.example/hosts/${HOST}/feed.atom</id>`)
    expect(feed).toContain('<updated>2026-11-14T12:34:56.123458Z</updated>')
    expect(feed).toContain('<author><name>Tollbook</name></author>')
    expect(feed).toContain(
      `<link rel="next" type="application/atom+xml" href="https://tollbook.example/hosts/${HOST}/feed.atom?cursor=older"/>`,
    )
    expect(feed).toContain(`<title type="text">Price changed: ${HOST}</title>`)
    expect(feed).toContain('Price: 0.010000 → 0.020000')
    expect(feed.match(/<entry>/g)).toHaveLength(2)
  })

  it('names the source and the network whose price changed', () => {
    const data = { from: '0.010000', to: '0.020000', source: 'bazaar', network: 'base' }
    const feed = atomFeed(SITE, HOST, { items: [event(1, { data })], next: null }, shown)
    expect(feed).toContain('Price that bazaar states on base: 0.010000 → 0.020000')
  })

  it('says what a post in the thread was paid through, and nothing where nothing is known', () => {
    const about = (data: EventView['data'], kind: EventKind = 'post'): string =>
      atomFeed(SITE, HOST, { items: [event(1, { kind, route: null, data })], next: null }, shown)
    expect(about({ post: 'p-1', rail: 'mpp' })).toContain('<summary type="text">Paid through mpp</summary>')
    expect(about({ post: 'p-1' })).not.toContain('<summary')
    for (const kind of EVENT_KINDS) expect(about({}, kind)).not.toMatch(/<summary[^>]*>\s*<\/summary>/)
  })

  it('says in the title what a seller said, and whether a route or the host is retired', () => {
    const titled = (says: string, more: Partial<EventView> = { route: null }): string =>
      atomFeed(SITE, HOST, { items: [event(1, { kind: 'statement', data: { says }, ...more })], next: null }, shown)
    const title = (words: string): string => `<title type="text">${words}: ${HOST}</title>`
    expect(titled('retire')).toContain(title('The seller retires the host'))
    expect(titled('retire', {})).toContain(title('The seller retires a route'))
    expect(titled('moved')).toContain(title('The seller says that the host moved'))
    expect(titled('reply')).toContain(title('The seller answers'))
    expect(titled('<script>')).toContain(title('The seller says something'))
  })

  it('of a quiet directory is a feed as well', () => {
    const feed = atomFeed(SITE, null, { items: [], next: null }, shown)
    expect(feed).toContain('<updated>1970-01-01T00:00:00.000000Z</updated>')
    expect(feed).not.toContain('rel="next"')
  })

  it.each(EVENT_KINDS)('keeps what strangers wrote out of the title and out of the markup: %s', (kind) => {
    const route = { ...(event(1).route ?? never()), path: hostile, address: `https://${HOST}/${hostile}` }
    const data = { from: hostile, to: hostile, reason: hostile, source: hostile, price: hostile, network: hostile }
    const feed = atomFeed(SITE, null, { items: [event(1, { kind, route, data })], next: null }, shown)
    expect(feed).not.toContain('<script>')
    expect(feed).not.toContain('\u0007')
    expect(/<title type="text">(.*)<\/title>/.exec(feed)?.[1]).not.toContain('alert')
  })

  it('gives an announcement the same id wherever it is read, and no other one that id', () => {
    const ids = fc.record({ host: fc.constantFrom('a.example', 'b.example'), atUs: fc.nat(), number: fc.nat() })
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        expect(entryId(a)).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        const same = a.host === b.host && a.atUs === b.atUs && a.number === b.number
        expect(entryId(a) === entryId(b)).toBe(same)
      }),
    )
  })
})

function never(): never {
  throw new Error('the sample has a route')
}
