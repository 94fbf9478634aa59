import { straight } from '../wire/straight.ts'
import { type OnCall, outcomeOfFailure, outcomeOfStatus } from './call-outcome.ts'

/**
 * The one way to facilitators and nodes. Their addresses and headers hold keys of the operator, which are meant for
 * these addresses alone: an answer that points elsewhere is a failure, and nobody it names is ever called.
 */
export const throughDoor: typeof fetch = (input, init) => straight(fetch, input, init)

/**
 * The same way to nodes, for whoever counts how their calls end. The clients of nodes look at the time until an answer
 * begins; by `mostMs` it has to be here.
 */
export const doorToNodes = (onCall: OnCall | undefined, mostMs?: number): typeof fetch => {
  const door = mostMs === undefined ? throughDoor : endingIn(mostMs)
  if (onCall === undefined) return door
  return async (input, init) => {
    try {
      const response = await door(input, init)
      onCall('node', outcomeOfStatus(response.status))
      return response
    } catch (error) {
      onCall('node', outcomeOfFailure(error))
      throw error
    }
  }
}

/** A timer of its own: Node 20 forgets a signal that was made of others as soon as it collects garbage. */
const endingIn =
  (mostMs: number): typeof fetch =>
  (input, init) => {
    const ending = new AbortController()
    const end = (): void => ending.abort(new DOMException('the answer did not end in time', 'TimeoutError'))
    setTimeout(end, mostMs).unref()
    const { signal: given } = init ?? {}
    if (given?.aborted) end()
    else given?.addEventListener('abort', end, { once: true })
    return throughDoor(input, { ...init, signal: ending.signal })
  }
