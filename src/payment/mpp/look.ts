import { type Hash, isHash, parseEventLogs, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { getChainId, getTransactionReceipt } from 'viem/actions'
import { Abis } from 'viem/tempo'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { isSameAddress } from '../../domain/wallet.ts'
import { type Finality, finalityOf } from '../finality.ts'
import type { Outcome, Payment, Standing } from '../rail.ts'
import type { MppDeps } from './charge.ts'
import { unboundOf } from './check.ts'
import { heldIn, readCredential } from './credential.ts'
import type { TempoClient } from './node.ts'

/** How long after a transaction's last moment a node that lags behind could still not know it. */
const MARGIN_US = 30_000_000

/** What the chain says about a payment, which has to be made for its very request. Never rejects. */
export async function lookForPayment(deps: MppDeps, payment: Payment): Promise<Outcome> {
  const sight = await seeOnChain(deps, payment)
  const isMeant = sight.kind !== 'paid' || (await isForItsRequest(deps, payment.raw))
  return isMeant ? outcomeOf(sight) : { kind: 'unknown', reason: 'The transfer was made for another request.' }
}

/** Holds also for a credential that comes late and was sent by somebody else. Without `raw` it was checked before. */
async function isForItsRequest({ node, chargeOn }: MppDeps, raw: string | null): Promise<boolean> {
  if (raw === null) return true
  const stored = heldIn(raw)
  const reading = await readCredential(stored?.authorization)
  if (stored === undefined || reading.kind !== 'pull') return false
  return (await unboundOf(reading.pull, chargeOn(await node.network()), stored)) === undefined
}

export type Sight =
  | Exclude<Outcome, { readonly kind: 'unknown' | 'refused' }>
  /** The node answered, and the chain does not hold the transaction yet. */
  | { readonly kind: 'absent' }
  /** The node does not answer, or is of another network. */
  | { readonly kind: 'blind' }

export function outcomeOf(sight: Sight): Outcome {
  if (sight.kind === 'absent') return { kind: 'unknown', reason: 'The transaction is not on chain yet.' }
  if (sight.kind === 'blind') return { kind: 'unknown', reason: 'The Tempo node of this directory does not answer.' }
  return sight
}

type SightDeps = Pick<MppDeps, 'node' | 'nowUs'>

/** Never rejects. */
export async function seeOnChain({ node, nowUs }: SightDeps, payment: Payment): Promise<Sight> {
  const { key } = payment
  if (!isHash(key)) return { kind: 'blind' }
  try {
    const { name, client } = await node.network()
    // A node of another network knows nothing of the payment, and its silence must not be taken for a no.
    if (name !== payment.network) return { kind: 'blind' }
    // What is final before the receipt: a transaction that came in between is found, not given up.
    const final = isLate(payment, nowUs()) ? await finalityOf(client) : undefined
    return await seeWith(client, key, payment, isOver(payment, nowUs(), final))
  } catch {
    return { kind: 'blind' }
  }
}

/**
 * Whether a payment that was seen is still on chain. What is gone can come back until its end is over in a final block.
 * Never rejects.
 */
export async function watchPayment({ node, nowUs }: SightDeps, payment: Payment): Promise<Standing> {
  const { key } = payment
  const blind = { kind: 'unknown', reason: 'The Tempo node of this directory does not answer.' } as const
  if (!isHash(key)) return blind
  try {
    const { name, client } = await node.network()
    if (name !== payment.network || `tempo:${await getChainId(client)}` !== name) return blind
    const final = await finalityOf(client)
    const hasEnded = isOver(payment, nowUs(), final)
    const sight = await seeWith(client, key, payment, hasEnded)
    if (sight.kind === 'paid') return { ...sight, isFinal: await final.holds(key) }
    return sight.kind === 'expired' && hasEnded
      ? sight
      : { kind: 'unknown', reason: 'The transaction is not on chain any more.' }
  } catch {
    return blind
  }
}

const isLate = ({ expiresUs }: Payment, nowUs: TimestampUs): boolean => nowUs > expiresUs + MARGIN_US

/** Whether no block can hold it any more that does not yet: by our own clock and by what is final, so that no node says so alone. */
const isOver = (payment: Payment, nowUs: TimestampUs, final: Finality | undefined): boolean =>
  final !== undefined && isLate(payment, nowUs) && isLate(payment, Number(final.timeS) * 1e6)

async function seeWith(client: TempoClient, hash: Hash, payment: Payment, hasEnded: boolean): Promise<Sight> {
  const receipt = await receiptOf(client, hash)
  if (receipt === undefined) {
    return hasEnded
      ? { kind: 'expired', reason: 'The transaction was not on chain in time.', isUnsure: true }
      : { kind: 'absent' }
  }
  const logIndex = receipt.status === 'success' ? transferIn(receipt, payment) : undefined
  return logIndex === undefined
    ? { kind: 'expired', reason: 'The transaction is on chain and did not move the amount.' }
    : { kind: 'paid', transaction: hash, logIndex }
}

async function receiptOf(client: TempoClient, hash: Hash): Promise<TransactionReceipt | undefined> {
  try {
    return await getTransactionReceipt(client, { hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** Where in the transaction at least the amount went from payer to payee. That it succeeded alone proves nothing. */
function transferIn(receipt: TransactionReceipt, payment: Payment): number | undefined {
  const transfers = parseEventLogs({ abi: Abis.tip20, eventName: 'Transfer', logs: receipt.logs })
  return transfers.find(
    ({ address, args }) =>
      isSameAddress(address, payment.asset) &&
      isSameAddress(args.from, payment.payer) &&
      isSameAddress(args.to, payment.payee) &&
      args.amount >= BigInt(payment.amount),
  )?.logIndex
}
