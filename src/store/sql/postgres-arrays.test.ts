import { expect, it } from 'vitest'
import { ARRAY_OF } from './postgres-arrays.ts'

it('What is no whole number is refused, and not made one.', () => {
  for (const wrong of [1.5, Number.NaN, 2 ** 53, '1'])
    expect(() => ARRAY_OF.int([[1], [wrong]], 0)).toThrow(`${wrong} is no whole number`)
})
