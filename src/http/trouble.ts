import type { Logger } from 'pino'
import { tally } from '../async/tally.ts'
import { isFull, isUnready, reasonOf } from '../domain/store-trouble.ts'

/** Hears of what failed a request for no fault of its own. */
export type OnTrouble = (error: unknown, requestId?: string) => void

/**
 * What the operator is told of failures. A store that is away, busy or full fails every request for the same reason, which
 * is one line a second with how many it were; anything else is a line of its own, with where it happened.
 */
export function createTrouble(log: Pick<Logger, 'error'>): OnTrouble {
  const failing = (words: string) =>
    tally<unknown>((requests, error) => log.error({ requests, reason: reasonOf(error) }, `requests failed: ${words}`))
  const away = failing('the store does not answer')
  const full = failing('the disk is full')
  return (error, requestId) => {
    if (isFull(error)) full(error)
    else if (isUnready(error)) away(error)
    else log.error({ request_id: requestId, err: error }, 'request failed')
  }
}
