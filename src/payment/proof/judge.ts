import { formatPrice, type MicroDollars, priceFromBaseUnits } from '../../domain/money/price.ts'
import { isTestNetwork } from '../../domain/network.ts'
import { PRICE_REASONS } from '../../domain/review.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import type { Decimals } from './dollars.ts'
import { leastPriceAt, takesRealMoney } from './least-price.ts'
import { payeesOn } from './payees.ts'
import type { Proof, ProofRequest, Transfer } from './proof.ts'

/** One movement of some asset within a transaction, as its chain tells it. */
export interface Move {
  readonly asset: string
  /** In base units. */
  readonly amount: bigint
  readonly payer: string
  readonly payee: string
  /** Its place among the logs or instructions of the transaction: the same in whatever block it ends up. */
  readonly place: number
  /** The id of the channel that it was paid out of, where it was. */
  readonly channel?: string
}

/** A successful transaction. */
export interface SeenTransaction {
  /** CAIP-2 form. */
  readonly network: string
  /** In its one form. */
  readonly id: string
  readonly moves: readonly Move[]
  /** Time of its block. */
  readonly atUs: TimestampUs
  readonly isFinal: boolean
  /** What of a channel is paid later was bought once it was open. */
  readonly openedUs?: TimestampUs
}

/**
 * How far the time of a block may be ahead of our clock: some chains date a block by when it will be full. No longer, or
 * whoever has reviewed could still pay.
 */
const CLOCK_TOLERANCE_US = 10 * 1_000_000

/** Which of a transaction's moves support the review, or the nearest reason why none does. */
export function judge(request: ProofRequest, seen: SeenTransaction, decimals: Decimals): Proof {
  const latestUs = request.submittedUs + CLOCK_TOLERANCE_US
  if (seen.openedUs === undefined && seen.atUs > latestUs) {
    return none(`the payment was made at ${formatTimestamp(seen.atUs)}, after the review`)
  }
  if (seen.openedUs !== undefined && seen.openedUs > latestUs) {
    return none(`the channel was opened at ${formatTimestamp(seen.openedUs)}, after the review`)
  }
  if (isTestNetwork(seen.network) && takesRealMoney(request.prices, seen.atUs)) {
    return none('the payment was made on a test network, and the route is sold for real money')
  }
  const payees = payeesOn(
    request.payees.filter(({ isSharer }) => !isSharer),
    seen.network,
  )
  if (payees.size === 0) return none(`nobody was seen to be paid for this route on ${seen.network}`)
  const least = leastPriceAt(request.prices, seen.network, seen.atUs)
  if (least === undefined) return none(`${PRICE_REASONS.isUnknown} to compare the payment with`)

  const wallet = walletKey(request.wallet)
  const toPayee = seen.moves.filter((move) => payees.has(walletKey(move.payee)))
  const byWallet = toPayee.filter((move) => walletKey(move.payer) === wallet)
  const toOthers = byWallet.filter((move) => walletKey(move.payee) !== wallet)
  const inDollars = toOthers.filter((move) => decimals(seen.network, move.asset) !== undefined)
  const [first, ...rest] = inDollars.filter((move) => isEnough(move, seen.network, least, decimals))
  if (first !== undefined) {
    const transfers: [Transfer, ...Transfer[]] = [
      transferOf(first, seen),
      ...rest.map((move) => transferOf(move, seen)),
    ]
    return { kind: 'found', network: seen.network, transaction: seen.id, transfers }
  }
  const shared = sharedPayment(request, seen, inDollars)
  if (shared !== undefined && isEnough(shared.whole, seen.network, least, decimals)) {
    const transfer = { ...transferOf(shared.whole, seen), parts: shared.parts }
    return { kind: 'found', network: seen.network, transaction: seen.id, transfers: [transfer] }
  }

  if (inDollars.length > 0 && inDollars.every(({ amount }) => amount === 0n)) {
    return none('the transaction moved nothing: a transfer of zero is no payment')
  }
  if (inDollars.length > 0) return none(`${PRICE_REASONS.isLess}, ${formatPrice(least)}`)
  if (toOthers.length > 0) return none('the payment was made in an asset that is not known as a dollar here')
  if (byWallet.length > 0) return none('a payment to oneself does not count')
  if (toPayee.length > 0) return none('the payment was made by another wallet than the one that signed')
  return none('the transaction pays nobody who was seen to be paid for this route')
}

const transferOf = (move: Move, { id, atUs, isFinal }: SeenTransaction): Transfer => ({
  asset: move.asset,
  amount: String(move.amount),
  payer: move.payer,
  payee: move.payee,
  logIndex: move.place,
  atUs,
  isFinal,
  ...(move.channel !== undefined && {
    channel: { id: move.channel, transaction: id, refunded: null, isOpen: true },
  }),
})

/**
 * What a payee and those who share with it were paid together, of one asset. `toPayees`: what the wallet paid to those
 * who are paid themselves, of which there must be some.
 */
function sharedPayment(request: ProofRequest, { network, moves }: SeenTransaction, toPayees: readonly Move[]) {
  const [main] = toPayees
  if (main === undefined) return undefined
  const sharers = payeesOn(
    request.payees.filter(({ isSharer }) => isSharer),
    network,
  )
  const isSame = ({ asset, payer, payee }: Move): boolean =>
    asset === main.asset && payer === main.payer && walletKey(payee) !== walletKey(payer)
  const shares = moves.filter((move) => sharers.has(walletKey(move.payee)) && isSame(move))
  if (shares.length === 0) return undefined
  const others = [...toPayees.slice(1).filter(isSame), ...shares]
  const amount = others.reduce((sum, move) => sum + move.amount, main.amount)
  return { whole: { ...main, amount }, parts: others.map(({ place }) => place) }
}

/**
 * Prices are stored in millionths, what they cannot hold rounded up; an amount is compared after the same rounding, so
 * that whoever paid exactly what was asked has paid enough. Nothing at all never is: anybody can move zero of anybody's.
 */
function isEnough(move: Move, network: string, least: MicroDollars, decimals: Decimals): boolean {
  const unit = decimals(network, move.asset)
  if (unit === undefined || move.amount <= 0n) return false
  // Beyond what a price can hold: more than any price.
  return (priceFromBaseUnits(move.amount, unit) ?? Number.POSITIVE_INFINITY) >= least
}

export const none = (reason: string) => ({ kind: 'none', reason }) as const satisfies Proof
export const unknown = (reason: string) => ({ kind: 'unknown', reason }) as const satisfies Proof

const WAIT_FOR_TRANSACTION_US = 10 * 60 * 1_000_000

/**
 * What it means that a node does not know the transaction. It may still be on its way; some minutes after the review it
 * does not exist. A node that has not come to the time of the review itself cannot say so.
 */
export function missing(request: ProofRequest, network: string, headUs: TimestampUs, nowUs: TimestampUs): Proof {
  if (nowUs - request.submittedUs < WAIT_FOR_TRANSACTION_US) {
    return { ...unknown(`the transaction is not on ${network} yet`), isMissing: true }
  }
  return headUs < request.submittedUs
    ? unknown(`the node for ${network} is behind`)
    : none(`there is no such transaction on ${network}`)
}
