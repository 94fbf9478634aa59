import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify } from '../../domain/probe.ts'
import { probe } from '../testing/sample-views.ts'
import { runsOf } from './probe-runs.ts'

const entry = (httpStatus: number | null) => ({
  ...probe(httpStatus),
  method: 'GET' as const,
  rail: 'x402' as const,
  address: 'https://api.example/x',
})

describe('runs of entries', () => {
  it('keep every entry in its order, and neighbours are of different classes', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(402, 402, 402, 200, 404, 500, null)), (statuses) => {
        const entries = statuses.map(entry)
        const runs = runsOf(entries)
        expect(runs.flatMap((run) => run.entries)).toEqual(entries)
        expect(runs.every(({ result, entries }) => entries.every((one) => classify(one.httpStatus) === result))).toBe(
          true,
        )
        expect(runs.every(({ result }, at) => result !== runs[at + 1]?.result)).toBe(true)
      }),
    )
  })
})
