import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listingLine } from '../domain/listing.ts'
import { routeFacts } from '../domain/money/route-price.ts'
import { hostPage } from './html/pages/host.tsx'
import { routeJson } from './json/route.ts'
import { hostMarkdown } from './markdown/host.ts'
import { routeBlocks } from './markdown/route.ts'
import { routeLine } from './markdown/route-line.ts'
import { hostCheck, routeCheck } from './now/now-words.ts'
import { goneWords, observedPrice, otherMatch, priceDifference, sourcesSay } from './observed.ts'
import { challenge, FULL_HOST, listing, NOON_US, probe, route, SITE } from './testing/sample-views.ts'

const asked = (price: number | null, network?: string) => probe(402, { challenge: challenge(price, network) })

describe('the observed price of a route', () => {
  it('is what the newest challenge asked, even when newer entries carried none', () => {
    const older = probe(402, { challenge: challenge(30_000), atUs: NOON_US - 2 })
    const view = route('/a', {
      probes: [probe(200), probe(402, { challenge: challenge(20_000), atUs: NOON_US - 1 }), older],
    })
    expect(observedPrice(view)).toEqual({ price: 20_000, network: 'base', atUs: NOON_US - 1 })
  })

  it('is the offer on the listed network, under whichever name the seller writes it', () => {
    const both = {
      offers: [...challenge(5000, 'solana').offers, ...challenge(10_000, 'eip155:8453').offers],
      warnings: [],
    }
    expect(observedPrice(route('/a', { probes: [probe(402, { challenge: both })] }))?.price).toBe(10_000)
  })

  it('is not known when the challenge has no readable price on the rail of the route', () => {
    expect(observedPrice(route('/a', { probes: [asked(null)] }))).toBeNull()
    expect(observedPrice(route('/a', { rail: 'mpp', probes: [asked(10_000)] }))).toBeNull()
    expect(observedPrice(route('/a'))).toBeNull()
  })

  it('is put in words only where it differs from the listed price', () => {
    expect(priceDifference(route('/a', { probes: [asked(10_000)] }))).toBeNull()
    expect(priceDifference(route('/a', { probes: [asked(20_000)] }))).toBe(
      'Machine-observed price 0.020000 in the newest challenge (2026-11-14T12:34:56.123456Z); the listed price is 0.010000.',
    )
    expect(priceDifference(route('/a', { price: null, probes: [asked(0)] }))).toContain('price 0.000000 in the newest')
    expect(priceDifference(route('/a', { price: null, probes: [asked(0)] }))).toContain('no price is listed')
  })
})

describe('a challenge that asks the listed price on another network', () => {
  const probes = [probe(402, { challenge: challenge(10_000, 'tempo:1337', 'mpp') })]
  const view = route('/a', { rail: 'mpp', network: 'tempo:4217', probeStatus: 'differs', probes })
  const listed = { rail: 'mpp', network: 'tempo:4217', price: 10_000 } as const
  const check = { verified: 0, differs: 1, asks: challenge(10_000, 'tempo:1337', 'mpp'), listed }
  const words = 'asks on tempo:1337, listed on tempo:4217'

  it('differs by its network, and both checks say so instead of the price', () => {
    expect(routeCheck(view)).toBe(`differs, ${words}`)
    expect(hostCheck(check, 1)).toBe(`differs, ${words}`)
    expect(hostCheck(check, 2)).toBe(`differs on 1 of 2 routes, ${words}`)
    expect(priceDifference(view)).toBe(`The newest challenge (2026-11-14T12:34:56.123456Z) ${words}.`)
  })

  it('stands on the page, in JSON and, quoted, in Markdown', () => {
    const host = { ...FULL_HOST, routes: [view], check }
    const at = '2026-11-14T12:34:56.123456Z'
    expect(routeJson(SITE, view, { cards: false })).toMatchObject({
      challenge_asks: { price: '0.010000', network: 'tempo:1337', at, line: `The newest challenge (${at}) ${words}.` },
    })
    const quoted = 'asks on `tempo:1337`, listed on `tempo:4217`'
    expect(hostPage(SITE, host, { cards: false, cursor: null }).split(words)).toHaveLength(3)
    expect(hostMarkdown(SITE, host, { cards: false })).toContain(`Price check: differs on 1 of 2 routes, ${quoted}`)
    expect(routeBlocks(SITE, 'api.example', view, false)).toContain(
      `The newest challenge (2026-11-14T12:34:56.123456Z) ${quoted}.`,
    )
  })

  it('is nothing to tell where one network is written in two ways, or another price is asked', () => {
    const base = route('/a', { probeStatus: 'differs', probes: [asked(10_000, 'eip155:8453')] })
    expect([routeCheck(base), priceDifference(base)]).toEqual(['differs', null])
    const dearer = route('/a', { probeStatus: 'differs', probes: [asked(20_000, 'solana')] })
    expect(routeCheck(dearer)).toBe('differs, asks 0.020000')
  })
})

