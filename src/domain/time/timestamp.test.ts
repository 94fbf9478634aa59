import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMinute, formatTimestamp, LATEST_US, parseTimestamp } from './timestamp.ts'

const anyTime = fc.integer({ min: 0, max: LATEST_US })
const SECOND_US = 1_000_000

describe('formatTimestamp and parseTimestamp', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000000Z'],
    [1, '1970-01-01T00:00:00.000001Z'],
    [999_999, '1970-01-01T00:00:00.999999Z'],
    [Date.UTC(2026, 10, 14, 12, 34, 56) * 1000 + 123_456, '2026-11-14T12:34:56.123456Z'],
    [Date.UTC(2024, 1, 29) * 1000, '2024-02-29T00:00:00.000000Z'],
    [LATEST_US, '2199-12-31T23:59:59.999999Z'],
  ])('prints %d as %s', (us, text) => {
    expect(formatTimestamp(us)).toBe(text)
    expect(parseTimestamp(text)).toBe(us)
  })

  it('keep every microsecond', () => {
    fc.assert(
      fc.property(anyTime, (us) => {
        const text = formatTimestamp(us)
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
        expect(parseTimestamp(text)).toBe(us)
        expect(Date.parse(text)).toBe(Math.floor(us / 1000))
      }),
      { numRuns: 5000 },
    )
  })

  it('keep each of the microseconds of a run through a second, in order', () => {
    const from = LATEST_US - 2 * SECOND_US
    let before = ''
    for (let us = from; us < from + SECOND_US; us += 37) {
      const text = formatTimestamp(us)
      if (text <= before || parseTimestamp(text) !== us) expect.fail(`${us} was printed as ${text}`)
      before = text
    }
    expect(before.slice(0, 20)).toBe('2199-12-31T23:59:58.')
  })

  it('print to the minute what they print to the microsecond', () => {
    fc.assert(
      fc.property(anyTime, (us) => {
        expect(`${formatMinute(us).replace(' ', 'T')}:`).toBe(formatTimestamp(us).slice(0, 17))
      }),
    )
  })

  it('order texts as times', () => {
    fc.assert(
      fc.property(anyTime, anyTime, (a, b) => {
        const [x, y] = [formatTimestamp(a), formatTimestamp(b)]
        expect(x < y ? -1 : x > y ? 1 : 0).toBe(Math.sign(a - b))
      }),
    )
  })

  it('take fewer fractional digits for what they mean', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 6 }), fc.nat(999_999), (seconds, digits, fraction) => {
        const written = String(fraction).padStart(6, '0').slice(0, digits)
        const whole = formatTimestamp(seconds * SECOND_US).slice(0, 19)
        expect(parseTimestamp(`${whole}.${written}Z`)).toBe(seconds * SECOND_US + Number(written.padEnd(6, '0')))
        expect(parseTimestamp(`${whole}Z`)).toBe(seconds * SECOND_US)
      }),
    )
  })

  it('read nothing that does not print back the same', () => {
    const two = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'))
    const nearly = fc
      .tuple(fc.integer({ min: 1900, max: 2300 }), two, two, two, two, two)
      .map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}.000000Z`)
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string()), (text) => {
        const us = parseTimestamp(text)
        if (us !== undefined && text.length === 27) expect(formatTimestamp(us)).toBe(text)
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ['30 February', '2026-02-30T00:00:00.000000Z'],
    ['29 February of a year without one', '2023-02-29T00:00:00.000000Z'],
    ['29 February 2100, which is no leap year', '2100-02-29T00:00:00.000000Z'],
    ['31 April', '2026-04-31T00:00:00.000000Z'],
    ['month 13', '2026-13-01T00:00:00.000000Z'],
    ['month 0', '2026-00-01T00:00:00.000000Z'],
    ['day 0', '2026-01-00T00:00:00.000000Z'],
    ['24 o’clock', '2026-01-01T24:00:00.000000Z'],
    ['a leap second', '2016-12-31T23:59:60.000000Z'],
    ['a bare number', '1'],
    ['milliseconds since 1970', '1763121296123'],
    ['a date alone', '2026-11-14'],
    ['an offset', '2026-11-14T12:34:56.123456+00:00'],
    ['an offset without a colon', '2026-11-14T12:34:56.123456+0000'],
    ['no zone', '2026-11-14T12:34:56.123456'],
    ['a lower-case t', '2026-11-14t12:34:56.123456Z'],
    ['a lower-case z', '2026-11-14T12:34:56.123456z'],
    ['a space for the T', '2026-11-14 12:34:56.123456Z'],
    ['seven fractional digits', '2026-11-14T12:34:56.1234567Z'],
    ['a point without digits', '2026-11-14T12:34:56.Z'],
    ['a comma', '2026-11-14T12:34:56,123456Z'],
    ['no seconds', '2026-11-14T12:34Z'],
    ['the basic form', '20261114T123456Z'],
    ['an expanded year', '+002026-11-14T12:34:56.123456Z'],
    ['the year 1969', '1969-12-31T23:59:59.999999Z'],
    ['the year 2200', '2200-01-01T00:00:00.000000Z'],
    ['a line break behind', '2026-11-14T12:34:56.123456Z\n'],
    ['a space before', ' 2026-11-14T12:34:56.123456Z'],
    ['other digits', '２０２６-11-14T12:34:56.123456Z'],
    ['nothing', ''],
  ])('refuse %s', (_what, text) => expect(parseTimestamp(text)).toBeUndefined())
})
