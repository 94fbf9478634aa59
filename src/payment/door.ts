import { straight } from '../wire/straight.ts'
import { type OnCall, outcomeOfFailure, outcomeOfStatus } from './call-outcome.ts'

/**
 * The one way to facilitators and nodes. Their addresses and headers hold keys of the operator, which are meant for
 * these addresses alone: an answer that points elsewhere is a failure, and nobody it names is ever called.
 */
export const throughDoor: typeof fetch = (input, init) => straight(fetch, input, init)

/** The same way to nodes, for whoever counts how their calls end. */
export const doorToNodes = (onCall: OnCall | undefined): typeof fetch => {
  if (onCall === undefined) return throughDoor
  return async (input, init) => {
    try {
      const response = await throughDoor(input, init)
      onCall('node', outcomeOfStatus(response.status))
      return response
    } catch (error) {
      onCall('node', outcomeOfFailure(error))
      throw error
    }
  }
}
