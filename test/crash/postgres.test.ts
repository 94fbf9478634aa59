import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { freshDatabase, type ThrowAwayPostgres, throwAwayPostgres } from '../support/postgres.ts'
import { examine, type Findings, strayLines } from './examine.ts'
import type { Orders } from './orders.ts'
import { killAll, Program } from './program.ts'
import { type Seeded, startSeeded } from './seeded.ts'
import { isAppended, nextUnits, UNITS_A_FILE } from './units.ts'

/** Kills of the server under one program and database, and programs: 20 kills in all. */
const ROUNDS = 5
const SERIES = 4

// One of its own: the run's server is nobody's to kill.
describe.skipIf(inject('databaseUrl') === null)('kill -9 of Postgres under a program that imports and appends', () => {
  let server: ThrowAwayPostgres
  const folders: string[] = []
  beforeAll(async () => {
    server = await throwAwayPostgres()
  })
  afterEach(async () => {
    await killAll()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  afterAll(() => server?.stop())

  /** One database and one program, which lives on while the server is killed again and again. */
  async function series(acknowledge: Orders['acknowledge'], random: Seeded) {
    const folder = temporaryFolder()
    folders.push(folder)
    const said = new Set<number>()
    const options = { dataDir: folder, databaseUrl: await freshDatabase(server.url) }
    const program = new Program({ ...options, folder, acknowledge, ...nextUnits(said) }, said)
    const round = async (): Promise<Findings> => {
      const working = program.saysOfImport(random.between(1, UNITS_A_FILE + 1))
      program.go()
      await working
      await wait(random.between(0, 120))
      await server.kill()
      program.hold()
      await server.start()
      return examine(options, said)
    }
    return { said, round, program, stray: () => strayLines(options) }
  }

  it(`loses nothing acknowledged, keeps nothing twice and every counter right, ${SERIES * ROUNDS} times`, async () => {
    const random = startSeeded('Postgres, acknowledged after the commit')
    const kept: number[] = []
    for (let s = 0; s < SERIES; s++) {
      const { said, round, program, stray } = await series('after', random)
      for (let n = 1; n <= ROUNDS; n++) {
        const { unsaid, ...faults } = await round()
        expect(faults, `kill ${s * ROUNDS + n}`).toEqual({ lost: [], uneven: [], differences: [] })
        // Each does one transaction at a time: at most one of each was kept and not said so.
        expect(unsaid.filter(isAppended).length).toBeLessThanOrEqual(1)
        expect(unsaid.length).toBeLessThanOrEqual(2)
      }
      expect(await stray()).toEqual([])
      await program.kill()
      expect(program.complaints).not.toContain('deadlock')
      kept.push(...said)
    }
    expect(kept.filter(isAppended).length).toBeGreaterThan(SERIES * ROUNDS)
    expect(kept.filter((unit) => !isAppended(unit)).length).toBeGreaterThan(SERIES)
  }, 180_000)

  it('is seen to lose both kinds of data when they are acknowledged before the commit', async () => {
    const { round } = await series('before', startSeeded('Postgres, acknowledged before the commit'))
    const lost = { appended: 0, imported: 0 }
    for (let n = 1; n <= SERIES * ROUNDS && (lost.appended === 0 || lost.imported === 0); n++) {
      for (const unit of (await round()).lost) lost[isAppended(unit) ? 'appended' : 'imported']++
    }
    expect(lost.appended).toBeGreaterThan(0)
    expect(lost.imported).toBeGreaterThan(0)
  }, 180_000)
})
