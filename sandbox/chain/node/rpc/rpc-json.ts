import type { Hex } from 'viem'
import { toQuantity } from '../hex.ts'
import type { Block, Place } from '../history/blocks.ts'
import type { TransactionJson } from '../history/outcome.ts'
import { BASE_FEE, GAS_LIMIT } from '../rules.ts'

/** Blocks, transactions, receipts and logs as JSON-RPC writes them. */

const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
const NO_BLOOM = zeros(256)
const NO_ROOT = zeros(32)

export interface LogJson {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly [field: string]: unknown
}

const placeJson = ({ block, index }: Place) => ({
  blockHash: block.hash,
  blockNumber: toQuantity(block.number),
  transactionIndex: toQuantity(index),
})

export const transactionJson = (place: Place): TransactionJson => ({
  ...place.outcome.transaction,
  ...placeJson(place),
})

export const waitingJson = (transaction: TransactionJson): TransactionJson => ({
  ...transaction,
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
})

/** The logs of a transaction; they are numbered through its block, which holds no other. */
export const logsJson = (place: Place): LogJson[] =>
  place.outcome.logs.map((log, logIndex) => ({
    ...log,
    ...placeJson(place),
    transactionHash: place.outcome.transaction.hash,
    blockTimestamp: toQuantity(place.block.timeS),
    logIndex: toQuantity(logIndex),
    removed: false,
  }))

export function receiptJson(place: Place) {
  const { transaction, isSuccess, gasUsed, gasPrice, created, feeToken } = place.outcome
  return {
    ...placeJson(place),
    transactionHash: transaction.hash,
    type: transaction.type,
    status: isSuccess ? '0x1' : '0x0',
    gasUsed,
    cumulativeGasUsed: gasUsed,
    effectiveGasPrice: gasPrice,
    from: transaction.from,
    to: transaction.to,
    contractAddress: created,
    logs: logsJson(place),
    logsBloom: NO_BLOOM,
    ...(feeToken === undefined ? {} : { feePayer: transaction.from, feeToken }),
  }
}

export function blockJson(block: Block, isFull: boolean) {
  const places = block.outcomes.map((outcome, index) => ({ block, index, outcome }))
  const gasUsed = block.outcomes.reduce((sum, outcome) => sum + BigInt(outcome.gasUsed), 0n)
  return {
    number: toQuantity(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: toQuantity(block.timeS),
    stateRoot: block.root,
    gasLimit: toQuantity(GAS_LIMIT),
    gasUsed: toQuantity(gasUsed),
    baseFeePerGas: toQuantity(BASE_FEE),
    transactions: places.map((place) => (isFull ? transactionJson(place) : place.outcome.transaction.hash)),
    miner: zeros(20),
    nonce: zeros(8),
    difficulty: '0x0',
    totalDifficulty: '0x0',
    extraData: '0x',
    size: '0x0',
    uncles: [],
    logsBloom: NO_BLOOM,
    sha3Uncles: NO_ROOT,
    transactionsRoot: NO_ROOT,
    receiptsRoot: NO_ROOT,
    mixHash: NO_ROOT,
  }
}
