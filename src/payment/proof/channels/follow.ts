import type { Hex } from 'viem'
import { isSameAddress } from '../../../domain/wallet.ts'
import type { EvmNode } from '../../nodes.ts'
import { type Confirmed, type EvmSettings, lookUp } from '../evm-transaction.ts'
import { judge, none, unknown } from '../judge.ts'
import type { Proof, ProofRequest, Transfer } from '../proof.ts'
import type { Deals } from './batch-settlement.ts'
import type { ChannelEvent } from './channel-event.ts'
import { channelEvents, paidIn } from './events-in.ts'
import { transactionsOf } from './search.ts'

/** A channel, and what the review names it by. */
export interface Way {
  readonly channel: Hex
  readonly named: Hex
  /** Before it there is nothing of the channel. */
  readonly fromBlock: bigint
}

/** How long after a review its channel is looked at: longer than any escrow contract lets a withdrawal wait. */
const WATCHED_US = 31 * 24 * 3600 * 1_000_000
/** More than any price: for what a channel may still come to pay. */
const ANY_AMOUNT = 2n ** 128n

/**
 * What a channel has paid: any claim, settlement or closing of it can support the review, provided that it was opened
 * before. `undefined`: no channel is found. Rejects when the node does not answer.
 */
export async function followChannel(
  node: EvmNode,
  { channel, named, fromBlock }: Way,
  request: ProofRequest,
  settings: EvmSettings,
): Promise<Proof | undefined> {
  const story = await storyOf(node, channel, fromBlock, settings)
  if (story.length === 0) return undefined
  const { network } = node
  const now = stateOf(story, request, settings)
  const [opening] = story.flatMap(({ atUs, events }) =>
    events.flatMap((event) => (event.kind === 'opened' ? [{ atUs, deal: event.deal }] : [])),
  )
  if (opening === undefined) return notYet(now.isOpen, 'the opening of the channel was not found')
  const openedUs = opening.atUs
  const seen = { network, id: named, atUs: openedUs, openedUs, isFinal: false }
  // Whoever did not open it, or not for this seller, is never paid for by it.
  const moves = [{ ...opening.deal, amount: ANY_AMOUNT, place: 0 }]
  const possible = judge(request, { ...seen, moves }, settings.decimals)
  if (possible.kind !== 'found') return possible

  let reason = 'the channel has paid nobody yet'
  const transfers: Transfer[] = []
  for (const { receipt, atUs, isFinal, events } of story) {
    const paid = paidIn(events)
    if (paid.length === 0) continue
    const id = receipt.transactionHash
    const proof = judge(request, { network, id, moves: paid, atUs, isFinal, openedUs }, settings.decimals)
    if (proof.kind === 'found') transfers.push(...proof.transfers.map((transfer) => inState(transfer, now)))
    else reason = proof.reason
  }
  const [first, ...rest] = transfers
  if (first === undefined) return notYet(now.isOpen, reason)
  return { kind: 'found', network, transaction: named, transfers: [first, ...rest] }
}

/** What was found, with what has become of the channels that it was paid out of. */
export async function withChannel(
  node: EvmNode,
  found: Extract<Proof, { kind: 'found' }>,
  request: ProofRequest,
  settings: EvmSettings,
): Promise<Proof> {
  const complete = async (transfer: Transfer): Promise<Transfer> => {
    if (transfer.channel === undefined) return transfer
    const story = await storyOf(node, asHex(transfer.channel.id), 0n, settings)
    return inState(transfer, stateOf(story, request, settings))
  }
  const [first, ...rest] = found.transfers
  return { ...found, transfers: [await complete(first), ...(await Promise.all(rest.map(complete)))] }
}

const asHex = (text: string): Hex => `0x${text.slice(2)}`

interface Chapter extends Confirmed {
  readonly events: readonly ChannelEvent[]
}

/** Everything that happened to a channel, oldest first. What its opening says is known of all that follows. */
async function storyOf(node: EvmNode, channel: Hex, fromBlock: bigint, settings: EvmSettings): Promise<Chapter[]> {
  const hashes = await transactionsOf(node, channel, fromBlock)
  const looked = await Promise.all(hashes.map((hash) => lookUp(node, hash, settings)))
  const [first, ...later] = looked.filter((one) => one.kind === 'confirmed')
  if (first === undefined) return []
  const read = async (one: Confirmed, deals?: Deals): Promise<Chapter> => {
    const events = await channelEvents(node, one.receipt, deals)
    return { ...one, events: events.filter((event) => event.channel === channel) }
  }
  const beginning = await read(first)
  const opened = beginning.events.flatMap((event) => (event.kind === 'opened' ? [event.deal] : []))
  const deals = new Map(opened.map((deal) => [channel, deal]))
  return [beginning, ...(await Promise.all(later.map((one) => read(one, deals))))]
}

interface ChannelState {
  readonly refunded: string | null
  readonly isOpen: boolean
}

function stateOf(story: readonly Chapter[], { submittedUs }: ProofRequest, { nowUs }: EvmSettings): ChannelState {
  const events = story.flatMap((chapter) => chapter.events)
  const refunds = events.flatMap((event) => (event.kind === 'refunded' ? [event.amount] : []))
  const refunded = refunds.reduce((sum, amount) => sum + amount, 0n)
  const isClosed = events.some(({ kind }) => kind === 'closed')
  return { refunded: refunded > 0n ? String(refunded) : null, isOpen: !isClosed && nowUs() < submittedUs + WATCHED_US }
}

const inState = (transfer: Transfer, state: ChannelState): Transfer =>
  transfer.channel === undefined ? transfer : { ...transfer, channel: { ...transfer.channel, ...state } }

/** While the channel can still pay, nothing is decided; what it paid before and does not show now is gone. */
const notYet = (isOpen: boolean, reason: string): Proof =>
  isOpen ? { ...unknown(reason), isMissing: true } : none(reason)

/** The channel of a transaction that opens or fills one: the wallet's own where there are several. */
export function openedIn(events: readonly ChannelEvent[], wallet: string): ChannelEvent | undefined {
  const openings = events.filter(({ kind }) => kind === 'opened' || kind === 'filled')
  const own = openings.find((one) => one.kind === 'opened' && isSameAddress(one.deal.payer, wallet))
  return own ?? openings[0]
}
