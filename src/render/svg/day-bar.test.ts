import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RESULTS, type ResultCounts } from '../../domain/probe.ts'
import { aDay, TODAY } from '../testing/sample-views.ts'
import { COLUMN, dayBar, dayTitles, HEIGHT } from './day-bar.ts'

const counts = fc
  .record({ answers: fc.nat(500), '402-correct': fc.nat(500), failed: fc.nat(500), unreachable: fc.nat(500) })
  .filter((one) => RESULTS.some((result) => one[result] > 0))

/** The boxes of a path: where, how high. */
const boxes = (d: string) =>
  Array.from(d.matchAll(/M(\d+) (\d+)h9v(\d+)h-9z/g), ([, x, y, height]) => ({
    x: Number(x),
    y: Number(y),
    height: Number(height),
  }))

const drawnAt = (days: ReturnType<typeof dayBar>, from: number) =>
  days.paths.flatMap(({ result, d }) =>
    boxes(d)
      .filter(({ x }) => x === from)
      .map((box) => ({ result, ...box })),
  )

const troubleOf = (results: ResultCounts): number => results.failed + results.unreachable

describe('the bar of days', () => {
  it('fills every day from foot to top, trouble above, and trouble with at least its share', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(29)), fc.array(counts, { minLength: 30, maxLength: 30 }), (agos, all) => {
        const days = agos.map((ago, index) => aDay(ago, all[index])).sort((a, b) => a.day - b.day)
        const bar = dayBar(days, TODAY, 30)
        for (const { day, results } of days) {
          const drawn = drawnAt(bar, (day - TODAY + 29) * 10).toSorted((a, b) => b.y - a.y)
          expect(drawn.map(({ result }) => result)).toEqual(
            (['402-correct', 'answers', 'failed', 'unreachable'] as const).filter((result) => results[result] > 0),
          )
          expect(drawn.reduce((sum, { height }) => sum + height, 0)).toBe(HEIGHT)
          expect(drawn.every(({ y, height }, at) => y + height === (drawn[at - 1]?.y ?? HEIGHT))).toBe(true)
          const total = RESULTS.reduce((sum, result) => sum + results[result], 0)
          const trouble = drawn.filter(({ result }) => ['failed', 'unreachable'].includes(result))
          const covered = trouble.reduce((sum, { height }) => sum + height, 0)
          const fine = drawn.length - trouble.length
          expect(covered).toBeGreaterThanOrEqual(Math.min((troubleOf(results) / total) * HEIGHT, HEIGHT - 2 * fine))
          if (trouble.length > 0) expect(covered).toBeGreaterThanOrEqual(5)
        }
        expect(dayTitles(days, TODAY, 30)).toHaveLength(days.length)
        expect(bar.width).toBe(30 * 10 - (10 - COLUMN))
      }),
    )
  })

  it('draws nothing for a day without an entry, and names every other', () => {
    const days = [aDay(1, { failed: 3 })]
    const bar = dayBar(days, TODAY, 30)
    expect(bar.paths).toEqual([{ result: 'failed', d: 'M280 0h9v20h-9z' }])
    expect(dayTitles(days, TODAY, 30)).toEqual([
      { x: 280, title: '2026-11-13: 0 answers · 0 402-correct · 3 failed · 0 unreachable' },
    ])
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
