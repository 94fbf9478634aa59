import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { RecordOf, WrittenRecord } from '../../wire/records.ts'
import { type KeptDocument, keptDocumentOf, saveReadDocuments } from '../facts/refusals.ts'
import type { Reader, Writer } from '../schema.ts'

const PAGE = 1000

const recordOf = (document: KeptDocument): WrittenRecord => ({
  kind: 'document',
  source: document.source,
  host: document.host,
  url: document.url,
  sha256: document.sha256,
  read: formatTimestamp(document.readUs),
  seen: document.seen,
  stored: document.stored,
  refused: document.refused.map(({ reason, item }) => ({ reason, item })),
  refused_total: document.refusedTotal,
})

/** Sellers' own documents as they were last read, of sellers that nobody names too. */
export async function* documentRecords(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  let after = { host: '', source: '' }
  for (;;) {
    const { host, source } = after
    const rows = await reader
      .selectFrom('read_documents')
      .selectAll()
      .where((eb) => eb.or([eb('host', '>', host), eb.and([eb('host', '=', host), eb('source', '>', source)])]))
      .orderBy('host')
      .orderBy('source')
      .limit(PAGE)
      .execute()
    if (rows.length > 0) yield rows.map((row) => recordOf(keptDocumentOf(row)))
    const last = rows.at(-1)
    if (rows.length < PAGE || last === undefined) return
    after = last
  }
}

export const saveDocumentRecords = (writer: Writer, records: readonly RecordOf<'document'>[]): Promise<void> =>
  saveReadDocuments(
    writer,
    records.map(({ source, host, url, sha256, read, seen, stored, refused, refused_total }) => ({
      ...{ source, host, url, sha256, seen, stored, refused },
      readUs: read,
      refusedTotal: refused_total,
    })),
  )
