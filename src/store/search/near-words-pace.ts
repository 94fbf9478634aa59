import { KeptBriefly } from '../../async/kept-briefly.ts'
import { Pace, TooManyWaiting } from '../../async/pace.ts'
import { problem } from '../../domain/problem-kinds.ts'
import type { Reader } from '../schema.ts'
import type { Store } from '../store.ts'
import { type NearWord, nearWords } from './near-words.ts'

/** One look costs tens of milliseconds of the thread that answers everybody. */
const SHARE = 0.25
const MOST_WAITING = 32

/** A search that finds nothing looks for the same words again a dozen times, and so does the next page of one that does. */
const KEPT_MS = 2000
const MOST_KEPT = 200

interface Looks {
  readonly pace: Pace
  readonly kept: KeptBriefly<NearWord[]>
}

/** One for each store: they share its thread. */
const looks = new WeakMap<Reader, Looks>()

function looksAt(reader: Reader): Looks {
  const known = looks.get(reader)
  if (known !== undefined) return known
  const fresh = { pace: new Pace(SHARE, MOST_WAITING), kept: new KeptBriefly<NearWord[]>(KEPT_MS, MOST_KEPT) }
  looks.set(reader, fresh)
  return fresh
}

/**
 * As `nearWords`, in a bounded share of the time, and as they were a moment ago where they were looked for then and nothing was
 * written since: whoever keeps a page keeps it as of what is there. Rejects with a `Problem` when too many ask for it at once.
 */
export async function pacedNearWords(store: Store, term: string): Promise<NearWord[]> {
  const { read, dialect } = store
  const { pace, kept } = looksAt(read)
  try {
    return await kept.get(`${store.epoch()} ${term}`, () => pace.run(() => nearWords(read, dialect, term)))
  } catch (error) {
    if (!(error instanceof TooManyWaiting)) throw error
    throw problem('busy', 'Too many misspelt words are being looked for right now.', {
      headers: { 'Retry-After': '2' },
    })
  }
}
