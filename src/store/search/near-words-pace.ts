import { Pace, TooManyWaiting } from '../../async/pace.ts'
import { problem } from '../../domain/problem-kinds.ts'
import type { Reader } from '../schema.ts'
import type { Dialect } from '../sql/dialect.ts'
import { type NearWord, nearWords } from './near-words.ts'

/** One look costs tens of milliseconds of the thread that answers everybody. */
const SHARE = 0.25
const MOST_WAITING = 32

/** One for each store: they share its thread. */
const paces = new WeakMap<Reader, Pace>()

/** As `nearWords`, in a bounded share of the time. Rejects with a `Problem` when too many ask for it at once. */
export async function pacedNearWords(reader: Reader, dialect: Dialect, term: string): Promise<NearWord[]> {
  const pace = paces.get(reader) ?? new Pace(SHARE, MOST_WAITING)
  paces.set(reader, pace)
  try {
    return await pace.run(() => nearWords(reader, dialect, term))
  } catch (error) {
    if (!(error instanceof TooManyWaiting)) throw error
    throw problem('busy', 'Too many misspelt words are being looked for right now.', {
      headers: { 'Retry-After': '2' },
    })
  }
}
