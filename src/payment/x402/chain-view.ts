import { isHash } from 'viem'
import { bytes58 } from '../../wire/base58.ts'
import type { Nodes } from '../nodes.ts'
import type { Outcome, Standing } from '../rail.ts'
import { headOf, lookOnEvm, paidIn, watchOnEvm } from './evm/chain.ts'
import { isSignedOnEvm } from './evm/signer.ts'
import type { Offer } from './offer.ts'
import type { Sought } from './outcome.ts'
import { lookOnSolana, outcomeOf, slotOf, watchOnSolana } from './solana/chain.ts'

/** A network's chain as a node of ours sees it. Everything rejects when the node does not answer. */
export interface ChainView {
  head(): Promise<number>
  look(payment: Sought): Promise<Outcome>
  /** The outcome when this transaction is the payment's; `undefined` when it is another or not known yet. */
  find(payment: Sought, transaction: string): Promise<Outcome | undefined>
  /** Whether a payment that was seen in this transaction is still on chain. */
  watch(payment: Sought, transaction: string): Promise<Standing>
  /** Whether the payer signed what it sent, whatever has become of it since. */
  isSigned(payload: unknown, offer: Offer): Promise<boolean>
}

/** `undefined` without a node. */
export function createChainView(nodes: Nodes, network: string): ChainView | undefined {
  const solana = nodes.solana(network)
  if (solana !== undefined) {
    return {
      head: () => slotOf(solana),
      look: (payment) => lookOnSolana(solana, payment),
      find: (payment, transaction) => outcomeOf(solana, payment, transaction),
      watch: (payment, transaction) => watchOnSolana(solana, payment, transaction),
      // A chain holds no transaction but with its signatures, and it is looked for by every byte that they are over.
      isSigned: async () => true,
    }
  }
  const evm = nodes.evm(network)
  return (
    evm && {
      head: () => headOf(evm),
      look: (payment) => lookOnEvm(evm, payment),
      find: async (payment, transaction) => (isHash(transaction) ? paidIn(evm, payment, transaction) : undefined),
      watch: (payment, transaction) => watchOnEvm(evm, payment, transaction),
      isSigned: (payload, offer) => isSignedOnEvm(evm, payload, offer),
    }
  )
}

/** Whether a text can name a transaction of the network at all. */
export const isTransaction = (network: string, text: string): boolean =>
  network.startsWith('solana:') ? bytes58(text)?.length === 64 : isHash(text)

/** In its one form: hexadecimal ids in lower case, so that one transaction is never taken for two. */
export const transactionId = (network: string, text: string): string =>
  network.startsWith('solana:') ? text : text.toLowerCase()
