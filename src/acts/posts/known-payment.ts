import { inTime } from '../../async/in-time.ts'
import type { SingleFlight } from '../../async/single-flight.ts'
import { pastOf, type Unfit } from '../../payment/rail.ts'
import type { StoredPayment } from '../../store/posts/payments.ts'
import { type FoundPost, findPost } from '../../store/posts/read-post.ts'
import type { PostCheckDeps } from './check-post.ts'
import type { Ledger } from './ledger.ts'
import { lookForPayment, type PaymentStanding } from './settle-payment.ts'

/** How a request to post ends, whoever shares it. */
export type PostOutcome =
  | {
      readonly kind: 'published'
      readonly payment: StoredPayment
      readonly post: FoundPost
      readonly isNew: boolean
    }
  | { readonly kind: 'pending'; readonly payment: StoredPayment }
  | { readonly kind: 'unpaid'; readonly fault: Unfit }
  | { readonly kind: 'conflict'; readonly payment: StoredPayment; readonly clash: Clash }

/** What a request has in common with an earlier one that it is not a copy of. */
export type Clash = 'credential' | 'payment-identifier' | 'Idempotency-Key'

export interface PostDeps extends Ledger, PostCheckDeps {
  /** A settlement that takes longer is answered with `pending`, and goes on. */
  readonly settleWaitMs: number
  /** Settlements under way in this program, by payment key. */
  readonly settling: SingleFlight<PaymentStanding>
}

/** As it stands when the settlement ends, or `pending` when that takes too long or cannot be written down. */
export function waitedFor(
  { log, settleWaitMs }: PostDeps,
  settlement: Promise<PaymentStanding>,
  payment: StoredPayment,
): Promise<PaymentStanding> {
  const undecided: PaymentStanding = { payment: { ...payment, state: 'pending' }, isNew: false }
  const ended = settlement.catch((error: unknown) => {
    log.error({ err: error, post: payment.postId }, 'a settlement could not be written down')
    return undecided
  })
  return inTime(ended, settleWaitMs, undecided)
}

/**
 * How a payment of an earlier request stands now: waits for whoever settles it here, or else asks the chain. One that was
 * given up, too: a node may have been wrong about it.
 */
export async function standingNow(deps: PostDeps, known: StoredPayment): Promise<PaymentStanding> {
  if (known.state === 'settled') return { payment: known, isNew: false }
  const underWay = deps.settling.get(known.key)
  const ended = underWay && (await waitedFor(deps, underWay, known))
  if (ended && ended.payment.state !== 'pending') return { ...ended, isNew: false }
  return lookForPayment(deps, await pastOf(deps.rails[known.rail]), known, 'visitor')
}

export async function outcomeOf({ store }: PostDeps, standing: PaymentStanding): Promise<PostOutcome> {
  const { payment, isNew } = standing
  if (payment.state === 'pending') return { kind: 'pending', payment }
  if (payment.state !== 'settled') return { kind: 'unpaid', fault: faultOf(standing) }
  const post = await findPost(store.read, payment.postId)
  if (!post) throw new Error('a settled payment has no post')
  return { kind: 'published', payment, post, isNew }
}

const faultOf = ({ payment: { state, reason }, refusedAs = 'settlement_refused' }: PaymentStanding): Unfit => ({
  ok: false,
  code: state === 'expired' ? 'expired' : refusedAs,
  reason: reason ?? 'the payment was not settled',
})
