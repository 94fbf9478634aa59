import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importedLine } from './import.ts'

describe('what an import says of itself', () => {
  it('adds up to the records of the file, and tells those that were there apart', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: -5 }), (records, grown) => {
        const [, added = '', rest = '0'] =
          /^Imported (\d+) records?(?:; (\d+) of \d+ were there already)?\.$/.exec(importedLine(records, grown)) ?? []
        expect(Number(added) + Number(rest)).toBe(records)
        expect(Number(added)).toBeLessThanOrEqual(Math.max(0, grown))
      }),
    )
    expect(importedLine(4, 4)).toBe('Imported 4 records.')
    expect(importedLine(27_010, 0)).toBe('Imported 0 records; 27010 of 27010 were there already.')
    const old = '5 of 10 are older than what is kept here and were left out.'
    expect(importedLine(3, 1, { changed: 1 })).toBe(
      'Imported 1 record; 1 of 3 changed rows that were there; 1 of 3 were there already.',
    )
    expect(importedLine(1, 1, { changed: 1 })).toBe('Imported 1 record.')
    expect(importedLine(10, 3, { leftOut: 5 })).toBe(`Imported 3 records; 2 of 10 were there already; ${old}`)
    expect(importedLine(10, 9, { leftOut: 5 })).toBe(`Imported 5 records; ${old}`)
  })
})
