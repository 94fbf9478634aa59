import { describe, expect, it } from 'vitest'
import { pauseAskedMs, retryAfterMs } from './retry-after.ts'

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

describe('pauseAskedMs', () => {
  const asked = (status: number | null, retryAfter: string | null) => pauseAskedMs(status, retryAfter, 0)

  it('takes no offer and no document for a refusal, and nobody’s word for longer than a day', () => {
    expect([asked(200, '60'), asked(304, '60'), asked(402, '60'), asked(null, null), asked(404, null)]).toEqual(
      Array.from({ length: 5 }, () => null),
    )
    expect([asked(404, '60'), asked(429, '0'), asked(503, '999999999')]).toEqual([60_000, 0, 86_400_000])
  })

  it('takes too many requests without a time for a minute, and a host that is not available for nothing', () => {
    expect([asked(429, null), asked(429, 'soon')]).toEqual([60_000, 60_000])
    expect([asked(503, null), asked(503, 'soon')]).toEqual([null, null])
  })
})
