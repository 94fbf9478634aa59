import { sleep } from '../../async/sleep.ts'
import { isGivenUp } from '../../domain/store-trouble.ts'

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
      if (!(isGivenUp(error) || isPassing(error)) || tries === MOST_TRIES) throw error
      // Not in step with the other one.
      await sleep(Math.min(LONGEST_MS, FIRST_MS * 2 ** tries) * Math.random())
    }
  }
}
