import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify, PROBE_HEADING, PROBE_NOTE, type ProbeResult, probeLine, RESULTS, summaryLine } from './probe.ts'
import { formatTimestamp, LATEST_US } from './time/timestamp.ts'

const NOON_US = Date.UTC(2026, 10, 14, 12) * 1000
const STATUSES = Array.from({ length: 900 }, (_, i) => 100 + i)

describe('classify', () => {
  it('goes by the status alone, for every status there is', () => {
    const by = (result: ProbeResult): number[] => STATUSES.filter((status) => classify(status) === result)
    expect(by('answers')).toEqual(STATUSES.filter((status) => status < 400))
    expect(by('402-correct')).toEqual([402])
    expect(by('failed')).toEqual(STATUSES.filter((status) => status >= 400 && status !== 402))
    expect(by('unreachable')).toEqual([])
    expect(classify(null)).toBe('unreachable')
  })

  it.each([
    [200, 'answers'],
    [402, '402-correct'],
    [400, 'failed'],
    [401, 'failed'],
    [404, 'failed'],
    [415, 'failed'],
  ])('finds %d to be %s, as specified', (status, result) => expect(classify(status)).toBe(result))
})

describe('probeLine', () => {
  it.each([
    [
      { httpStatus: 402, latencyMs: 80, error: null },
      '402-correct — date 2026-11-14T12:00:00.000000Z; HTTP 402; latency 80 ms; error no data',
    ],
    [
      { httpStatus: 200, latencyMs: 1400, error: null },
      'answers — date 2026-11-14T12:00:00.000000Z; HTTP 200; latency 1400 ms; error no data',
    ],
    [
      { httpStatus: 404, latencyMs: 0, error: 'not found' },
      'failed — date 2026-11-14T12:00:00.000000Z; HTTP 404; latency 0 ms; error not found',
    ],
    [
      { httpStatus: null, latencyMs: 10_000, error: 'timeout' },
      'unreachable — date 2026-11-14T12:00:00.000000Z; HTTP no data; latency 10000 ms; error timeout',
    ],
  ])('prints %o to the character', (entry, line) => expect(probeLine({ ...entry, atUs: NOON_US })).toBe(line))

  it('begins with the class of its own status, for every status', () => {
    const anyEntry = fc.record({
      atUs: fc.integer({ min: 0, max: LATEST_US }),
      httpStatus: fc.option(fc.integer({ min: 100, max: 999 })),
      latencyMs: fc.nat(2 ** 31 - 1),
      error: fc.option(fc.string()),
    })
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const { atUs, httpStatus, latencyMs, error } = entry
        const http = httpStatus === null ? 'no data' : httpStatus
        expect(probeLine(entry)).toBe(
          `${classify(httpStatus)} — date ${formatTimestamp(atUs)}; HTTP ${http}; latency ${latencyMs} ms; error ${error ?? 'no data'}`,
        )
      }),
    )
  })
})

describe('summaryLine', () => {
  it('prints the four counts as specified, zeros too', () => {
    expect(summaryLine({ answers: 0, '402-correct': 0, failed: 0, unreachable: 0 })).toBe(
      '0 answers · 0 402-correct · 0 failed · 0 unreachable',
    )
    expect(summaryLine({ answers: 1, '402-correct': 1_000_000, failed: 3, unreachable: 4 })).toBe(
      '1 answers · 1000000 402-correct · 3 failed · 4 unreachable',
    )
  })

  it('counts one for each entry', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 100, max: 999 }))), (statuses) => {
        const counts = { answers: 0, '402-correct': 0, failed: 0, unreachable: 0 }
        for (const status of statuses) counts[classify(status)]++
        const printed = [...summaryLine(counts).matchAll(/(\d+) (answers|402-correct|failed|unreachable)/g)]
        expect(printed.map(([, , name]) => name)).toEqual([...RESULTS])
        expect(printed.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(statuses.length)
      }),
    )
  })
})

describe('the heading of a probe history', () => {
  it('and its note stand as specified', () => {
    expect([PROBE_HEADING, PROBE_NOTE]).toEqual(['Machine-observed probe history', 'This evidence is not a review.'])
  })
})
