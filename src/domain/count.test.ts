import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orNoData, thousands } from './count.ts'

describe('thousands', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1400, '1,400'],
    [120.5, '120.5'],
    [999.5, '999.5'],
    [1400.5, '1,400.5'],
    [12_345, '12,345'],
    [999_999, '999,999'],
    [1_000_000, '1,000,000'],
    [2_147_483_647, '2,147,483,647'],
  ])('prints %d as %s', (value, text) => expect(thousands(value)).toBe(text))

  it('puts a comma before every three digits and changes no digit', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const text = thousands(value)
        expect(text).toMatch(/^\d{1,3}(,\d{3})*$/)
        expect(text.replaceAll(',', '')).toBe(String(value))
        expect(text).toBe(value.toLocaleString('en-US'))
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps the half of a median and puts no comma behind the point', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), (whole) => {
        expect(thousands(whole + 0.5)).toBe(`${thousands(whole)}.5`)
      }),
    )
  })
})

describe('orNoData', () => {
  it('says "no data" for the unknown only, never for zero or an empty text', () => {
    expect(orNoData(null)).toBe('no data')
    expect(orNoData(0)).toBe('0')
    expect(orNoData('')).toBe('')
    expect(orNoData('null')).toBe('null')
  })
})
