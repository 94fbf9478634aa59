import { z } from 'zod'
import type { SolanaNode } from '../../nodes.ts'
import type { Outcome, Standing } from '../../rail.ts'
import { expired, type Sought, unknown } from '../outcome.ts'
import { readSolanaTransfer } from './transfer.ts'

const LAG_SLOTS = 50
/** A blockhash is good for 150 blocks, 90 s at their slowest: with the time a payment is given, this is past any. */
const MARGIN_S = 60
/** How long before its end a transaction is looked for where nobody knows the slot to start from; it is good for minutes. */
const SEARCHED_S = 3_600
/** Of the payer's newest transactions: as many as nodes tell at once. */
const NEWEST = 1_000

const signatures = z.array(
  z.object({ signature: z.string(), slot: z.int(), err: z.unknown(), blockTime: z.int().nullish() }),
)
type Signature = z.infer<typeof signatures>[number]
const transaction = z
  .object({
    meta: z.object({ err: z.unknown() }),
    transaction: z.tuple([z.string(), z.literal('base64')]),
  })
  .nullable()

/** Whether the node is on the chain whose genesis hash its network begins with. */
async function isOurs(node: SolanaNode): Promise<boolean> {
  const genesis = await node.call('getGenesisHash', [])
  return typeof genesis === 'string' && `solana:${genesis.slice(0, 32)}` === node.network
}

/** The newest slot. Rejects when the node does not answer, or answers for another chain. */
export async function slotOf(node: SolanaNode): Promise<number> {
  if (!(await isOurs(node))) throw new Error('the node is on another chain')
  return z.int().parse(await node.call('getSlot', [{ commitment: 'confirmed' }]))
}

/** How sure a node has to be of what it says. */
type Commitment = 'confirmed' | 'finalized'

/** What the chain says about a payer's transaction. Rejects when the node does not answer or cannot be read. */
export async function lookOnSolana(
  node: SolanaNode,
  payment: Sought,
  commitment: Commitment = 'confirmed',
): Promise<Outcome> {
  if (!(await isOurs(node))) return unknown('The node is on another chain.')
  const head = z.int().parse(await node.call('getSlot', [{ commitment: 'finalized' }]))
  const headS = z.int().parse(await node.call('getBlockTime', [head]))
  const found = signatures.parse(
    await node.call('getSignaturesForAddress', [payment.payer, { limit: NEWEST, commitment }]),
  )
  const endS = payment.expiresUs / 1_000_000
  const isBefore = ({ slot, blockTime }: Signature): boolean =>
    payment.fromBlock > 0 ? slot < payment.fromBlock - LAG_SLOTS : (blockTime ?? endS) < endS - SEARCHED_S
  const isAfter = ({ blockTime }: Signature): boolean => (blockTime ?? endS) > endS + MARGIN_S
  for (const one of found) {
    const outcome =
      isBefore(one) || isAfter(one) ? undefined : await outcomeOf(node, payment, one.signature, commitment)
    if (outcome !== undefined) return outcome
  }
  if (headS <= endS + MARGIN_S) return unknown('The chain has not seen it yet.')
  // With a full page there may be older ones that were not looked at.
  const isComplete = found.length < NEWEST || found.some(isBefore)
  return isComplete && (await remembers(node, payment, endS))
    ? expired('The transaction ended without being included.')
    : unknown('The node does not know the time of the payment.')
}

/** Whether the node has kept what was there before the payment: most forget after days, and that is no proof of anything. */
async function remembers(node: SolanaNode, { fromBlock }: Sought, endS: number): Promise<boolean> {
  const first = z.int().parse(await node.call('getFirstAvailableBlock', []))
  if (first === 0 || fromBlock > 0) return first <= Math.max(0, fromBlock - LAG_SLOTS)
  return z.int().parse(await node.call('getBlockTime', [first])) < endS - SEARCHED_S
}

/** What one transaction says about the payment; `undefined` when it is another. */
export async function outcomeOf(
  node: SolanaNode,
  payment: Sought,
  signature: string,
  commitment: Commitment = 'confirmed',
): Promise<Outcome | undefined> {
  const options = { encoding: 'base64', commitment, maxSupportedTransactionVersion: 0 }
  const answer = transaction.parse(await node.call('getTransaction', [signature, options]))
  if (answer === null) return undefined
  const transfer = readSolanaTransfer(Buffer.from(answer.transaction[0], 'base64'))
  if (transfer === undefined || !payment.key.endsWith(`:${transfer.digest}`)) return undefined
  return answer.meta.err === null
    ? { kind: 'paid', transaction: signature, logIndex: transfer.index }
    : expired('The transaction was included and failed.')
}

/** Whether the payment is still on chain. Rejects when the node does not answer or cannot be read. */
export async function watchOnSolana(node: SolanaNode, payment: Sought, signature: string): Promise<Standing> {
  const named = await outcomeOf(node, payment, signature, 'finalized')
  const final = named?.kind === 'paid' ? named : await lookOnSolana(node, payment, 'finalized')
  if (final.kind === 'paid') return { ...final, isFinal: true }
  if (final.kind === 'expired') return final
  const seen = await outcomeOf(node, payment, signature)
  return seen?.kind === 'paid' ? { ...seen, isFinal: false } : { kind: 'unknown', reason: final.reason }
}
