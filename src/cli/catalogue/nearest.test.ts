import { describe, expect, it } from 'vitest'
import { CATALOGUE } from './catalogue.ts'
import { nearest } from './nearest.ts'

const NAMES = CATALOGUE.map(({ name }) => name)

describe('the nearest name', () => {
  it.each([
    ['imoprt', 'import'],
    ['pay', 'payments'],
    ['ad', 'add'],
    ['pst', 'post'],
    ['reviews', 'review'],
    ['docter', 'doctor'],
  ])('to %s is %s', (word, name) => {
    expect(nearest(word, NAMES)).toBe(name)
  })

  it.each(['', 'x', 'frobnicate', 'toString', 'help'])('to %j is none', (word) => {
    expect(nearest(word, NAMES)).toBeUndefined()
  })
})
