import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interleaved, median, megabytes, milliseconds, perSecond } from './measure.ts'

describe('median', () => {
  it('has as many values below it as above it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1 }), (values) => {
        const middle = median(values)
        expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(values.length / 2)
        expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(values.length / 2)
      }),
    )
  })

  it('refuses to speak of nothing', () => {
    expect(() => median([])).toThrow('nothing')
  })
})

describe('interleaved', () => {
  it('takes the median of the ratios of single rounds, with each side first every other round', async () => {
    const order: string[] = []
    const side = (name: string, values: number[]) => async (): Promise<number> => {
      order.push(name)
      return values.shift() ?? Number.NaN
    }
    // The second round met a machine ten times as slow: its ratio stays.
    const found = await interleaved(3, side('ours', [90, 8, 100]), side('limit', [100, 10, 100]))
    expect(found).toEqual({ measured: 90, limit: 100, ratio: 0.9 })
    expect(order).toEqual(['ours', 'limit', 'limit', 'ours', 'ours', 'limit'])
  })
})

describe('figures', () => {
  it('carry their unit', () => {
    expect(perSecond(12_345.6)).toBe('12,346/s')
    expect(milliseconds(0.614)).toBe('0.61 ms')
    expect(megabytes(300 * 1024 * 1024)).toBe('300 MB')
  })
})
