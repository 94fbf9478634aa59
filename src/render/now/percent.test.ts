import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { percentOf, percentText } from './percent.ts'

const parts = fc
  .tuple(fc.nat({ max: 1_000_000 }), fc.nat({ max: 1_000_000 }))
  .filter(([part, rest]) => part + rest > 0)
  .map(([part, rest]) => ({ part, whole: part + rest }))

describe('a share', () => {
  it('is never rounded to all or nothing while that is not so, and is at most one off', () => {
    fc.assert(
      fc.property(parts, ({ part, whole }) => {
        const percent = percentOf(part, whole)
        expect([percent === 100, percent === 0]).toEqual([part === whole, part === 0])
        expect(Math.abs(percent - (100 * part) / whole)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('is printed to a tenth, by the same rule', () => {
    expect(percentText(1230, 1240)).toBe('99.2 %')
    expect([percentText(0, 3), percentText(3, 3), percentText(1, 2)]).toEqual(['0 %', '100 %', '50 %'])
    fc.assert(
      fc.property(parts, ({ part, whole }) => {
        const [, digits] = /^(\d{1,3}(?:\.\d)?) %$/.exec(percentText(part, whole)) ?? []
        expect([Number(digits) === 100, Number(digits) === 0]).toEqual([part === whole, part === 0])
        expect(Math.abs(Number(digits) - (100 * part) / whole)).toBeLessThanOrEqual(0.1001)
      }),
    )
  })
})
