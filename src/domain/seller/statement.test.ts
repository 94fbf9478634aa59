import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { METHODS, RAILS } from '../route.ts'
import { parseAbout, retirementsOf, STATEMENT_KINDS, type Told } from './statement.ts'

const HOST = 'api.example.com'
const aboutOf = (kind: (typeof STATEMENT_KINDS)[number], text: string) => {
  const reading = parseAbout(kind, text, HOST, [])
  return reading.ok ? reading.about : undefined
}

describe('what a statement is about', () => {
  it('is read back from how it is written', () => {
    const path = fc.stringMatching(/^\/[a-z0-9/_{}:.-]{0,40}$/)
    const source = fc.option(fc.stringMatching(/^[a-z][a-z0-9 .-]{0,20}[a-z0-9]$/))
    fc.assert(
      fc.property(
        fc.constantFrom(...METHODS),
        path,
        fc.constantFrom(...RAILS),
        source,
        (method, path, rail, source) => {
          const written = `${method} https://${HOST}${path} ${rail}`
          const address = { scheme: 'https', host: HOST, path }
          expect(aboutOf('correct', source === null ? written : `${written} ${source}`)).toEqual({
            ...{ what: 'route', method, rail, address, source },
          })
          for (const kind of ['retire', 'probe'] as const) {
            expect(aboutOf(kind, written)).toEqual({ what: 'route', method, rail, address, source: null })
          }
        },
      ),
    )
  })

  it('never throws, is one line and stays on its own host, whatever is sent', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATEMENT_KINDS), fc.string({ unit: 'binary', maxLength: 80 }), (kind, text) => {
        const about = aboutOf(kind, text)
        if (about === undefined) return
        expect(text).not.toMatch(/[\n\r]/)
        if (about.what === 'route') expect(about.address.host).toBe(HOST)
        if (about.what === 'host' && kind !== 'moved') expect(about.host).toBe(HOST)
      }),
    )
  })

  it('is refused in words where it is something else', () => {
    for (const [kind, text] of [
      ['reply', 'review'],
      ['reply', 'review a b'],
      ['reply', 'page abc'],
      ['retire', 'GET https://api.other.com/x x402'],
      ['retire', 'get https://api.example.com/x x402'],
      ['retire', 'GET https://api.example.com/x card'],
      ['probe', HOST],
      ['moved', HOST],
      ['moved', 'localhost'],
      ['moved', 'Api.Shop.Example'],
      ['contact', 'api.other.com'],
      ['contact', `${HOST}\nprobe`],
    ] as const) {
      const reading = parseAbout(kind, text, HOST, [])
      expect([text, reading.ok, reading.ok ? '' : reading.reason]).toEqual([text, false, expect.stringContaining(kind)])
    }
    expect(aboutOf('moved', 'api.shop.example')).toEqual({ what: 'host', host: 'api.shop.example' })
  })
})

describe('what is retired', () => {
  const told: fc.Arbitrary<Told> = fc.record({
    id: fc.stringMatching(/^[a-f0-9]{4}$/),
    kind: fc.constantFrom(...STATEMENT_KINDS),
    about: fc.constantFrom('api.shop.example', 'api.other.example'),
    routeId: fc.constantFrom(null, 1, 2),
    atUs: fc.integer({ min: 0, max: 20 }),
  })

  it('follows from what was told, whatever the order in which it arrived', () => {
    const unique = fc.uniqueArray(told, { selector: ({ id }) => id, maxLength: 12 })
    fc.assert(
      fc.property(unique, fc.infiniteStream(fc.double({ noNaN: true })), (all, random) => {
        const shuffled = all
          .map((one) => ({ one, at: random.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one)
        const sorted = (list: readonly Told[]) =>
          retirementsOf(list).toSorted((a, b) => (a.routeId ?? -1) - (b.routeId ?? -1))
        expect(sorted(shuffled)).toEqual(sorted(all))
      }),
    )
  })

  it('is taken back by a later request to be probed, and never by an earlier one', () => {
    const one = (kind: Told['kind'], routeId: number | null, atUs: number): Told => ({
      ...{ id: `${kind}-${atUs}`, kind, routeId, atUs, about: 'api.shop.example' },
    })
    expect(retirementsOf([one('retire', 1, 5), one('probe', 1, 4)])).toHaveLength(1)
    expect(retirementsOf([one('retire', 1, 5), one('probe', 1, 6)])).toEqual([])
    expect(retirementsOf([one('retire', 1, 5), one('probe', 2, 6)])).toHaveLength(1)
    expect(retirementsOf([one('moved', null, 5), one('probe', 2, 6)])).toEqual([])
    expect(retirementsOf([one('retire', null, 4), one('moved', null, 5)])).toMatchObject([
      { movedTo: 'api.shop.example' },
    ])
  })
})
