import { type Found, REFUSALS, type Refusal } from '../found.ts'
import type { Counts, Share } from './sweep-store.ts'

export const NO_COUNTS: Counts = {
  seen: 0,
  stored: 0,
  pages: 0,
  bytes: 0,
  refused: {},
  answers: {},
  announced: null,
}

function refusedIn(found: Found, counts: Counts['refused']): Partial<Record<Refusal, number>> {
  const sum = { ...counts }
  for (const { reason } of found.refused) sum[reason] = (sum[reason] ?? 0) + 1
  return sum
}

export const shareOf = (found: Found): Share => ({
  seen: found.seen,
  stored: found.listings.length,
  refused: refusedIn(found, {}),
})

/** Counts without a page that is read anew. */
export function withoutShare(counts: Counts, share: Share): Counts {
  const refused: Partial<Record<Refusal, number>> = { ...counts.refused }
  for (const reason of REFUSALS) {
    const left = (refused[reason] ?? 0) - (share.refused[reason] ?? 0)
    if (left > 0) refused[reason] = left
    else delete refused[reason]
  }
  return { ...counts, seen: counts.seen - share.seen, stored: counts.stored - share.stored, refused }
}

/** Counts with one document more. */
export const withFound = (counts: Counts, found: Found): Counts => ({
  ...counts,
  seen: counts.seen + found.seen,
  stored: counts.stored + found.listings.length,
  pages: counts.pages + 1,
  refused: refusedIn(found, counts.refused),
})

/** Counts with a page more that says nothing else than the one before. */
export const withPage = (counts: Counts): Counts => ({ ...counts, pages: counts.pages + 1 })

/** Counts with a document more that has not changed since it was last read. */
export const withUnchanged = (counts: Counts, known: { readonly seen: number; readonly stored: number }): Counts => ({
  ...counts,
  seen: counts.seen + known.seen,
  stored: counts.stored + known.stored,
  pages: counts.pages + 1,
})

export const withAnswer = (counts: Counts, answer: string, bytes = 0): Counts => ({
  ...counts,
  bytes: counts.bytes + bytes,
  answers: { ...counts.answers, [answer]: (counts.answers[answer] ?? 0) + 1 },
})
