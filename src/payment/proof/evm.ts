import { chainMatches, type EvmNode } from '../nodes.ts'
import { channelEvents, paidIn } from './channels/events-in.ts'
import { followChannel, openedIn, withChannel } from './channels/follow.ts'
import { type EvmSettings, hashOf, headUs, lookUp } from './evm-transaction.ts'
import { judge, missing, none, unknown } from './judge.ts'
import type { Proof, ProofRequest } from './proof.ts'
import { transfersIn } from './transfer-log.ts'

/**
 * Looks for the payment on an EVM chain. Whoever sent the transaction is a facilitator or a bundler, never taken for the
 * payer: only Transfer logs say who paid, and known escrow contracts. What is named may also be a channel of one of
 * these, by its id or by the transaction that opened it. Rejects when the node does not answer.
 */
export async function findOnEvm(node: EvmNode, request: ProofRequest, settings: EvmSettings): Promise<Proof> {
  const { network } = node
  const hash = hashOf(request.transaction)
  if (hash === undefined) return none(`a transaction on ${network} is named by 0x and 64 hexadecimal digits`)
  if (!(await chainMatches(node))) return unknown(`the node for ${network} is on another chain`)

  const looked = await lookUp(node, hash, settings)
  if (looked.kind === 'missing') {
    const followed = await followChannel(node, { channel: hash, named: hash, fromBlock: 0n }, request, settings)
    return followed ?? missing(request, network, await headUs(node), settings.nowUs())
  }
  if (looked.kind !== 'confirmed') return looked
  const { receipt, atUs, isFinal } = looked
  const events = await channelEvents(node, receipt)
  const moves = [...transfersIn(receipt.logs), ...paidIn(events)]
  const proof = judge(request, { network, id: hash, moves, atUs, isFinal }, settings.decimals)
  if (proof.kind === 'found') return withChannel(node, proof, request, settings)
  const opened = openedIn(events, request.wallet)
  if (opened === undefined) return proof
  const fromBlock = opened.kind === 'opened' ? receipt.blockNumber : 0n
  const way = { channel: opened.channel, named: hash, fromBlock }
  return (await followChannel(node, way, request, settings)) ?? proof
}
