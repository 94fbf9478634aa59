import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify } from '../probe.ts'
import { continueRun, type RunEntry } from './run.ts'

const entries = fc.array(fc.record({ atUs: fc.nat(40), httpStatus: fc.constantFrom(null, 200, 402, 404, 500) }), {
  maxLength: 30,
})

/** The same said another way: from the newest moment back, while the class stays. */
function runBackwards(all: readonly RunEntry[]) {
  const times = [...new Set(all.map(({ atUs }) => atUs))].sort((a, b) => b - a)
  const statusAt = (us: number): number | null =>
    Math.max(...all.filter(({ atUs }) => atUs === us).map(({ httpStatus }) => httpStatus ?? 0)) || null
  const [newest] = times
  if (newest === undefined) return null
  const end = times.findIndex((us) => classify(statusAt(us)) !== classify(statusAt(newest)))
  const run = end === -1 ? times : times.slice(0, end)
  const paid = all.filter(({ httpStatus }) => httpStatus === 402).map(({ atUs }) => atUs)
  return {
    httpStatus: statusAt(newest),
    sinceUs: run.at(-1) ?? newest,
    last402Us: paid.length === 0 ? null : Math.max(...paid),
  }
}

describe('the run of equal results', () => {
  it('is that of the newest entry, whatever order they come in and however they are cut', () => {
    fc.assert(
      fc.property(entries, fc.nat(40), (all, cut) => {
        const older = all.filter(({ atUs }) => atUs <= cut)
        const newer = all.filter(({ atUs }) => atUs > cut)
        expect(continueRun(continueRun(null, older), newer)).toEqual(runBackwards(all))
      }),
    )
  })

  it('goes on through other statuses of the same class', () => {
    const failing = [402, 500, 404, 503].map((httpStatus, atUs) => ({ atUs, httpStatus }))
    expect(continueRun(null, failing)).toEqual({ httpStatus: 503, sinceUs: 1, last402Us: 0 })
  })
})
