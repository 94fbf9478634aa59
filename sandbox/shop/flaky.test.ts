import { describe, expect, it } from 'vitest'
import { MOODS, moodOf } from './flaky.ts'

describe('a flaky seller', () => {
  it('shows every mood in a round, and no route the same one twice in a row', () => {
    const rounds = Array.from({ length: 8 }, (_, round) =>
      Array.from({ length: MOODS }, (_, route) => moodOf(round * MOODS + route)),
    )
    for (const [at, round] of rounds.entries()) {
      expect(new Set(round).size).toBe(MOODS)
      expect(round.some((mood, route) => mood === rounds[at + 1]?.[route])).toBe(false)
    }
  })
})
