import { describe, expect, it } from 'vitest'
import { EMPTY_THREAD, LEVEL_MEANINGS, LEVELS, REVIEWS_HEADING } from './review.ts'

describe('the words of reviews and threads', () => {
  it('stand as specified', () => {
    expect(LEVELS.map((level) => `${level}: ${LEVEL_MEANINGS[level]}`)).toEqual([
      'Verified buyer: A valid signature and a matching public payment support the review.',
      'Signed: A valid wallet signature supports the review, but no matching payment does.',
      'Unsigned: No wallet signature supports the review.',
    ])
    expect(REVIEWS_HEADING).toBe('Reviews for this route')
    expect(EMPTY_THREAD).toBe('No thread posts exist.')
  })
})
