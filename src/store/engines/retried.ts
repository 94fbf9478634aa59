import { sleep } from '../../async/sleep.ts'

/** Two transactions waited for each other, or one saw what another has changed since: nothing of it was written. */
const AGAIN = new Set(['40P01', '40001'])
const MOST_TRIES = 10
const FIRST_MS = 10
const LONGEST_MS = 1000

/** Runs a transaction again from its beginning where the server gave it up in favour of another, or `isPassing` says so. */
export async function retried<T>(
  transact: () => Promise<T>,
  isPassing: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transact()
    } catch (error) {
      const isGivenUp = error instanceof Error && 'code' in error && AGAIN.has(String(error.code))
      if (!(isGivenUp || isPassing(error)) || tries === MOST_TRIES) throw error
      // Not in step with the other one.
      await sleep(Math.min(LONGEST_MS, FIRST_MS * 2 ** tries) * Math.random())
    }
  }
}
