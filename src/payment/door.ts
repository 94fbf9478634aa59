import { bounded } from '../wire/bounded.ts'
import { straight } from '../wire/straight.ts'
import { type OnCall, outcomeOfFailure, outcomeOfStatus } from './call-outcome.ts'

/** Far more than the small questions are worth that nodes are asked. */
export const LONGEST_ANSWER_BYTES = 4 * 1024 * 1024

/**
 * The one way to facilitators and nodes. Their addresses and headers hold keys of the operator, which are meant for
 * these addresses alone: an answer that points elsewhere is a failure, and nobody it names is ever called.
 */
export const throughDoor: typeof fetch = (input, init) => straight(fetch, input, init)

/**
 * The same way to nodes, for whoever counts how their calls end: an answer is one when all of it is here. The clients of nodes look at the time until an answer
 * begins; by `mostMs` it has to be here.
 */
export const doorToNodes = (onCall: OnCall | undefined, mostMs?: number): typeof fetch => {
  const door = mostMs === undefined ? throughDoor : endingIn(mostMs)
  if (onCall === undefined) return door
  return async (input, init) => {
    try {
      const answer = await whole(await door(input, init))
      onCall('node', outcomeOfStatus(answer.status))
      return answer
    } catch (error) {
      onCall('node', outcomeOfFailure(error))
      throw error
    }
  }
}

async function whole(answer: Response): Promise<Response> {
  if (answer.body === null) return answer
  const { status, headers } = answer
  return new Response(await bounded(answer, LONGEST_ANSWER_BYTES).arrayBuffer(), { status, headers })
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
