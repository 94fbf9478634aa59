import type { Problem } from '../domain/problem.ts'
import type { Reader } from '../store/schema.ts'
import { archiveProblem } from './archive-problem.ts'
import { MANIFEST, readManifest } from './manifest.ts'
import type { ArchivePlace } from './place.ts'

/** Months that the store knows to be archived and the manifest of this place does not name. */
export async function missingMonths(reader: Reader, place: ArchivePlace): Promise<string[]> {
  // The store first: whoever archives at the moment tells the manifest before.
  const archived = await reader.selectFrom('archived_months').select('month').orderBy('month').execute()
  if (archived.length === 0) return []
  const named = new Set((await readManifest(place)).map(({ month }) => month))
  return archived.map(({ month }) => month).filter((month) => !named.has(month))
}

/** A place that lost its manifest, or is not the one that months went to before. */
export function notWhole(place: ArchivePlace, missing: readonly string[]): Problem {
  const [first] = missing
  const months = missing.length === 1 ? first : `${first} and ${missing.length - 1} more`
  return archiveProblem(
    `${place.name}/${MANIFEST} does not name months that were archived before: ${months}; nothing was written or removed`,
    `put ${MANIFEST} back, from a copy or an earlier version; to a new place copy the files of the old one first, or run tollbook archive --new-place once`,
  )
}
