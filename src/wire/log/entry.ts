/** A bundle of the log holds entries of at most 65,535 bytes; there is room for what a version to come adds. */
export const LARGEST_ENTRY = 60_000

export interface EntryHead {
  /** When it was saved, as it is printed. */
  readonly at: string
  /** `null` of what is about no host: sweeps. */
  readonly host: string | null
  /** It was brought by an import, or was there before there was a log. */
  readonly isImported: boolean
}

/** An entry in its canonical form, of records in theirs. */
export const entryText = ({ at, host, isImported }: EntryHead, records: readonly string[]): string =>
  `{"at":${JSON.stringify(at)},"host":${JSON.stringify(host)},${isImported ? '"imported":true,' : ''}"records":[${records.join(',')}],"v":1}`

/** One record of an entry; what it holds follows from its kind. */
export interface EntryRecord {
  readonly kind: string
  readonly [name: string]: unknown
}

export interface Entry {
  readonly v: 1
  readonly at: string
  readonly host: string | null
  readonly imported?: true
  readonly records: readonly EntryRecord[]
}

// By hand: whoever audits a log reads millions of them.
const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' &&
  value !== null &&
  'v' in value &&
  value.v === 1 &&
  'at' in value &&
  typeof value.at === 'string' &&
  'host' in value &&
  (value.host === null || typeof value.host === 'string') &&
  'records' in value &&
  Array.isArray(value.records) &&
  value.records.every(isRecord)

const isRecord = (value: unknown): value is EntryRecord =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'

/** What an entry says; `undefined`: it is none of this version. */
export function parseEntry(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}
