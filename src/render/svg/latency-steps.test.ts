import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aDay, TODAY } from '../testing/sample-views.ts'
import { latencySteps } from './latency-steps.ts'

describe('the line of mean latencies', () => {
  it('has a step per day with a mean, breaks over the others and stays inside its box', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(89), { minLength: 1 }),
        fc.array(fc.nat(20_000), { minLength: 90 }),
        (agos, ms) => {
          const days = agos.map((ago, index) => aDay(ago, {}, ms[index] ?? 0)).sort((a, b) => a.day - b.day)
          const { d = '', height = 0 } = latencySteps(days, TODAY, 90) ?? {}
          expect(d.match(/h10/g)).toHaveLength(days.length)
          const runs = days.filter(({ day }, index) => day !== (days[index - 1]?.day ?? -2) + 1).length
          expect(d.match(/M/g)).toHaveLength(runs)
          const heights = Array.from(d.matchAll(/(?:M\d+ |V)(\d+)/g), ([, y]) => Number(y))
          expect(heights.every((y) => y > 0 && y < height)).toBe(true)
        },
      ),
    )
  })

  it('names its lowest, highest and newest value', () => {
    const days = [aDay(200, {}, 9), aDay(5, {}, 80), aDay(3, {}, null), aDay(2, {}, 1400), aDay(1, {}, 90)]
    expect(latencySteps(days, TODAY, 90)?.label).toBe(
      'Mean latency per day of entries with an HTTP result, 90 days: lowest 80 ms, highest 1,400 ms, newest 90 ms',
    )
  })

  it('is nothing while no day has a mean', () => {
    expect(latencySteps([aDay(1, { unreachable: 3 }, null)], TODAY, 90)).toBeNull()
  })
})
