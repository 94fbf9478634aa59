import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import { evidenceOf, importFile } from '../../src/store/transfer/import.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { recordSchema } from '../../src/wire/records.ts'
import { onEachEngine } from '../../test/support/engines.ts'
import { openBare } from './bare/bare-insert.ts'
import { bareBatch } from './bare/bare-rows.ts'
import { hostEvidence, hostName, RECORDS_PER_HOST } from './data.ts'
import { writeRecords } from './records-file.ts'

const HOST = hostName(0)

/** What the log keeps of a row is no part of the evidence. */
const withoutLog = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'log_id' && column !== 'logged_us'))

async function rowsOf(store: Store): Promise<unknown> {
  const listings = await store.read.selectFrom('listings').selectAll().orderBy('route_id').orderBy('source').execute()
  const probes = await store.read.selectFrom('probes').selectAll().orderBy('route_id').orderBy('at_us').execute()
  return { listings: listings.map(withoutLog), probes: probes.map(withoutLog) }
}

onEachEngine('the evidence of the bench', (engine) => {
  it('leaves the same rows by a bare insert as by the store, so that the two compare', async () => {
    const { listings, probes } = hostEvidence(HOST)
    const store = await engine.open()
    await saveEvidence(store, { ...NO_EVIDENCE, listings, probes })
    const options = await engine.empty()
    const bare = await openBare(
      options,
      probes.map(({ atUs }) => atUs),
    )
    await bare.insert(bareBatch(listings, probes))
    await bare.close()
    const reopened = await openStore(options)
    const inserted = await rowsOf(reopened)
    await reopened.close()
    expect(inserted).toEqual(await rowsOf(store))
    expect(listings.length + probes.length).toBe(RECORDS_PER_HOST)
  })

  it('says in a file of records what it says in memory', async () => {
    const file = join((await engine.empty()).dataDir, 'records.ndjson')
    const records = await writeRecords(file, 2)
    const schema = recordSchema([])
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const read = evidenceOf(lines.slice(0, RECORDS_PER_HOST).map((line) => schema.parse(JSON.parse(line))))
    expect(read).toEqual({ ...NO_EVIDENCE, ...hostEvidence(HOST) })
    const store = await engine.open()
    expect(await importFile(store, file, [])).toBe(records)
  })
})
