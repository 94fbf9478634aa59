import { sha256Hex } from '../../domain/keys.ts'
import { type Inclusion, provenRecord } from '../../log/audit/inclusion.ts'
import { proofsIn } from '../../log/audit/proofs.ts'
import { Reading } from '../../log/audit/reading.ts'
import { isShown, listIn, type Shown } from '../../log/audit/shown.ts'
import { canonical } from '../../wire/log/canonical.ts'
import type { EntryRecord } from '../../wire/log/entry.ts'
import { jsonSha256 } from '../../wire/log/logged-record.ts'

/** What of a document is in the log under one kind, and what its record says of it. */
interface LoggedKind {
  /** The kind of its records. */
  readonly record: string
  piecesIn(document: Shown): readonly Shown[]
  /** How a piece is named where it is not in the log. */
  nameOf(piece: Shown): unknown
  isOf(piece: Shown, record: EntryRecord): boolean
}

const listOr =
  (name: string) =>
  (document: Shown): readonly Shown[] =>
    Array.isArray(document[name]) ? listIn(document, name) : [document]

const areEqual = (a: Shown, b: Shown, names: readonly string[]): boolean =>
  names.every((name) => canonical(a[name]) === canonical(b[name]))

/** Words as they were said, or as much as is left of them. */
const hasWords = (piece: Shown, record: EntryRecord): boolean => {
  const isHidden = piece.hidden !== null && piece.hidden !== undefined
  return record.text_sha256 === (isHidden ? piece.text_sha256 : sha256Hex(String(piece.text)))
}

/** Something that somebody signed, with an id and words. */
const writing = (record: string, names: readonly string[]): LoggedKind => ({
  record,
  piecesIn: (document) => [document],
  nameOf: (piece) => `${record} ${piece.id}`,
  isOf: (piece, said) => areEqual(piece, said, ['id', 'wallet', 'signature', ...names]) && hasWords(piece, said),
})

const ROUTE = ['method', 'rail']

/** The listing rows of a list of routes, each with its route. */
const rowsIn = (document: Shown): readonly Shown[] =>
  listOr('routes')(document).flatMap(({ method, rail, address, listings }) =>
    listIn({ listings }, 'listings').map((row) => ({ method, rail, address, ...row })),
  )

const KINDS: Readonly<Record<string, LoggedKind>> = {
  review: writing('review', [...ROUTE, 'rating', 'submitted_at']),
  post: writing('post', ['host', 'posted_at']),
  statement: writing('statement', ['host', 'about', 'submitted_at']),
  claim: {
    record: 'claim',
    piecesIn: listOr('claims'),
    nameOf: (piece) => `claim of ${piece.wallet}`,
    isOf: (piece, record) =>
      areEqual(piece, record, ['host', 'signature', 'signed_at', 'claimed_at']) &&
      canonical(proofsIn(piece)) === canonical(proofsIn(record)),
  },
  offer: {
    record: 'signed_offer',
    piecesIn: (document) =>
      isShown(document.signed_offer) ? [document.signed_offer] : listOr('signed_offers')(document),
    nameOf: (piece) => piece.line,
    isOf: (piece, record) =>
      record.url === piece.address &&
      record.first_observed === piece.first_seen &&
      record.offer_sha256 === jsonSha256(piece.offer),
  },
  probe: {
    record: 'probe',
    piecesIn: listOr('probes'),
    nameOf: (piece) => piece.line,
    isOf: (piece, record) =>
      record.url === piece.address &&
      areEqual(piece, record, [...ROUTE, 'date', 'http_status', 'latency_ms', 'error', 'vantage']),
  },
  listing: {
    record: 'listing',
    piecesIn: rowsIn,
    nameOf: (piece) => piece.line,
    isOf: (piece, record) =>
      record.url === piece.address &&
      areEqual(piece, record, [...ROUTE, 'source', 'price', 'network', 'first_observed']),
  },
}

/** Whether a document is one piece of evidence, or a list of it, as the API gives them. */
export const isOfEvidence = (kind: string, document: unknown): boolean =>
  isShown(document) &&
  (kind === 'probe'
    ? Array.isArray(document.probes) || typeof document.line === 'string'
    : Array.isArray(document.routes) || Array.isArray(document.listings))

/** What nobody signed: the log alone speaks for it. */
export const EVIDENCE: readonly string[] = ['probe', 'listing']

export const isEvidence = (kind: string): boolean => EVIDENCE.includes(kind)

/** Where the directory of a document is: its address up to where its API or its pages of hosts begin. */
const directoryOf = (address: string): string | null => /^(https?:\/\/.+?)\/(?:v1|hosts)\//.exec(address)?.[1] ?? null

/** What the log says of the pieces of a document: that they are there, and that they are these. */
export async function checkLogged(
  fetch: typeof globalThis.fetch,
  kind: string,
  address: string,
  document: unknown,
): Promise<Inclusion[]> {
  const baseUrl = directoryOf(address)
  const logged = KINDS[kind]
  if (baseUrl === null || logged === undefined || !isShown(document)) return []
  const reading = new Reading({ baseUrl, fetch, folder: null })
  const checks: Inclusion[] = []
  for (const piece of logged.piecesIn(document)) {
    const index = isShown(piece.log) ? piece.log.index : null
    checks.push(
      typeof index === 'number'
        ? await provenRecord(reading, index, (record) => record.kind === logged.record && logged.isOf(piece, record))
        : { ok: !isEvidence(kind), finding: `Not in the log yet: ${logged.nameOf(piece)}` },
    )
  }
  return checks
}
