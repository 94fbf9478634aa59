import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoffMs, isLasting, isPassing } from './patience.ts'

const patience = { attempts: 5, firstWaitMs: 1_000, longestWaitMs: 60_000, longestRetryAfterMs: 300_000 }

describe('backoffMs', () => {
  it('doubles from half of the full wait up to all of it, within the longest', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, chance) => {
          const full = Math.min(60_000, 1_000 * 2 ** (attempt - 1))
          const wait = backoffMs(attempt, patience, chance)
          expect(wait).toBeGreaterThanOrEqual(full / 2)
          expect(wait).toBeLessThanOrEqual(full)
        },
      ),
    )
  })
})

describe('what is tried again', () => {
  it('is a busy or broken server, not a refusal and not a name that does not exist', () => {
    expect([429, 408, 500, 503].every(isPassing)).toBe(true)
    expect([301, 400, 401, 403, 404, 410].some(isPassing)).toBe(false)
    expect([isLasting('dns_not_found'), isLasting('body_overflow'), isLasting('connection_reset')]).toEqual([
      true,
      true,
      false,
    ])
  })
})
