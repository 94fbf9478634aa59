import { describe, expect, it } from 'vitest'
import { encodeCursor } from '../wire/cursor.ts'
import { pageOf, positionOf } from './page.ts'

describe('a page of a list', () => {
  it('goes on after its last item only where there was one more row', () => {
    const numbers = pageOf('n', [1, 2, 3], 2, String, (n) => [n])
    expect(numbers).toEqual({ items: ['1', '2'], next: encodeCursor('n', [2]) })
    expect(pageOf('n', [1, 2], 2, String, (n) => [n])).toEqual({ items: ['1', '2'], next: null })
  })

  it('begins where a cursor of its own list says, and at the beginning without one', () => {
    const shape = ['number', 'string'] as const
    expect(positionOf('n', shape, encodeCursor('n', [7, 'b']))).toEqual([7, 'b'])
    expect(positionOf('n', shape, null)).toBeNull()
  })

  it.each([
    ['of another list', encodeCursor('m', [7, 'b'])],
    ['of other values', encodeCursor('n', ['b', 7])],
    ['with a value missing', encodeCursor('n', [7, null])],
    ['too short', encodeCursor('n', [7])],
    ['that is none', 'nothing'],
  ])('refuses a cursor %s', (_, cursor) => {
    expect(() => positionOf('n', ['number', 'string'], cursor)).toThrow('does not belong to this list')
  })
})
