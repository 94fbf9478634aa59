import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Refused } from '../../domain/words/refusal.ts'
import type { ReadDocumentTable, Reader, Writer } from '../schema.ts'
import { groupBy } from '../sql/group.ts'
import { readJson } from '../sql/json.ts'

/** Of one reason and source. */
const MOST_EXAMPLES = 100
/** Of one document; how many there were in all is counted. */
const MOST_OF_A_DOCUMENT = 100

/** A document that a seller sent, as it was last read. */
export interface ReadDocument {
  readonly source: string
  readonly host: SellerHost
  readonly url: string
  /** Of its bytes, lower-case hex. */
  readonly sha256: string
  readonly readUs: TimestampUs
  readonly seen: number
  readonly stored: number
  readonly refused: readonly Refused[]
  /** Where not all of them are at hand. */
  readonly refusedTotal?: number
}

/** As it is kept: the first of its refused items, and how many there were. */
export interface KeptDocument extends ReadDocument {
  readonly refusedTotal: number
}

/** Adds to the examples of a sweep; those of an earlier sweep go with the first page of a later one. */
export async function saveRefusals(
  writer: Writer,
  source: string,
  startedUs: TimestampUs,
  refused: readonly Refused[],
): Promise<void> {
  await writer.deleteFrom('refusals').where('source', '=', source).where('started_us', '<>', startedUs).execute()
  if (refused.length === 0) return
  const kept = await sql<{ reason: string; n: number }>`select reason, count(*) as n from refusals
    where source = ${source} group by reason`.execute(writer)
  const counts = new Map(kept.rows.map(({ reason, n }) => [reason, n]))
  const rows = [...groupBy(refused, ({ reason }) => reason)].flatMap(([reason, group]) => {
    const items = [...new Set(group.map(({ item }) => item))]
    return items
      .slice(0, Math.max(0, MOST_EXAMPLES - (counts.get(reason) ?? 0)))
      .map((item) => ({ source, reason, item, started_us: startedUs }))
  })
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await writer
      .insertInto('refusals')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.columns(['source', 'reason', 'item']).doNothing())
      .execute()
  }
}

const ROWS_AT_ONCE = 200

/** A source whose only document has not changed refuses what it refused before. */
export async function keepRefusals(writer: Writer, source: string, startedUs: TimestampUs): Promise<void> {
  await writer.updateTable('refusals').set({ started_us: startedUs }).where('source', '=', source).execute()
}

/** Examples by reason, of the source's newest sweep. */
export async function readRefusals(reader: Reader, source: string): Promise<Map<string, string[]>> {
  const rows = await reader
    .selectFrom('refusals')
    .select(['reason', 'item'])
    .where('source', '=', source)
    .orderBy('reason')
    .orderBy('item')
    .execute()
  return new Map(
    [...groupBy(rows, ({ reason }) => reason)].map(([reason, all]) => [reason, all.map(({ item }) => item)]),
  )
}

/** The newest reading of each document stays, in whatever order they arrive. */
export async function saveReadDocuments(writer: Writer, documents: readonly ReadDocument[]): Promise<void> {
  for (const { source, host, url, sha256, readUs, seen, stored, refused, refusedTotal } of documents) {
    const row = {
      ...{ host, source, url, sha256, seen, stored, read_us: readUs, refused_total: refusedTotal ?? refused.length },
      refused: JSON.stringify(refused.slice(0, MOST_OF_A_DOCUMENT)),
    }
    await writer
      .insertInto('read_documents')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['host', 'source']).doUpdateSet(row).where('read_documents.read_us', '<=', readUs),
      )
      .execute()
  }
}

/** A document that has not changed is read again as it was. */
export async function keepReadDocument(
  writer: Writer,
  { source, host, url, readUs }: Pick<ReadDocument, 'source' | 'host' | 'url' | 'readUs'>,
): Promise<void> {
  await writer
    .updateTable('read_documents')
    .set({ read_us: readUs })
    .where('host', '=', host)
    .where('source', '=', source)
    .where('url', '=', url)
    .where('read_us', '<', readUs)
    .execute()
}

/** What was last read of a seller's own documents, by source. */
export async function readDocumentsOf(reader: Reader, host: SellerHost): Promise<KeptDocument[]> {
  const rows = await reader
    .selectFrom('read_documents')
    .selectAll()
    .where('host', '=', host)
    .orderBy('source')
    .execute()
  return rows.map(keptDocumentOf)
}

export const keptDocumentOf = (row: ReadDocumentTable): KeptDocument => ({
  ...{ source: row.source, host: row.host, url: row.url, sha256: row.sha256, readUs: row.read_us, seen: row.seen },
  ...{ stored: row.stored, refused: readJson(row.refused), refusedTotal: row.refused_total },
})
