import type { Outcome, Payment, Standing } from '../rail.ts'
import type { ChainView } from './chain-view.ts'
import { unknown } from './outcome.ts'

/**
 * What the chain says, with a node that does not answer or is not there as `unknown`. A transaction that somebody has
 * named for the payment is looked into first; it counts when it holds the payment's own transfer.
 */
export async function lookForPayment(payment: Payment, chain: ChainView | undefined, named?: string): Promise<Outcome> {
  if (chain === undefined) return unknown('No node is configured for the network.')
  try {
    const found = named === undefined ? undefined : await chain.find(payment, named)
    return found?.kind === 'paid' ? found : await chain.look(payment)
  } catch {
    // The error may hold the node's address with its key.
    return unknown('The node does not answer.')
  }
}

/** How a payment that was seen in this transaction stands now. Never rejects. */
export async function watchPayment(
  payment: Payment,
  chain: ChainView | undefined,
  transaction: string,
): Promise<Standing> {
  if (chain === undefined) return { kind: 'unknown', reason: 'No node is configured for the network.' }
  try {
    return await chain.watch(payment, transaction)
  } catch {
    // The error may hold the node's address with its key.
    return { kind: 'unknown', reason: 'The node does not answer.' }
  }
}
