import { join } from 'node:path'
import type { ListingInput } from '../../src/store/facts/listings.ts'
import { openStore } from '../../src/store/open.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import { importFile } from '../../src/store/transfer/import.ts'
import { openBare } from '../rigs/bare/bare-insert.ts'
import { type BareBatch, bareBatch } from '../rigs/bare/bare-rows.ts'
import { hostEvidence, hostName } from '../rigs/data.ts'
import type { BenchEngine } from '../rigs/engines.ts'
import { interleaved, perSecond, timed } from '../rigs/measure.ts'
import { writeRecords } from '../rigs/records-file.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const HOSTS = 200
const ROUNDS = 2
/** The import's own. */
const BATCH = 2000

/** Importing a file of 100,000 records: read, check, check again, save with everything counted from them. */
export async function rows({ engines, folder, note }: BenchContext): Promise<BenchRow[]> {
  const file = join(folder(), 'records.ndjson')
  const records = await writeRecords(file, HOSTS)
  const batches = sameBatches()
  const found: BenchRow[] = []
  for (const engine of engines) {
    note(`${records} records into ${engine.name}, ${ROUNDS} rounds`)
    const { measured, limit, ratio } = await interleaved(
      ROUNDS,
      async () => records / ((await importMs(engine, file)) / 1000),
      async () => records / ((await insertMs(engine, batches)) / 1000),
    )
    found.push({
      what: `import records, ${engine.name}`,
      measured: perSecond(measured),
      limit: `${perSecond(limit)} bare insert`,
      ratio,
      aim: { atLeast: 0.3 },
    })
  }
  return found
}

async function importMs(engine: BenchEngine, file: string): Promise<number> {
  const store = await openStore(await engine.fresh())
  const { ms } = await timed(() => importFile(store, file, []))
  await store.close()
  return ms
}

async function insertMs(engine: BenchEngine, batches: readonly BareBatch[]): Promise<number> {
  const bare = await openBare(await engine.fresh(), timesOf(batches))
  const { ms } = await timed(async () => {
    for (const batch of batches) await bare.insert(batch)
  })
  await bare.close()
  return ms
}

const AT_US = 2
const timesOf = (batches: readonly BareBatch[]): number[] =>
  batches.flatMap((batch) => batch.probes.map((row) => Number(row[AT_US])))

/** The records of the file in the import's own transactions. */
function sameBatches(): BareBatch[] {
  const all = Array.from({ length: HOSTS }, (_, n) => hostEvidence(hostName(n)))
  const batches: BareBatch[] = []
  let listings: ListingInput[] = []
  let probes: ProbeInput[] = []
  const close = (): void => {
    if (listings.length + probes.length > 0) batches.push(bareBatch(listings, probes))
    listings = []
    probes = []
  }
  for (const host of all) {
    for (const listing of host.listings) {
      listings.push(listing)
      if (listings.length + probes.length === BATCH) close()
    }
    for (const probe of host.probes) {
      probes.push(probe)
      if (listings.length + probes.length === BATCH) close()
    }
  }
  close()
  return batches
}
