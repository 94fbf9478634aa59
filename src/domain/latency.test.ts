import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { latencyLine, medianOf, middleRanks } from './latency.ts'

describe('latencyLine', () => {
  it('says when there is nothing', () => expect(latencyLine(null)).toBe('Latency: no data'))

  it.each([
    [
      { samples: 3, minMs: 80, medianMs: 120.5, maxMs: 1400 },
      'Latency: 3 samples: minimum 80 ms, median 120.5 ms, maximum 1,400 ms',
    ],
    [{ samples: 1, minMs: 0, medianMs: 0, maxMs: 0 }, 'Latency: 1 samples: minimum 0 ms, median 0 ms, maximum 0 ms'],
    [
      { samples: 1_000_000, minMs: 999, medianMs: 1000, maxMs: 1_234_567 },
      'Latency: 1000000 samples: minimum 999 ms, median 1,000 ms, maximum 1,234,567 ms',
    ],
    [
      { samples: 2, minMs: 1000, medianMs: 1000.5, maxMs: 1001 },
      'Latency: 2 samples: minimum 1,000 ms, median 1,000.5 ms, maximum 1,001 ms',
    ],
  ])('prints %o to the character', (latency, line) => expect(latencyLine(latency)).toBe(line))

  it('has the specified form for every summary, a separator exactly from 1,000 on', () => {
    const ms = fc.nat(2 ** 31 - 1)
    fc.assert(
      fc.property(fc.integer({ min: 1 }), ms, fc.nat(2 ** 32 - 2), ms, (samples, minMs, twice, maxMs) => {
        const line = latencyLine({ samples, minMs, medianMs: twice / 2, maxMs })
        const number = '(\\d{1,3}(?:,\\d{3})*)'
        const form = new RegExp(
          `^Latency: (\\d+) samples: minimum ${number} ms, median ${number}(\\.5)? ms, maximum ${number} ms$`,
        )
        const [, n, min = '', whole = '', half, max = ''] = form.exec(line) ?? []
        const value = (text: string): number => Number(text.replaceAll(',', ''))
        expect([Number(n), value(min), value(whole) + (half ? 0.5 : 0), value(max)]).toEqual([
          samples,
          minMs,
          twice / 2,
          maxMs,
        ])
      }),
      { numRuns: 500 },
    )
  })
})

describe('middleRanks and medianOf', () => {
  it('give the median that sorting gives', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 31 - 1), { minLength: 1, maxLength: 200 }), (latencies) => {
        const sorted = latencies.toSorted((a, b) => a - b)
        const [low, high] = middleRanks(sorted.length)
        const median = medianOf(sorted[low - 1] ?? Number.NaN, sorted[high - 1] ?? Number.NaN)
        const half = sorted.length / 2
        expect(sorted.filter((ms) => ms < median).length).toBeLessThanOrEqual(half)
        expect(sorted.filter((ms) => ms > median).length).toBeLessThanOrEqual(half)
        const expected =
          sorted.length % 2 ? sorted[(sorted.length - 1) / 2] : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
        expect(median).toBe(expected)
        expect(Number.isInteger(median * 2)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('are the same rank exactly when the number of entries is odd', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 1 }), (samples) => {
        const [low, high] = middleRanks(samples)
        expect(high - low).toBe(samples % 2 === 0 ? 1 : 0)
        // As many entries below the lower rank as above the higher one.
        expect(low - 1).toBe(samples - high)
      }),
    )
  })
})
