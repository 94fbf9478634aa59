import { type Hex, isHex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { EvmNode } from '../nodes.ts'
import type { Decimals } from './dollars.ts'
import { none, unknown } from './judge.ts'
import type { Proof } from './proof.ts'

export interface EvmSettings {
  readonly decimals: Decimals
  /** Blocks that hold the transaction, its own included, before it is believed. */
  readonly confirmations: number
  readonly nowUs: () => TimestampUs
}

/** A transaction that succeeded, in a block that stands. */
export interface Confirmed {
  readonly kind: 'confirmed'
  readonly receipt: TransactionReceipt
  /** Time of its block. */
  readonly atUs: TimestampUs
  readonly isFinal: boolean
}

export type Looked = Confirmed | { readonly kind: 'missing' } | Exclude<Proof, { kind: 'found' }>

const HASH = /^0x[0-9a-f]{64}$/

/** The one form of a transaction's hash. */
export function hashOf(text: string): Hex | undefined {
  const hash = text.startsWith('0x') ? text.toLowerCase() : ''
  return HASH.test(hash) && isHex(hash) ? hash : undefined
}

/** Looks a transaction up. Rejects when the node does not answer. */
export async function lookUp(node: EvmNode, hash: Hex, { confirmations }: EvmSettings): Promise<Looked> {
  const { client, network } = node
  const receipt = await receiptOf(node, hash)
  if (receipt === undefined) return { kind: 'missing' }
  const [head, block, finalized] = await Promise.all([
    client.getBlockNumber(),
    client.getBlock({ blockNumber: receipt.blockNumber }),
    // Not every chain knows the tag: nothing is final there.
    client.getBlock({ blockTag: 'finalized' }).catch(() => undefined),
  ])
  if (block.hash !== receipt.blockHash || receipt.transactionHash !== hash) {
    return unknown(`the blocks of ${network} are being reorganised`)
  }
  const held = head - receipt.blockNumber + 1n
  if (held < confirmations) return unknown(`waiting for confirmations: ${held} of ${confirmations}`)
  if (receipt.status !== 'success') return none('the transaction failed: it moved nothing')
  const isFinal = finalized !== undefined && finalized.number >= receipt.blockNumber
  return { kind: 'confirmed', receipt, atUs: timeOf(block), isFinal }
}

const timeOf = ({ timestamp }: { readonly timestamp: bigint }): TimestampUs => Number(timestamp) * 1_000_000

export const headUs = async ({ client }: EvmNode): Promise<TimestampUs> => timeOf(await client.getBlock())

async function receiptOf({ client }: EvmNode, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}