describe('a route that differs', () => {
  const price = fc.constantFrom(null, 10_000, 250_000)
  const network = fc.constantFrom(null, 'tempo:4217', 'tempo:1337')
  const rail = fc.constantFrom('x402' as const, 'mpp' as const)
  const nobody = fc.constant(null)
  const offer = fc.record({ rail, price, network, asset: nobody, payee: nobody })

  it('says in what, whatever either side leaves out', () => {
    fc.assert(
      fc.property(price, network, fc.array(offer, { maxLength: 3 }), (listedPrice, listedOn, offers) => {
        const asks = { offers, warnings: [] }
        const rows = [listing({ price: listedPrice, network: listedOn })]
        const { probeStatus } = routeFacts('mpp', rows, asks)
        const listed = { rail: 'mpp', price: listedPrice, network: listedOn } as const
        const view = route('/a', { ...listed, probeStatus, probes: [probe(402, { challenge: asks })] })
        if (probeStatus !== 'differs') return
        expect(routeCheck(view)).toMatch(/^differs, asks /)
        expect(priceDifference(view)).not.toBeNull()
      }),
      { numRuns: 2000 },
    )
  })

  it('asks what is offered without a network, where the offer on the listed one has no price', () => {
    const offers = [...challenge(10_000, undefined, 'mpp').offers, ...challenge(null, 'tempo:4217', 'mpp').offers]
    const asks = { offers: offers.map((one, n) => (n === 0 ? { ...one, network: null } : one)), warnings: [] }
    const listed = { rail: 'mpp', price: 250_000, network: 'tempo:4217' } as const
    expect(routeFacts('mpp', [listing(listed)], asks).probeStatus).toBe('differs')
    const view = route('/a', { ...listed, probeStatus: 'differs', probes: [probe(402, { challenge: asks })] })
    expect(routeCheck(view)).toBe('differs, asks 0.010000')
    expect(priceDifference(view)).toContain('price 0.010000 in the newest')
  })
})

describe('a challenge that asks on another rail alone', () => {
  const instead = challenge(10_000, 'tempo:4217', 'mpp')
  const view = route('/a', { probeStatus: 'differs', probes: [probe(402, { challenge: instead })] })
  const words = 'asks on mpp, listed on x402'

  it('differs by its rail, and every view of it says so', () => {
    const check = { verified: 0, differs: 1, asks: instead, listed: view }
    expect([routeCheck(view), hostCheck(check, 1)]).toEqual([`differs, ${words}`, `differs, ${words}`])
    expect(priceDifference(view)).toBe(`The newest challenge (2026-11-14T12:34:56.123456Z) ${words}.`)
    const page = hostPage(SITE, { ...FULL_HOST, routes: [view] }, { cards: false, cursor: null })
    expect(page).toContain(`<td data-name="Observed" class="check differs">differs, ${words}</td>`)
  })

  it('is nothing to tell where the rail is offered too', () => {
    const offers = [...challenge(null).offers, ...instead.offers]
    const both = route('/a', { probes: [probe(402, { challenge: { offers, warnings: [] } })] })
    expect([routeCheck(both), priceDifference(both)]).toEqual(['unverified', null])
  })
})

