import { encodeEventTopics, getAddress, type Hex, isHash, numberToHex, TransactionReceiptNotFoundError } from 'viem'
import { sleep } from '../../../async/sleep.ts'
import { finalityOf } from '../../finality.ts'
import { chainMatches, type EvmNode } from '../../nodes.ts'
import type { Outcome, Standing } from '../../rail.ts'
import { expired, type Sought, unknown } from '../outcome.ts'
import { EIP3009, type EvmTerms, transferIn } from './events.ts'

/** How far before the block at which a payment was checked the search begins: nodes lag behind each other. */
const LAG_BLOCKS = 50n
/** How far past an authorisation's end the chain's own clock must be before it counts as unused for good. */
const MARGIN_S = 60n
/** Widths of a log query, widest first: public nodes refuse what is too wide for them. */
const WIDTHS = [1_000n, 100n, 10n]
/**
 * How long before its end, or before now, a use is looked for where nobody knows the block to start from: authorisations
 * that are taken here are good for a day, and some came used already.
 */
const SEARCHED_S = 90_000n
/** When a facilitator's transaction is asked for again while our node does not know it yet. */
const RECEIPT_WAITS_MS = [200, 500, 1_000, 2_000]

function termsOf(payment: Sought): EvmTerms | undefined {
  const nonce = payment.key.slice(payment.key.lastIndexOf(':') + 1)
  if (!isHash(nonce)) return undefined
  return {
    asset: getAddress(payment.asset),
    payer: getAddress(payment.payer),
    payee: getAddress(payment.payee),
    amount: BigInt(payment.amount),
    nonce,
  }
}

/** The newest block. Rejects when the node does not answer, or answers for another chain. */
export async function headOf(node: EvmNode): Promise<number> {
  const [head, isOurs] = await Promise.all([node.client.getBlockNumber(), chainMatches(node)])
  if (!isOurs) throw new Error('the node is on another chain')
  return Number(head)
}

/** What the chain says about an authorisation. Rejects when the node does not answer. */
export async function lookOnEvm(node: EvmNode, payment: Sought): Promise<Outcome> {
  const terms = termsOf(payment)
  if (terms === undefined) return unknown('The payment has no nonce.')
  const [head, isOurs] = await Promise.all([node.client.getBlock({ blockTag: 'latest' }), chainMatches(node)])
  if (!isOurs) return unknown('The node is on another chain.')
  const endS = BigInt(Math.floor(payment.expiresUs / 1_000_000))
  const isOver = head.timestamp > endS + MARGIN_S
  const isUsed = await node.client.readContract({
    address: terms.asset,
    abi: EIP3009,
    functionName: 'authorizationState',
    args: [terms.payer, terms.nonce],
    // At the very block whose time was read: a node that is behind it cannot answer for it.
    blockNumber: head.number,
  })
  if (!isUsed) return isOver ? expired('The authorisation ended unused.') : unknown('The chain has not seen it yet.')
  const from =
    payment.fromBlock > 0
      ? BigInt(payment.fromBlock)
      : await blockBefore(node, head, (isOver ? endS : head.timestamp) - SEARCHED_S)
  const use = await useOf(node, terms, from, head.number, endS)
  if (use === undefined) return unknown('It was used; the node does not say where.')
  const logIndex = transferIn(await node.client.getTransactionReceipt({ hash: use }), terms)
  if (logIndex !== undefined) return { kind: 'paid', transaction: use, logIndex }
  // Cancelled, or the same nonce signed for somebody else. Until its end a reorganisation could still undo that.
  return isOver ? expired('The authorisation was cancelled or used for another.') : unknown('It was used for another.')
}

