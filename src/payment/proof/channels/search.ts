import { type Hex, HttpRequestError, numberToHex, type RpcLog, TimeoutError } from 'viem'
import type { EvmNode } from '../../nodes.ts'
import { escrowsOn } from './escrows.ts'

/** A channel with more transactions than these is looked at no further. */
const MOST_TRANSACTIONS = 24
/** What nodes search that refuse to search a whole chain. */
const WINDOW = 10_000n
const MOST_WINDOWS = 10

/**
 * The transactions that did something to a channel, oldest first; none when there is no such channel, or the node finds
 * none in as much of the chain as it searches. Rejects when it does not answer.
 */
export async function transactionsOf(node: EvmNode, channel: Hex, fromBlock: bigint): Promise<Hex[]> {
  const logs = (await search(node, channel, fromBlock, 'latest')) ?? (await searchBackwards(node, channel, fromBlock))
  const inOrder = logs.toSorted((a, b) => Number(a.blockNumber) - Number(b.blockNumber))
  const hashes = inOrder.flatMap(({ transactionHash }) => transactionHash ?? [])
  return [...new Set(hashes)].slice(0, MOST_TRANSACTIONS)
}

async function searchBackwards(node: EvmNode, channel: Hex, fromBlock: bigint): Promise<RpcLog[]> {
  const found: RpcLog[] = []
  let last = await node.client.getBlockNumber()
  for (let windows = 0; windows < MOST_WINDOWS && last >= fromBlock; windows++) {
    const first = last - WINDOW + 1n > fromBlock ? last - WINDOW + 1n : fromBlock
    const logs = await search(node, channel, first, last)
    if (logs === undefined) break
    found.push(...logs)
    last = first - 1n
  }
  return found
}

/** `undefined`: the node refuses. Every log of an escrow contract has the channel as its first topic. */
async function search({ client, network }: EvmNode, channel: Hex, from: bigint, to: bigint | 'latest') {
  const [fromBlock, toBlock] = [numberToHex(from), to === 'latest' ? to : numberToHex(to)]
  const filter = { address: [...escrowsOn(network)], topics: [null, channel], fromBlock, toBlock }
  try {
    return await client.request({ method: 'eth_getLogs', params: [filter] })
  } catch (error) {
    if (isOutage(error)) throw error
    return undefined
  }
}

const isOutage = (error: unknown): boolean =>
  error instanceof TimeoutError || (error instanceof HttpRequestError && error.status === undefined)
