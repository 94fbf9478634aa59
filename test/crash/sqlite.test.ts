import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { examine, type Findings } from './examine.ts'
import type { Orders } from './orders.ts'
import { killAll, Program } from './program.ts'
import { freshSeed, seeded } from './seeded.ts'
import { FIRST_APPENDED, isAppended, UNITS_A_FILE } from './units.ts'

const ROUNDS = 20
const folders: string[] = []

afterEach(async () => {
  await killAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** One data folder under an importing and an appending program, both killed again and again. */
function worked(acknowledge: Orders['acknowledge']) {
  const folder = temporaryFolder()
  folders.push(folder)
  const said = new Set<number>()
  const random = seeded(freshSeed())
  console.info(`kill -9 of the program, acknowledging ${acknowledge} the commit: CRASH_SEED=${random.seed}`)
  const orders = { dataDir: folder, folder, acknowledge }

  const round = async (): Promise<Findings> => {
    // Both go on with the first thing not said to be kept: some of it may be there already.
    const imported = firstMissing(said, 0)
    const programs = [
      new Program('append', { ...orders, from: firstMissing(said, FIRST_APPENDED) }, said),
      new Program('import', { ...orders, from: imported - (imported % UNITS_A_FILE) }, said),
    ]
    await Promise.all(programs.map((program) => program.works()))
    await wait(random.between(30, 200))
    await Promise.all(programs.map((program) => program.kill()))
    return examine({ dataDir: folder, databaseUrl: undefined }, said)
  }
  return { said, round }
}

function firstMissing(said: ReadonlySet<number>, from: number): number {
  let unit = from
  while (said.has(unit)) unit++
  return unit
}

describe('kill -9 of programs that import and append side by side, on SQLite', () => {
  it(`loses nothing acknowledged, keeps nothing twice and every counter right, ${ROUNDS} times`, async () => {
    const { said, round } = worked('after')
    let cutShort = 0
    for (let n = 1; n <= ROUNDS; n++) {
      const { stored, unsaid, ...faults } = await round()
      expect(faults, `round ${n}`).toEqual({ lost: [], torn: [], twice: [], differences: [] })
      // Each program has one transaction at a time.
      expect(unsaid.filter(isAppended).length).toBeLessThanOrEqual(1)
      expect(unsaid.filter((unit) => !isAppended(unit)).length).toBeLessThanOrEqual(1)
      if (said.size % UNITS_A_FILE !== 0) cutShort++
      expect(stored.size).toBeGreaterThan(0)
    }
    expect(cutShort).toBeGreaterThan(0)
    expect([...said].filter(isAppended).length).toBeGreaterThan(ROUNDS)
    expect([...said].filter((unit) => !isAppended(unit)).length).toBeGreaterThan(ROUNDS / 4)
  }, 120_000)

  it('is seen to lose data when it is acknowledged before the commit', async () => {
    const { round } = worked('before')
    let lost: readonly number[] = []
    for (let n = 1; n <= ROUNDS && lost.length === 0; n++) lost = (await round()).lost
    expect(lost.length).toBeGreaterThan(0)
  }, 120_000)
})
