import { describe, expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

describe('retryAfterMs', () => {
  it('reads seconds and HTTP dates, and never a time before now', () => {
    const now = Date.UTC(2026, 10, 14, 12, 0, 0)
    expect(retryAfterMs('7', now)).toBe(7_000)
    expect(retryAfterMs('Sat, 14 Nov 2026 12:00:30 GMT', now)).toBe(30_000)
    expect(retryAfterMs('Sat, 14 Nov 2026 11:00:00 GMT', now)).toBe(0)
  })

  it('reads nothing into anything else', () => {
    for (const text of [null, '', 'soon', '-1', '1.5', '2026-11-14']) expect(retryAfterMs(text, 0)).toBeUndefined()
  })

  it('takes an absurd number of seconds for the wish to be left alone', () => {
    expect(retryAfterMs('9'.repeat(20), 0)).toBeGreaterThan(1e20)
  })
})
