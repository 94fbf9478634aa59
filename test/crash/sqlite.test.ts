import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { examine, type Findings, strayLines } from './examine.ts'
import type { Orders } from './orders.ts'
import { killAll, Program } from './program.ts'
import { expectBothLost, expectNothingLost, type Series } from './rounds.ts'
import { type Seeded, startSeeded } from './seeded.ts'
import { nextUnits, UNITS_A_FILE } from './units.ts'

/** Kills of the program on one data folder, and data folders: 20 kills in all. */
const ROUNDS = 5
const SERIES = 4
/** Programs and servers start and die dozens of times; a busy machine takes its time. */
const TIMEOUT_MS = 600_000

const folders: string[] = []
afterEach(async () => {
  await killAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** One data folder under a program that is killed again and again. */
async function series(acknowledge: Orders['acknowledge'], random: Seeded): Promise<Series> {
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
  it(
    `loses nothing acknowledged, keeps nothing twice and every counter right, ${SERIES * ROUNDS} times`,
    async () => {
      const random = startSeeded('SQLite, acknowledged after the commit')
      await expectNothingLost(() => series('after', random), SERIES, ROUNDS)
    },
    TIMEOUT_MS,
  )

  it(
    'is seen to lose both kinds of data when they are acknowledged before the commit',
    async () => {
      const random = startSeeded('SQLite, acknowledged before the commit')
      await expectBothLost(await series('before', random), SERIES * ROUNDS)
    },
    TIMEOUT_MS,
  )
})
