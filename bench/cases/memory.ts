import { join } from 'node:path'
import { child } from '../rigs/child.ts'
import { RECORDS_PER_HOST } from '../rigs/data.ts'
import { count, megabytes } from '../rigs/measure.ts'
import { writeRecords } from '../rigs/records-file.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const FEW = 100_000
const MANY = 1_000_000

/** The most memory that an import holds, of ten times the records too. */
export async function rows({ folder, note }: BenchContext): Promise<BenchRow[]> {
  const few = await importing(folder, note, FEW)
  const many = await importing(folder, note, MANY)
  return [
    {
      what: `peak memory of importing ${count(MANY)} records`,
      measured: megabytes(many),
      limit: `${megabytes(few)} for ${count(FEW)}`,
      ratio: many / few,
      aim: null,
    },
  ]
}

async function importing(folder: () => string, note: (text: string) => void, records: number): Promise<number> {
  const file = join(folder(), 'records.ndjson')
  await writeRecords(file, records / RECORDS_PER_HOST)
  note(`${records} records`)
  const process = child<{ file: string; dataDir: string }, number>(
    new URL('../children/import-memory.js', import.meta.url),
  )
  try {
    return await process.ask({ file, dataDir: folder() })
  } finally {
    await process.end()
  }
}
