import { describe, expect, it } from 'vitest'
import { type BenchRow, isMet } from './row.ts'
import { tableOf } from './table.ts'

const row = (more: Partial<BenchRow>): BenchRow => ({
  what: 'a page',
  measured: '9/s',
  limit: '10/s bare',
  ratio: 0.9,
  aim: null,
  ...more,
})

describe('tableOf', () => {
  it('prints a Markdown table whose columns line up', () => {
    const rows = [row({ aim: { atLeast: 0.9 } }), row({ what: 'a view', ratio: 3.456, aim: { below: 3 } }), row({})]
    expect(tableOf(rows).split('\n')).toEqual([
      '| what   | measured | limit in the same run | ratio |         aim | met |',
      '|--------|---------:|----------------------:|------:|------------:|----:|',
      '| a page |      9/s |             10/s bare |  0.90 | 0.9 or more | yes |',
      '| a view |      9/s |             10/s bare |  3.46 |     under 3 |  no |',
      '| a page |      9/s |             10/s bare |  0.90 |           — |   — |',
    ])
  })
})

describe('isMet', () => {
  it('holds at the bound where a ratio must reach it, and not where it must stay below', () => {
    expect(isMet({ ratio: 0.9, aim: { atLeast: 0.9 } })).toBe(true)
    expect(isMet({ ratio: 0.8999, aim: { atLeast: 0.9 } })).toBe(false)
    expect(isMet({ ratio: 3, aim: { below: 3 } })).toBe(false)
    expect(isMet({ ratio: 2.9999, aim: { below: 3 } })).toBe(true)
    expect(isMet({ ratio: 1, aim: null })).toBeNull()
  })
})
