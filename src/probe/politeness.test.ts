import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aProbe, NOON_US } from '../../test/support/samples.ts'
import { LONGEST_PAUSE_MS, retryAfterMs } from '../wire/retry-after.ts'
import { isOptedOut, pauseAsked } from './politeness.ts'
import type { Probed } from './probe-route.ts'

const answered = (httpStatus: number | null, retryAfter?: string): Probed => ({
  entry: aProbe({ httpStatus }),
  payees: [],
  offers: [],
  endUs: NOON_US,
  isConnected: httpStatus !== null,
  headers: retryAfter === undefined ? [] : [['RETRY-After', retryAfter]],
})

describe('politeness', () => {
  it('leaves a host alone for as long as it asks, in seconds or until a date', () => {
    expect(pauseAsked(answered(429, '120'))).toBe(120_000)
    expect(pauseAsked(answered(503, 'Sat, 14 Nov 2026 12:05:00 GMT'))).toBe(300_000)
    expect(pauseAsked(answered(503, 'Sat, 14 Nov 2026 11:00:00 GMT'))).toBe(0)
    expect(pauseAsked(answered(301, ' 5 '))).toBe(5000)
  })

  it('never for longer than a day', () => {
    expect(pauseAsked(answered(429, '99999999999999999999'))).toBe(LONGEST_PAUSE_MS)
    expect(pauseAsked(answered(503, 'Fri, 14 Nov 2126 12:00:00 GMT'))).toBe(LONGEST_PAUSE_MS)
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 300, max: 599 }), (text, status) => {
        const pause = pauseAsked(answered(status, text)) ?? 0
        expect(pause).toBeGreaterThanOrEqual(0)
        expect(pause).toBeLessThanOrEqual(LONGEST_PAUSE_MS)
      }),
    )
  })

  it('takes "too many requests" without a time for a minute', () => {
    expect(pauseAsked(answered(429))).toBe(60_000)
    expect(pauseAsked(answered(429, 'soon'))).toBe(60_000)
  })

  it('does not wait after an answer, an offer or no answer at all', () => {
    expect(pauseAsked(answered(200, '120'))).toBeNull()
    expect(pauseAsked(answered(304, '120'))).toBeNull()
    expect(pauseAsked(answered(402, '120'))).toBeNull()
    expect(pauseAsked(answered(503))).toBeNull()
    expect(pauseAsked(answered(null))).toBeNull()
  })

  it('reads no date that is none', () => {
    for (const text of ['', 'x', '-1', '1.5', '2026-11-14', 'Nonsense GMT'])
      expect(retryAfterMs(text, 0)).toBeUndefined()
  })

  it('knows who has opted out, whatever the port', () => {
    const list = ['one.example', '*.all.example']
    for (const host of ['one.example', 'one.example:8443', 'a.all.example', 'b.a.all.example:81'])
      expect(isOptedOut(list, host)).toBe(true)
    for (const host of ['two.example', 'a.one.example', 'all.example', 'notall.example', 'one.example.org'])
      expect(isOptedOut(list, host)).toBe(false)
  })
})
