import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RESULTS } from '../../domain/probe.ts'
import { aDay, TODAY } from '../testing/sample-views.ts'
import { dayBar } from './day-bar.ts'

const counts = fc
  .record({ answers: fc.nat(500), '402-correct': fc.nat(500), failed: fc.nat(500), unreachable: fc.nat(500) })
  .filter((one) => RESULTS.some((result) => one[result] > 0))

/** The columns of a path: where, how wide, how high. */
const columns = (d: string) =>
  Array.from(d.matchAll(/M(\d+) 20v-(\d+)h(\d+)v\2z/g), ([, x, height, width]) => ({
    x: Number(x),
    height: Number(height),
    width: Number(width),
  }))

describe('the bar of days', () => {
  it('gives every class that occurred a column of its own height, and fills each day exactly', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(29)), fc.array(counts, { minLength: 30, maxLength: 30 }), (agos, all) => {
        const days = agos.map((ago, index) => aDay(ago, all[index])).sort((a, b) => a.day - b.day)
        const bar = dayBar(days, TODAY, 30)
        for (const { day, results } of days) {
          const from = (day - TODAY + 29) * 10
          const drawn = bar.paths.slice(1).flatMap(({ result, d }) =>
            columns(d)
              .filter(({ x }) => x >= from && x < from + 10)
              .map((one) => ({ result, ...one })),
          )
          expect(drawn.map(({ result }) => result)).toEqual(RESULTS.filter((result) => results[result] > 0))
          expect(drawn.reduce((sum, { width }) => sum + width, 0)).toBe(9)
          expect(Math.min(...drawn.map(({ width }) => width))).toBeGreaterThan(0)
        }
        const heights = bar.paths.map(({ d }) => new Set(columns(d).map(({ height }) => height)))
        expect(heights.every(({ size }) => size === 1)).toBe(true)
        expect(new Set(heights.map((set) => [...set][0])).size).toBe(bar.paths.length)
      }),
    )
  })

  it('says in words what it counts, of the days it shows and no others', () => {
    const days = [
      aDay(90, { failed: 7 }),
      aDay(89, { '402-correct': 2 }),
      aDay(0, { '402-correct': 1, unreachable: 1 }),
    ]
    expect(dayBar(days, TODAY, 90).label).toBe(
      '90 days to 2026-11-14: 0 answers · 3 402-correct · 0 failed · 1 unreachable',
    )
  })
})
