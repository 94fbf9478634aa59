import { describe, expect, it } from 'vitest'
import { DEFAULT_RATE_LIMITS, parseRateLimits } from './rates.ts'

describe('rate limits', () => {
  it('are read as written', () => {
    expect(parseRateLimits(DEFAULT_RATE_LIMITS)).toEqual({
      unsigned: { count: 5, windowMs: 3_600_000 },
      'unsigned-host': { count: 50, windowMs: 86_400_000 },
      signed: { count: 60, windowMs: 3_600_000 },
      'seller-host': { count: 60, windowMs: 3_600_000 },
      reads: { count: 600, windowMs: 60_000 },
    })
    expect(parseRateLimits(' reads = 10/s ')).toMatchObject({
      reads: { count: 10, windowMs: 1000 },
      unsigned: { count: 5 },
    })
    expect(parseRateLimits('off')).toBeNull()
  })

  it.each(['', 'on', 'reads', 'reads=0/m', 'reads=10', 'reads=10/w', 'reads=-1/m', 'reads=1/m,', 'writes=1/m'])(
    'are refused as %s',
    (text) => {
      expect(parseRateLimits(text)).toBeUndefined()
    },
  )
})
