import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonical } from './canonical.ts'

it('is the one form of a value: read again it is equal, written again the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonical(value)
      expect(canonical(JSON.parse(text))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

it('does not depend on the order of members', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse())
      expect(canonical(turned)).toBe(canonical(value))
    }),
  )
})

it('writes the example of RFC 8785', () => {
  const value = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  }
  expect(canonical(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

it('orders members by UTF-16 code units', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6']
  const text = canonical(Object.fromEntries(names.map((name) => [name, 0])))
  expect(Object.keys(JSON.parse(text)).filter((name) => name !== '1')).toEqual([
    '\r',
    '\u0080',
    '\u00f6',
    '\u20ac',
    '\u{1f600}',
    '\ufb33',
  ])
})

it('leaves out what is not there and refuses what JSON cannot say', () => {
  expect(canonical({ b: undefined, a: 1 })).toBe('{"a":1}')
  expect(() => canonical([Number.NaN])).toThrow(RangeError)
})
