import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareBytes } from './order.ts'

const anyText = fc.string({ unit: 'grapheme' })

describe('compareBytes', () => {
  it('orders as the UTF-8 bytes do', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      { numRuns: 1000 },
    )
  })

  it('is zero for equal texts only, and opposite the other way round', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(compareBytes(a, b) === 0).toBe(a === b)
        expect(Math.sign(compareBytes(b, a))).toBe(0 - Math.sign(compareBytes(a, b)))
        expect(compareBytes(a, a)).toBe(0)
      }),
    )
  })

  it('puts what is beyond the first plane last, where UTF-16 would not', () => {
    expect(['𐀀', '\uffee', 'z', 'é', '', 'Z', '/'].toSorted(compareBytes)).toEqual([
      '',
      '/',
      'Z',
      'z',
      'é',
      '\uffee',
      '𐀀',
    ])
    expect('𐀀' < '\uffee').toBe(true)
  })

  it('puts a text before all that it begins', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(compareBytes(a, a + b)).toBeLessThanOrEqual(0)
      }),
    )
  })
})
