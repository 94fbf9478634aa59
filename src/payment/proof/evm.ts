import {
  type Hex,
  isHex,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { parseWallet } from '../../wire/wallet.ts'
import { chainMatches, type EvmNode } from '../nodes.ts'
import type { Decimals } from './dollars.ts'
import { judge, type Move, missing, none, unknown } from './judge.ts'
import type { Proof, ProofRequest } from './proof.ts'

export interface EvmSettings {
  readonly decimals: Decimals
  /** Blocks that hold the transaction, its own included, before it is believed. */
  readonly confirmations: number
  readonly nowUs: () => TimestampUs
}

const TRANSFER = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const HASH = /^0x[0-9a-f]{64}$/

/** The one form of a transaction's hash. */
function hashOf(text: string): Hex | undefined {
  const hash = text.startsWith('0x') ? text.toLowerCase() : ''
  return HASH.test(hash) && isHex(hash) ? hash : undefined
}

/**
 * Looks for the payment on an EVM chain. Whoever sent the transaction is a facilitator or a bundler, never taken for the
 * payer: only Transfer logs say who paid. Rejects when the node does not answer.
 */
export async function findOnEvm(node: EvmNode, request: ProofRequest, settings: EvmSettings): Promise<Proof> {
  const { client, network } = node
  const hash = hashOf(request.transaction)
  if (hash === undefined) return none(`a transaction on ${network} is named by 0x and 64 hexadecimal digits`)
  if (!(await chainMatches(node))) return unknown(`the node for ${network} is on another chain`)

  const receipt = await receiptOf(node, hash)
  if (receipt === undefined) return missing(request, network, await headUs(node), settings.nowUs())
  const [head, block, finalized] = await Promise.all([
    client.getBlockNumber(),
    client.getBlock({ blockNumber: receipt.blockNumber }),
    // Not every chain knows the tag: nothing is final there.
    client.getBlock({ blockTag: 'finalized' }).catch(() => undefined),
  ])
  if (block.hash !== receipt.blockHash || receipt.transactionHash !== hash) {
    return unknown(`the blocks of ${network} are being reorganised`)
  }
  const confirmations = head - receipt.blockNumber + 1n
  if (confirmations < settings.confirmations) {
    return unknown(`waiting for confirmations: ${confirmations} of ${settings.confirmations}`)
  }
  if (receipt.status !== 'success') return none('the transaction failed: it moved nothing')
  const seen = {
    network,
    id: hash,
    moves: movesIn(receipt),
    atUs: timeOf(block),
    isFinal: finalized !== undefined && finalized.number >= receipt.blockNumber,
  }
  return judge(request, seen, settings.decimals)
}

const timeOf = ({ timestamp }: { readonly timestamp: bigint }): TimestampUs => Number(timestamp) * 1_000_000

const headUs = async ({ client }: EvmNode): Promise<TimestampUs> => timeOf(await client.getBlock())

async function receiptOf({ client }: EvmNode, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** Every Transfer log. Which contracts are dollars is judged later: anybody can deploy one that emits whatever it likes. */
const movesIn = ({ logs }: TransactionReceipt): Move[] =>
  logs.flatMap((log, place) =>
    parseEventLogs({ abi: TRANSFER, logs: [log], strict: true }).map(({ address, args }) => ({
      asset: printed(address),
      amount: args.value,
      payer: printed(args.from),
      payee: printed(args.to),
      place,
    })),
  )

const printed = (address: string): string => parseWallet(address) ?? address
