import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { RecordOf, WrittenRecord } from '../../wire/records.ts'
import { knownSource, readSource, saveFailedPage, saveSweep } from '../facts/sweeps.ts'
import type { Reader, SourceTable, SweepTable, Writer } from '../schema.ts'
import { readJson } from '../sql/json.ts'

const PAGE = 1000

/** How every reading of every source ended, source by source, oldest first. */
export async function* sweepRecords(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  const sources = await reader.selectFrom('sweeps').select('source').distinct().orderBy('source').execute()
  for (const { source } of sources) {
    const failed = failedPageOf(await readSource(reader, source))
    for (let after = -1; ; ) {
      const rows = await reader
        .selectFrom('sweeps')
        .selectAll()
        .where('source', '=', source)
        .where('started_us', '>', after)
        .orderBy('started_us')
        .limit(PAGE + 1)
        .execute()
      const page = rows.slice(0, PAGE)
      const isEnd = rows.length === page.length
      // What is known of the source itself goes with its newest sweep.
      yield page.map((row, place) => ({ ...recordOf(row), ...(isEnd && place === page.length - 1 ? failed : {}) }))
      const last = page.at(-1)
      if (isEnd || last === undefined) break
      after = last.started_us
    }
  }
}

const recordOf = (row: SweepTable) => ({
  kind: 'sweep' as const,
  source: row.source,
  started: formatTimestamp(row.started_us),
  ended: formatTimestamp(row.ended_us),
  status: row.status,
  resumed: row.resumed === 1,
  seen: row.seen,
  stored: row.stored,
  pages: row.pages,
  bytes: row.bytes,
  refused: { ...readJson(row.refused) },
  answers: { ...readJson(row.answers) },
  announced: row.announced,
  error: row.error,
})

/** Without its bytes, which were kept for the operator of the store that read it. */
function failedPageOf(source: SourceTable | undefined) {
  const page = readJson(source?.failed_page ?? null)
  if (page === null) return {}
  const { url, atUs, error, status } = page
  return { failed_page: { url, at: formatTimestamp(atUs), error, http_status: status } }
}

export async function saveSweepRecords(writer: Writer, records: readonly RecordOf<'sweep'>[]): Promise<void> {
  for (const record of records) {
    const { source, failed_page: page } = record
    await knownSource(writer, source)
    await saveSweep(writer, rowOf(record))
    if (page === undefined) continue
    await saveFailedPage(writer, source, {
      ...{ url: page.url, atUs: page.at, error: page.error, status: page.http_status, body: '' },
    })
  }
}

const rowOf = (record: RecordOf<'sweep'>): SweepTable => ({
  source: record.source,
  started_us: record.started,
  ended_us: record.ended,
  status: record.status,
  resumed: record.resumed ? 1 : 0,
  seen: record.seen,
  stored: record.stored,
  pages: record.pages,
  bytes: record.bytes,
  refused: JSON.stringify(record.refused),
  answers: JSON.stringify(record.answers),
  announced: record.announced,
  error: record.error,
})
