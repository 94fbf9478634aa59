import { type Hex, isAddressEqual, type TransactionReceipt } from 'viem'
import type { EvmNode } from '../../nodes.ts'
import type { Move } from '../judge.ts'
import { printed } from '../transfer-log.ts'
import { batchEvents, type Deals, dealsIn } from './batch-settlement.ts'
import type { ChannelEvent } from './channel-event.ts'
import { BATCH_SETTLEMENT, escrowsOn } from './escrows.ts'
import { tempoEvents } from './tempo.ts'

/** What a transaction did to channels, of which some may be known. Rejects when the node does not answer. */
export async function channelEvents(
  node: EvmNode,
  { logs, transactionHash: hash }: TransactionReceipt,
  known: Deals = new Map(),
): Promise<ChannelEvent[]> {
  const speaking = escrowsOn(node.network).filter((escrow) => logs.some((log) => isAddressEqual(log.address, escrow)))
  const each = speaking.map((escrow) =>
    escrow === BATCH_SETTLEMENT
      ? dealsOf(node, hash).then((deals) => batchEvents(logs, new Map([...known, ...deals])))
      : tempoEvents(logs, escrow),
  )
  return (await Promise.all(each)).flat()
}

/** Logs of batch settlement name channels alone: who pays whom in them is in the call. */
async function dealsOf({ client, chainId }: EvmNode, hash: Hex): Promise<Deals> {
  const { input } = await client.getTransaction({ hash })
  return dealsIn(input, chainId)
}

export const paidIn = (events: readonly ChannelEvent[]): Move[] =>
  events.flatMap((event) => {
    if (event.kind !== 'paid') return []
    const { deal, amount, place, channel } = event
    return [
      { asset: printed(deal.asset), amount, payer: printed(deal.payer), payee: printed(deal.payee), place, channel },
    ]
  })
