import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { temporaryFolder } from '../support/engines.ts'
import { freshDatabase, type ThrowAwayPostgres, throwAwayPostgres } from '../support/postgres.ts'
import { examine, type Findings, strayLines } from './examine.ts'
import type { Orders } from './orders.ts'
import { killAll, Program } from './program.ts'
import { expectBothLost, expectNothingLost, type Series } from './rounds.ts'
import { type Seeded, startSeeded } from './seeded.ts'
import { nextUnits, UNITS_A_FILE } from './units.ts'

/** Kills of the server under one program and database, and programs: 20 kills in all. */
const ROUNDS = 5
const SERIES = 4
/** Programs and servers start and die dozens of times; a busy machine takes its time. */
const TIMEOUT_MS = 600_000

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
  async function series(acknowledge: Orders['acknowledge'], random: Seeded): Promise<Series> {
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
    const end = async (): Promise<void> => {
      await program.kill()
      expect(program.complaints).not.toContain('deadlock')
    }
    return { said, round, stray: () => strayLines(options), end }
  }

  it(
    `loses nothing acknowledged, keeps nothing twice and every counter right, ${SERIES * ROUNDS} times`,
    async () => {
      const random = startSeeded('Postgres, acknowledged after the commit')
      await expectNothingLost(() => series('after', random), SERIES, ROUNDS)
    },
    TIMEOUT_MS,
  )

  it(
    'is seen to lose both kinds of data when they are acknowledged before the commit',
    async () => {
      const random = startSeeded('Postgres, acknowledged before the commit')
      await expectBothLost(await series('before', random), SERIES * ROUNDS)
    },
    TIMEOUT_MS,
  )
})
