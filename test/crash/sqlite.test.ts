import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { examine, type Findings, strayLines } from './examine.ts'
import type { Orders } from './orders.ts'
import { killAll, Program } from './program.ts'
import { type Seeded, startSeeded } from './seeded.ts'
import { isAppended, nextUnits, UNITS_A_FILE } from './units.ts'

/** Kills of the program on one data folder, and data folders: 20 kills in all. */
const ROUNDS = 5
const SERIES = 4

const folders: string[] = []
afterEach(async () => {
  await killAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** One data folder under a program that is killed again and again. */
function series(acknowledge: Orders['acknowledge'], random: Seeded) {
  const folder = temporaryFolder()
  folders.push(folder)
  const said = new Set<number>()
  const options = { dataDir: folder, databaseUrl: undefined }
  const round = async (): Promise<Findings> => {
    // It goes on with the first units not said to be kept, which may be there already.
    const program = new Program({ dataDir: folder, folder, acknowledge, ...nextUnits(said) }, said)
    await program.saysOfImport(random.between(1, UNITS_A_FILE + 1))
    await wait(random.between(0, 120))
    await program.kill()
    return examine(options, said)
  }
  return { said, round, stray: () => strayLines(options) }
}

describe('kill -9 of a program that imports and appends, on SQLite', () => {
  it(`loses nothing acknowledged, keeps nothing twice and every counter right, ${SERIES * ROUNDS} times`, async () => {
    const random = startSeeded('SQLite, acknowledged after the commit')
    const kept: number[] = []
    for (let s = 0; s < SERIES; s++) {
      const { said, round, stray } = series('after', random)
      for (let n = 1; n <= ROUNDS; n++) {
        const { unsaid, ...faults } = await round()
        expect(faults, `kill ${s * ROUNDS + n}`).toEqual({ lost: [], uneven: [], differences: [] })
        // Each does one transaction at a time: at most one of each was kept and not said so.
        expect(unsaid.filter(isAppended).length).toBeLessThanOrEqual(1)
        expect(unsaid.length).toBeLessThanOrEqual(2)
      }
      expect(await stray()).toEqual([])
      kept.push(...said)
    }
    expect(kept.filter(isAppended).length).toBeGreaterThan(SERIES * ROUNDS)
    expect(kept.filter((unit) => !isAppended(unit)).length).toBeGreaterThan(SERIES)
  }, 180_000)

  it('is seen to lose both kinds of data when they are acknowledged before the commit', async () => {
    const { round } = series('before', startSeeded('SQLite, acknowledged before the commit'))
    const lost = { appended: 0, imported: 0 }
    for (let n = 1; n <= SERIES * ROUNDS && (lost.appended === 0 || lost.imported === 0); n++) {
      for (const unit of (await round()).lost) lost[isAppended(unit) ? 'appended' : 'imported']++
    }
    expect(lost.appended).toBeGreaterThan(0)
    expect(lost.imported).toBeGreaterThan(0)
  }, 180_000)
})
