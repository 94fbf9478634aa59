import { existsSync } from 'node:fs'
import { FIXTURES, fixtureTable, readFixtures } from '../src/ingest/testing/fixtures.ts'

// Prints the table of `docs/sources.md`. Run from the root of the repository, beside the samples.
if (existsSync(FIXTURES)) process.stdout.write(`${fixtureTable(readFixtures(FIXTURES))}\n`)
else {
  process.stderr.write(`${FIXTURES} is not here\n`)
  process.exitCode = 1
}