describe('a challenge that differs from a row that does not say all', () => {
  it('says in what', () => {
    const unnamed = route('/a', { network: null, probeStatus: 'differs', probes: [asked(5_000_000)] })
    expect(routeCheck(unnamed)).toBe('differs, asks 5.000000')
    const unpriced = route('/a', { price: null, probeStatus: 'differs', probes: [asked(10_000, 'solana')] })
    expect(routeCheck(unpriced)).toBe('differs, asks on solana, listed on base')
    expect(priceDifference(unpriced)).toContain(') asks on solana, listed on base.')
    const unread = route('/a', { probeStatus: 'differs', probes: [asked(null, 'solana')] })
    expect(routeCheck(unread)).toBe('differs, asks on solana, listed on base')
  })
})

describe('where current rows disagree', () => {
  const view = route('/a', {
    spread: { low: 10_000, high: 250_000 },
    matching: { source: 'index`x', price: 10_000, network: 'base-sepolia' },
    probeStatus: 'differs',
  })

  it('is said in words, and which row the newest challenge matches', () => {
    expect(sourcesSay(view)).toBe('sources say 0.010000 to 0.250000')
    expect(otherMatch(view)).toBe('The newest challenge asks for what index`x says: 0.010000 on base-sepolia.')
    expect([sourcesSay(route('/a')), otherMatch(route('/a'))]).toEqual([null, null])
  })

  it('is said in every view of a route: list, cards, Markdown, one line, JSON', () => {
    const host = { ...FULL_HOST, routes: [view] }
    const texts = [
      hostPage(SITE, host, { cards: false, cursor: null }),
      hostPage(SITE, host, { cards: true, cursor: null }),
      routeBlocks(SITE, 'api.example', view, false).join('\n'),
      routeBlocks(SITE, 'api.example', view, true).join('\n'),
      routeLine(view),
      JSON.stringify(routeJson(SITE, view, { cards: false })),
    ]
    for (const text of texts) expect(text).toContain('sources say 0.010000 to 0.250000')
    expect(routeJson(SITE, view, { cards: false })).toMatchObject({
      sources_say: { lowest: '0.010000', highest: '0.250000' },
      challenge_matches: { source: 'index`x', price: '0.010000', network: 'base-sepolia' },
    })
    expect(routeBlocks(SITE, 'api.example', view, false).join('\n')).toContain('what ``index`x`` says')
  })

  it('leaves no warning beside a route that is verified', () => {
    const older = route('/a', { probeStatus: 'verified', probes: [asked(20_000)] })
    expect(priceDifference(older)).toBeNull()
    expect(routeJson(SITE, older, { cards: false }).challenge_asks).toBeUndefined()
  })

  it('says under a row that its source names no method', () => {
    const row = { ...listing(), isMethodStated: false, goneUs: NOON_US }
    const words = 'its source names no method; GET is assumed'
    const silent = route('/a', { listings: [row] })
    const lines = `${listingLine(row)}\n  ${words}\n  ${goneWords(row)}`
    expect(routeBlocks(SITE, 'api.example', silent, false).join('\n')).toContain(lines)
    expect(hostPage(SITE, { ...FULL_HOST, routes: [silent] }, { cards: false, cursor: null })).toContain(words)
    expect(routeJson(SITE, silent, { cards: false }).listings[0]).toMatchObject({ method_stated: false })
    expect(routeJson(SITE, route('/a'), { cards: false }).listings[0]?.method_stated).toBeUndefined()
  })

  it('names under a row since when its source does not name it', () => {
    const row = { ...listing(), goneUs: NOON_US }
    const words = 'no longer named since the complete sweep of 2026-11-14T12:34:56.123456Z'
    expect(goneWords(row)).toBe(words)
    const gone = route('/a', { listings: [row] })
    expect(routeBlocks(SITE, 'api.example', gone, false).join('\n')).toContain(`${listingLine(row)}\n  ${words}`)
    expect(hostPage(SITE, { ...FULL_HOST, routes: [gone] }, { cards: false, cursor: null })).toContain(words)
    expect(routeJson(SITE, gone, { cards: false }).listings[0]).toMatchObject({
      no_longer_named_since: '2026-11-14T12:34:56.123456Z',
    })
  })
})
