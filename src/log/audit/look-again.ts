import { type Difference, type Documents, Remembered } from './shown.ts'

/** What is shown may be so much newer than the log. */
const PROMISE_MS = 10_000
/** So often what was shown is held against a log that has gone on meanwhile, beyond the promise once. */
const WAITS = 4
const WAIT_MS = PROMISE_MS / (WAITS - 1)
/** What still differs is shown anew: a page may be made while what it tells of is swept away. */
const LOOKS = 2
/** Bytes of what was shown that are held at once. */
const MOST_HELD = 32_000_000

/** Holds something that is shown against the log as it is by now, and was since a place of it. */
export type Look = (documents: Documents, since: number) => Promise<readonly Difference[]>

export interface Again {
  /** Bytes that were read so far. */
  readonly reading: Documents & { readonly bytes: number }
  /** Reads the log up to its newest checkpoint, and answers how long it is. */
  readOn(): Promise<number>
  pause(ms: number): Promise<void>
}

/** What was shown, and is not yet what the log gives. */
interface Held {
  readonly look: Look
  readonly documents: Documents
  readonly found: readonly Difference[]
}

/**
 * Looks again at what differed. Evidence comes in all the time, so what is shown once is kept and held against the log as it
 * goes on from before that moment until it must have caught up: what is shown must be in it by then, as it was at some place
 * of that time, and everything from before must be shown.
 */
export async function lookAgain(doubtful: readonly Look[], again: Again): Promise<Difference[]> {
  let left = doubtful
  let found: Difference[] = []
  for (let look = 0; look < LOOKS && left.length > 0; look += 1) {
    const waiting = [...left]
    const held: Held[] = []
    while (waiting.length > 0) held.push(...(await lookAtSome(waiting, again)))
    left = held.map((one) => one.look)
    found = held.flatMap((one) => one.found)
  }
  return found
}

/** Takes as many as may be held, and answers those that differ still. */
async function lookAtSome(waiting: Look[], { reading, readOn, pause }: Again): Promise<Held[]> {
  const since = await readOn()
  // A page that was made before that is not shown any more.
  await pause(WAIT_MS)
  let held: Held[] = []
  const before = reading.bytes
  while (waiting.length > 0 && reading.bytes - before < MOST_HELD) {
    const looks = waiting.splice(0, 1).map((look) => ({ look, documents: new Remembered(reading) }))
    held.push(...(await differing(looks, since)))
  }
  for (let wait = 0; wait < WAITS && held.length > 0; wait += 1) {
    await pause(WAIT_MS)
    await readOn()
    held = await differing(held, since)
  }
  return held
}

async function differing(looks: readonly Omit<Held, 'found'>[], since: number): Promise<Held[]> {
  const held: Held[] = []
  for (const { look, documents } of looks) {
    const found = await look(documents, since)
    if (found.length > 0) held.push({ look, documents, found })
  }
  return held
}
