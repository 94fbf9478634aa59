import type { Chain, Client, Hash, Transport } from 'viem'
import { getBlock, getTransactionReceipt } from 'viem/actions'

/** What no reorganisation of an EVM chain takes away any more, as its node saw it at one moment. */
export interface Finality {
  /** Time of the newest final block. */
  readonly timeS: bigint
  /** Whether this transaction, which the chain holds, is in a final block. */
  holds(transaction: Hash): Promise<boolean>
}

/** Where a chain does not say what is final, a block that has stood for so long is. */
const STOOD_S = 86_400n

/** Rejects when the node does not answer. */
export async function finalityOf(client: Client<Transport, Chain | undefined>): Promise<Finality> {
  const [head, said] = await Promise.all([
    getBlock(client, { blockTag: 'latest' }),
    getBlock(client, { blockTag: 'finalized' }).catch(() => undefined),
  ])
  const timeS = said?.timestamp ?? head.timestamp - STOOD_S
  return {
    timeS,
    holds: async (hash) => {
      const { blockNumber, blockHash } = await getTransactionReceipt(client, { hash })
      const block = await getBlock(client, { blockNumber })
      const isOld = said ? blockNumber <= (said.number ?? -1n) : block.timestamp <= timeS
      return isOld && block.hash === blockHash
    },
  }
}
