import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isServed, LONGEST_OUTCOME_MS, notServedLine, outcomeLine, paidCallsLine } from './outcome.ts'

const NOON_US = Date.UTC(2026, 10, 14, 12, 34) * 1000
const SHA = 'ab'.repeat(32)

const outcome = fc.record({
  httpStatus: fc.option(fc.integer({ min: 100, max: 999 })),
  latencyMs: fc.integer({ min: 0, max: LONGEST_OUTCOME_MS }),
  contentSha256: fc.option(fc.stringMatching(/^[0-9a-f]{64}$/)),
})

describe('the line of an outcome', () => {
  it('is status, milliseconds and digest, or none', () => {
    expect(outcomeLine({ httpStatus: 500, latencyMs: 812, contentSha256: null })).toBe('outcome 500 812 none')
    expect(outcomeLine({ httpStatus: null, latencyMs: 0, contentSha256: null })).toBe('outcome none 0 none')
    expect(outcomeLine({ httpStatus: 200, latencyMs: 1, contentSha256: SHA })).toBe(`outcome 200 1 ${SHA}`)
  })

  it('is one line that says everything that is signed: it reads back, and two outcomes never share one', () => {
    fc.assert(
      fc.property(outcome, outcome, (one, other) => {
        const line = outcomeLine(one)
        const [, status, ms, digest] = /^outcome (\d{3}|none) (\d+) ([0-9a-f]{64}|none)$/.exec(line) ?? []
        expect({
          httpStatus: status === 'none' ? null : Number(status),
          latencyMs: Number(ms),
          contentSha256: digest === 'none' ? null : digest,
        }).toEqual(one)
        expect(line === outcomeLine(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })
})

describe('a paid call', () => {
  it('was served when its status is under 400', () => {
    fc.assert(
      fc.property(outcome, ({ httpStatus }) => {
        expect(isServed({ httpStatus })).toBe(httpStatus !== null && httpStatus <= 399)
      }),
    )
  })

  it('is counted in exact lines, one a level', () => {
    const calls = { served: 11, notServed: 1 }
    expect(paidCallsLine('Verified buyer', calls)).toBe(
      'Paid calls reported by verified buyers: 12 · 11 served · 1 not served',
    )
    expect(paidCallsLine('Signed', calls)).toMatch(/^Paid calls reported with a signature alone: 12 · /)
    expect(paidCallsLine('Unsigned', calls)).toMatch(/^Paid calls reported without a signature: 12 · /)
  })

  it('that was not served names its payment', () => {
    const call = { review: 'r', network: 'eip155:8453', transaction: '0xab', latencyMs: 812, reportedUs: NOON_US }
    expect(notServedLine({ ...call, httpStatus: 500 })).toBe(
      'Not served: HTTP 500 after 812 ms, paid by 0xab on eip155:8453, reported 2026-11-14 12:34',
    )
    expect(notServedLine({ ...call, httpStatus: null })).toMatch(/^Not served: no answer after 812 ms/)
  })
})
