import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultOfSources, intervalOf, parseIntervals, parseSources } from './source-settings.ts'

describe('the list of sources', () => {
  it('names each with its kind and address', () => {
    expect(
      parseSources(
        'bazaar-cdp=bazaar:https://cdp.example/x402, mine=file:listings.ndjson,openapi=openapi,own=well-known:',
      ),
    ).toEqual([
      { name: 'bazaar-cdp', kind: 'bazaar', address: 'https://cdp.example/x402' },
      { name: 'mine', kind: 'file', address: 'listings.ndjson' },
      { name: 'openapi', kind: 'openapi', address: '' },
      { name: 'own', kind: 'well-known', address: '' },
    ])
  })

  it('may be none', () => {
    expect(parseSources('none')).toEqual([])
  })

  it('is refused whole when one cannot be read', () => {
    for (const text of [
      '',
      'x',
      'x=bazaar',
      'x=bazaar:ftp://a.example',
      'x=unknown:https://a.example',
      'x=file:',
      'a=openapi,a=well-known',
      '=bazaar:https://a.example',
      'o=openapi:https://a.example',
    ]) {
      expect(parseSources(text), text).toBeUndefined()
    }
  })

  it('says of the first entry that cannot be read where it stands and what is wrong, and repeats no address', () => {
    const before = 'a=openapi, b=file:x,'
    for (const [entry, fault] of [
      ['x', 'entry 3: not of the form name=kind:address'],
      ['=file:x', 'entry 3: not of the form name=kind:address'],
      ['c=bazar:https://c.example/?key=hunter2', 'entry 3 (c): none of these kinds'],
      ['c=bazaar:hunter2@c.example', 'entry 3 (c): bazaar takes an http or https address'],
      ['c=openapi:https://c.example', 'entry 3 (c): openapi takes no address'],
      ['c=file:', 'entry 3 (c): file takes the path of a file'],
      ['a=well-known', 'entry 3 (a): entry 1 has that name'],
      ['c=file:y', undefined],
    ] as const) {
      expect(faultOfSources(before + entry), entry).toBe(fault)
      expect(faultOfSources(`${before + entry},d=nosuch`), entry).toBe(fault ?? 'entry 4 (d): none of these kinds')
    }
  })

  it('never gives two sources one name', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a=openapi', 'b=openapi', 'c=file:x', 'a=file:y'), { minLength: 1 }),
        (items) => {
          const read = parseSources(items.join(','))
          const names = items.map((item) => item[0])
          expect(read === undefined).toBe(new Set(names).size < names.length)
        },
      ),
    )
  })
})

describe('the intervals of sweeps', () => {
  it('are a usual one and those of single sources', () => {
    const intervals = parseIntervals('1h, openapi=24h')
    expect(intervals && [intervalOf(intervals, 'bazaar'), intervalOf(intervals, 'openapi')]).toEqual([
      3_600_000, 86_400_000,
    ])
  })

  it('are refused without a usual one, with two, or with nonsense', () => {
    for (const text of ['', 'openapi=24h', '1h,2h', '1h,x=', 'soon']) expect(parseIntervals(text), text).toBeUndefined()
  })
})
