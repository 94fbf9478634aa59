import { readFile } from 'node:fs/promises'
import { Problem } from '../domain/problem.ts'
import { checkPostDocument, checkReviewDocument, type WritingCheck } from '../wire/check-writing.ts'
import type { Screen } from './progress.ts'

const CHECKS: Readonly<Record<string, (document: unknown) => WritingCheck>> = {
  review: checkReviewDocument,
  post: checkPostDocument,
}

export const isWriting = (word: string | undefined): word is string => word !== undefined && Object.hasOwn(CHECKS, word)

const DEADLINE_MS = 30_000
const LONGEST_DOCUMENT = 1_000_000

/** Checks one review or post from its public JSON, of a file or an address; asks nobody whether it is true. */
export async function verifyWriting(
  fetch: typeof globalThis.fetch,
  kind: string,
  place: string,
  out: Screen,
): Promise<number> {
  const check = CHECKS[kind]?.(documentOf(place, await textAt(fetch, place)))
  for (const finding of check?.findings ?? []) out.write(`${finding}\n`)
  out.write(check?.ok ? `Verified: the ${kind} is as its wallet signed it.\n` : `Not verified.\n`)
  return check?.ok ? 0 : 1
}

async function textAt(fetch: typeof globalThis.fetch, place: string): Promise<string> {
  const isAddress = /^https?:\/\//.test(place)
  try {
    if (!isAddress) return await readFile(place, 'utf8')
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const answer = await fetch(place, { headers: { Accept: 'application/json' }, signal })
    if (answer.ok) return await answer.text()
  } catch {
    throw unreadable(isAddress ? `${place} does not answer` : `there is no file ${place}`)
  }
  throw unreadable(`${place} does not answer with a document`)
}

function documentOf(place: string, text: string): unknown {
  try {
    if (text.length <= LONGEST_DOCUMENT) return JSON.parse(text)
  } catch {
    throw unreadable(`${place} is not JSON`)
  }
  throw unreadable(`${place} is longer than any review or post`)
}

const unreadable = (detail: string): Problem =>
  new Problem('no-document', 400, 'No document', detail, 'name the JSON of a review or post, or its address')
