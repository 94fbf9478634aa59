import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSignedAt, isStale, parseSignedAt, signedAtFault } from './signed-at.ts'

const NOW_US = Date.UTC(2026, 10, 14, 12, 0, 0) * 1000

describe('a signing time', () => {
  it('is written and read without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7_000_000_000 }), (seconds) => {
        expect(parseSignedAt(formatSignedAt(seconds * 1_000_000))).toBe(seconds * 1_000_000)
      }),
    )
  })

  it('has one form only', () => {
    for (const text of [
      '1',
      '2026-02-30T00:00:00Z',
      '2026-11-14T12:00:00.0Z',
      '2026-11-14T12:00:00+00:00',
      ' 2026-11-14T12:00:00Z',
    ])
      expect(parseSignedAt(text)).toBeUndefined()
  })

  it('counts for ten minutes, and two ahead', () => {
    const at = (seconds: number) => signedAtFault(formatSignedAt(NOW_US + seconds * 1_000_000), NOW_US)
    expect([at(-600), at(0), at(120)]).toEqual([undefined, undefined, undefined])
    expect(at(-601)).toMatch(/10 minutes ago/)
    expect(at(121)).toMatch(/2 minutes ahead/)
    expect(signedAtFault('yesterday', NOW_US)).toMatch(/form/)
  })

  it('is stale once it is too old, never when it is to come or no time at all', () => {
    const at = (seconds: number) => isStale(formatSignedAt(NOW_US + seconds * 1_000_000), NOW_US)
    expect([at(-601), at(-600), at(0), at(121)]).toEqual([true, false, false, false])
    expect(isStale('yesterday', NOW_US)).toBe(false)
  })
})
