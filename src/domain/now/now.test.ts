import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LATEST_US } from '../time/timestamp.ts'
import { type Now, nowLine } from './now.ts'

const at = (text: string): number => Date.parse(text) * 1000
const NOW: Now = {
  httpStatus: 402,
  sinceUs: at('2026-11-01T00:00:00Z'),
  checkedUs: at('2026-11-14T12:34:56.789Z'),
  last402Us: at('2026-11-12T20:03:59Z'),
  asked: { price: 10_000, network: 'base' },
}

describe('what is true now', () => {
  it('is one line a class, to the minute', () => {
    expect(nowLine(NOW)).toBe('Requested payment 2026-11-14 12:34, 0.010000 on base')
    expect(nowLine({ ...NOW, asked: null })).toBe('Requested payment 2026-11-14 12:34')
    const failing = { ...NOW, httpStatus: 500, sinceUs: at('2026-11-13T02:08:00Z'), asked: null }
    expect(nowLine(failing)).toBe('Failing since 2026-11-13 02:08 (HTTP 500); last requested payment 2026-11-12 20:03')
    expect(nowLine({ ...failing, httpStatus: null, last402Us: null })).toBe(
      'Unreachable since 2026-11-13 02:08; never seen to request payment',
    )
    expect(nowLine({ ...failing, httpStatus: 204 })).toBe(
      'Answering without payment since 2026-11-13 02:08 (HTTP 204); last requested payment 2026-11-12 20:03',
    )
  })

  it('begins with the word of its class and is one line, whatever was seen', () => {
    const time = fc.integer({ min: 0, max: LATEST_US })
    fc.assert(
      fc.property(
        fc.record({
          httpStatus: fc.option(fc.integer({ min: 100, max: 999 })),
          sinceUs: time,
          checkedUs: time,
          last402Us: fc.option(time),
          asked: fc.option(fc.record({ price: fc.nat(), network: fc.option(fc.constant('base')) })),
        }),
        (now) => {
          expect(nowLine(now)).toMatch(
            /^(Requested payment|Answering without payment since|Failing since|Unreachable since) \d{4}-\d\d-\d\d \d\d:\d\d[ -~]*$/,
          )
        },
      ),
    )
  })
})
