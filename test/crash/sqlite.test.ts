import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { examine, type Findings, strayLines } from './examine.ts'
import type { Orders } from './orders.ts'
import { killAll, Program } from './program.ts'
import { type Seeded, startSeeded } from './seeded.ts'
import { nextUnit, UNITS_A_FILE } from './units.ts'

/** Rounds on one data folder, and data folders: 20 kills in all. */
const ROUNDS = 5
const SERIES = 4

/** How many lines each program says before the moment of its kill is drawn, and how long it may live on. */
const MOMENTS = {
  import: { lines: UNITS_A_FILE + 1, ms: 120 },
  append: { lines: 30, ms: 30 },
} as const

const folders: string[] = []
afterEach(async () => {
  await killAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** One data folder under a program that is killed again and again. */
function series(name: 'import' | 'append', acknowledge: Orders['acknowledge'], random: Seeded) {
  const folder = temporaryFolder()
  folders.push(folder)
  const said = new Set<number>()
  const options = { dataDir: folder, databaseUrl: undefined }
  const round = async (): Promise<Findings> => {
    // It goes on with the first unit not said to be kept, which may be there already.
    const program = new Program(name, { dataDir: folder, folder, acknowledge, from: nextUnit(name, said) }, said)
    await program.says(random.between(1, MOMENTS[name].lines))
    await wait(random.between(0, MOMENTS[name].ms))
    await program.kill()
    return examine(options, said)
  }
  return { said, round, stray: () => strayLines(options) }
}

describe.each(['import', 'append'] as const)('kill -9 of the program on SQLite, under %s', (name) => {
  it(`loses nothing acknowledged, keeps nothing twice and every counter right, ${SERIES * ROUNDS} times`, async () => {
    const random = startSeeded(`SQLite, ${name}, acknowledged after the commit`)
    let kept = 0
    let between = 0
    for (let s = 0; s < SERIES; s++) {
      const { said, round, stray } = series(name, 'after', random)
      for (let n = 1; n <= ROUNDS; n++) {
        const { unsaid, ...faults } = await round()
        expect(faults, `kill ${s * ROUNDS + n}`).toEqual({ lost: [], uneven: [], differences: [] })
        // One transaction at a time: at most one was kept and not said so.
        expect(unsaid.length).toBeLessThanOrEqual(1)
        between += unsaid.length
      }
      expect(await stray()).toEqual([])
      kept += said.size
    }
    console.info(`${kept} units kept, ${between} times killed between a commit and its word`)
    expect(kept).toBeGreaterThan((SERIES * ROUNDS) / 2)
  }, 180_000)

  it('is seen to lose data when it is acknowledged before the commit', async () => {
    const { round } = series(name, 'before', startSeeded(`SQLite, ${name}, acknowledged before the commit`))
    let lost: readonly number[] = []
    for (let n = 1; n <= SERIES * ROUNDS && lost.length === 0; n++) lost = (await round()).lost
    expect(lost.length).toBeGreaterThan(0)
  }, 180_000)
})
