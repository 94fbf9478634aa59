import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIXTURES, fixtureTable, readFixtures, routesIn, rowsHash } from '../../../scripts/fixture-table.ts'

describe.skipIf(existsSync(FIXTURES))('the real samples', () => {
  it(`are not here: ${FIXTURES} has them where they are, and the table of docs/sources.md is not checked without`, () => {
    expect(existsSync(FIXTURES)).toBe(false)
  })
})

describe.runIf(existsSync(FIXTURES))('the real samples', () => {
  it('all go in, and every file gives routes or says why not', () => {
    const results = readFixtures(FIXTURES)
    expect(results.length).toBeGreaterThanOrEqual(22)
    for (const { file, found } of results) {
      expect(found.seen, file).toBeGreaterThan(0)
      expect(found.listings.length + found.refused.length, file).toBeGreaterThan(0)
      expect(
        found.refused.filter(({ reason }) => reason.startsWith('bad_')),
        file,
      ).toEqual([])
    }
  })

  it('give a route for every item of the two directories', () => {
    const [bazaar, mpp] = readFixtures(FIXTURES)
    expect(bazaar && routesIn(bazaar.found)).toBe(500)
    expect(mpp && routesIn(mpp.found)).toBe(290)
    expect(mpp?.found.listings.filter(({ price, network }) => price === 0 && network === null)).toHaveLength(131)
    expect(mpp?.found.listings.filter(({ price }) => price === null)).toHaveLength(23)
  })

  it('give the table that docs/sources.md shows', () => {
    const results = readFixtures(FIXTURES)
    const page = readFileSync('docs/sources.md', 'utf8')
    expect(page).toContain(fixtureTable(results))
    expect(page).toContain(`\`${rowsHash(results)}\``)
  })
})