/** A block not much before this time, found in steps that double from the head and then halve: a few dozen on any chain. */
async function blockBefore(
  node: EvmNode,
  head: { readonly number: bigint; readonly timestamp: bigint },
  timeS: bigint,
): Promise<bigint> {
  const isBefore = async (blockNumber: bigint): Promise<boolean> =>
    (await node.client.getBlock({ blockNumber })).timestamp <= timeS
  let low = head.number
  let high = head.number
  for (let step = 1_024n; low > 0n && (low === head.number || !(await isBefore(low))); step *= 2n) {
    high = low
    low = low > step ? low - step : 0n
  }
  while (high - low > 100n) {
    const middle = (low + high) / 2n
    if (await isBefore(middle)) low = middle
    else high = middle
  }
  return low
}

/** The transaction that used up an authorisation, between two blocks. */
async function useOf(
  node: EvmNode,
  terms: EvmTerms,
  from: bigint,
  head: bigint,
  endS: bigint,
): Promise<Hex | undefined> {
  const used = encodeEventTopics({ abi: EIP3009, eventName: 'AuthorizationUsed' })[0]
  const cancelled = encodeEventTopics({ abi: EIP3009, eventName: 'AuthorizationCanceled' })[0]
  const [, payer, nonce] = encodeEventTopics({
    abi: EIP3009,
    eventName: 'AuthorizationUsed',
    args: { authorizer: terms.payer, nonce: terms.nonce },
  })
  const topics = [[used, cancelled], oneOf(payer), oneOf(nonce)]
  const between = (fromBlock: bigint, toBlock: bigint) =>
    node.client.request({
      method: 'eth_getLogs',
      params: [{ address: terms.asset, topics, fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }],
    })
  let widths = WIDTHS
  let start = from > LAG_BLOCKS ? from - LAG_BLOCKS : 0n
  while (start <= head) {
    const [width = 10n, ...narrower] = widths
    const end = start + width - 1n < head ? start + width - 1n : head
    try {
      const [log] = await between(start, end)
      if (log?.transactionHash) return log.transactionHash
    } catch (error) {
      if (narrower.length === 0) throw error
      widths = narrower
      continue
    }
    // A block after its end cannot hold its use.
    if (end < head && (await node.client.getBlock({ blockNumber: end })).timestamp > endS) return undefined
    start = end + 1n
  }
  return undefined
}

const oneOf = (topic: Hex | Hex[] | null | undefined): Hex | null => (typeof topic === 'string' ? topic : null)

/**
 * Whether a transaction that a facilitator names holds the payment. `undefined` when our node does not know the
 * transaction, or it holds something else. Rejects when the node does not answer.
 */
export async function paidIn(
  node: EvmNode,
  payment: Sought,
  hash: Hex,
  waitsMs: readonly number[] = RECEIPT_WAITS_MS,
): Promise<Extract<Outcome, { kind: 'paid' }> | undefined> {
  const terms = termsOf(payment)
  if (terms === undefined || !(await chainMatches(node))) return undefined
  for (const pauseMs of [0, ...waitsMs]) {
    await sleep(pauseMs)
    try {
      const logIndex = transferIn(await node.client.getTransactionReceipt({ hash }), terms)
      return logIndex === undefined ? undefined : { kind: 'paid', transaction: hash, logIndex }
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
    }
  }
  return undefined
}

/**
 * Whether the payment is still on chain, in the transaction that it was seen in or in another. What is gone can come back
 * until its end is over in a final block: nothing later can hold it then. Rejects when the node does not answer.
 */
export async function watchOnEvm(node: EvmNode, payment: Sought, transaction: string): Promise<Standing> {
  // Before anything else is looked at: what comes later is newer than what was final then.
  const final = await finalityOf(node.client)
  const seen = isHash(transaction) ? await paidIn(node, payment, transaction, []) : undefined
  const outcome = seen ?? (await lookOnEvm(node, payment))
  if (outcome.kind === 'paid') {
    const { transaction: held } = outcome
    return { ...outcome, isFinal: isHash(held) && (await final.holds(held)) }
  }
  const isOver = final.timeS > BigInt(Math.floor(payment.expiresUs / 1_000_000)) + MARGIN_S
  return outcome.kind === 'expired' && isOver ? outcome : { kind: 'unknown', reason: outcome.reason }
}
