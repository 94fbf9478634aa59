import { setTimeout as wait } from 'node:timers/promises'

const PAUSE_MS = 20
/** 30 s: a server that was killed comes back long before. */
const MOST_TRIES = 1500

/** Does it again until it succeeds, and complains each time it does not. */
export async function persistently(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      process.stderr.write(`${error}\n`)
      if (tries === MOST_TRIES) throw error
      await wait(PAUSE_MS)
    }
  }
}
