import { sha256Hex } from '../../domain/keys.ts'
import { type Inclusion, provenRecord } from '../../log/audit/inclusion.ts'
import { Reading } from '../../log/audit/reading.ts'
import type { EntryRecord } from '../../wire/log/entry.ts'

type Document = Readonly<Record<string, unknown>>

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const placeOf = (document: Document): number | null => {
  const log = document.log
  return isDocument(log) && typeof log.index === 'number' ? log.index : null
}

/** Where the directory of a document is: its address up to where its API begins. */
const directoryOf = (address: string): string | null => /^(https?:\/\/.+?)\/v1\//.exec(address)?.[1] ?? null

/** What the log says of one review or post: that it is there, and that it is this one. */
export async function checkLogged(
  fetch: typeof globalThis.fetch,
  kind: string,
  address: string,
  document: unknown,
): Promise<Inclusion[]> {
  const baseUrl = directoryOf(address)
  if (baseUrl === null || !isDocument(document)) return []
  const reading = new Reading({ baseUrl, fetch, folder: null })
  const found = Array.isArray(document.probes) ? document.probes.filter(isDocument) : [document]
  const checks: Inclusion[] = []
  for (const piece of found) {
    const index = placeOf(piece)
    if (index === null && kind === 'probe') checks.push({ ok: false, finding: `Not in the log: ${String(piece.line)}` })
    if (index !== null) checks.push(await provenRecord(reading, index, (record) => isOf(kind, piece, record)))
  }
  return checks
}

function isOf(kind: string, piece: Document, record: EntryRecord): boolean {
  if (record.kind !== kind) return false
  if (kind !== 'probe')
    return record.id === piece.id && (piece.text === '' || record.text_sha256 === sha256Hex(String(piece.text)))
  return (
    record.method === piece.method &&
    record.url === piece.address &&
    record.rail === piece.rail &&
    record.date === piece.date &&
    record.http_status === piece.http_status &&
    record.latency_ms === piece.latency_ms &&
    record.error === piece.error
  )
}
