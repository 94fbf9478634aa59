import { describe, expect, it } from 'vitest'
import { table } from './table.ts'

describe('a table', () => {
  it('aligns text to the left and numbers to the right', () => {
    expect(
      table(
        ['source', 'seen'],
        [
          ['bazaar', 15_000],
          ['x', 7],
        ],
      ),
    ).toBe('source    seen\nbazaar  15,000\nx            7\n')
  })

  it('is its head alone without rows', () => {
    expect(table(['a', 'b'], [])).toBe('a  b\n')
  })
})
