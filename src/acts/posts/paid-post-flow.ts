import { Problem } from '../../domain/problem.ts'
import type { Checked, Credential, PaymentRail, Unfit } from '../../payment/rail.ts'
import { claimRefused, saveIntent } from '../../store/posts/payment-steps.ts'
import { findPaymentIdentified, findPaymentOf, type StoredPayment } from '../../store/posts/payments.ts'
import type { PostBody } from '../../wire/bodies/post-body.ts'
import { checkPost, meetsTerms, type PostRequest, requirePayer } from './check-post.ts'
import { findEarlier, idempotencyKeyIn, messageKeyIn } from './earlier-payment.ts'
import { outcomeOf, type PostDeps, type PostOutcome, standingNow, waitedFor } from './known-payment.ts'
import { lookForPayment, type PaymentStanding, settlePayment } from './settle-payment.ts'

/** A request to post whose credential was read. */
export interface Paying {
  readonly request: PostRequest
  readonly rail: PaymentRail
  readonly credential: Credential
  readonly hostId: number
  readonly requestHash: string
}

/** Whether money moved for a request that is refused; `pending` when nobody can say yet. */
export type Charged = boolean | 'pending'

/** Something failed, and the payer must be told whether money moved. */
export class PaymentInterrupted extends Error {
  constructor(
    override readonly cause: unknown,
    readonly moved: Charged,
  ) {
    super('a post could not be answered')
  }
}

/** What stands in the way of an intent is mostly there to be answered from. */
const MOST_ATTEMPTS = 3

/**
 * One request with a credential, in the order that loses nothing: known credentials first, free checks, intent,
 * settlement, publication; each kept before the next begins.
 */
export class PaidPostFlow {
  /** What a failure at this moment means for the payer. */
  #moved: Charged = false

  constructor(
    private readonly deps: PostDeps,
    private readonly paying: Paying,
  ) {}

  /** Rejects with a `Problem` when nothing was charged, and with `PaymentInterrupted`. */
  async outcome(): Promise<PostOutcome> {
    try {
      return await this.#steps()
    } catch (error) {
      throw error instanceof Problem ? error : new PaymentInterrupted(error, this.#moved)
    }
  }

  async #steps(): Promise<PostOutcome> {
    const { deps, paying } = this
    const known = await findPaymentOf(deps.store.read, paying.credential)
    if (known) return this.#goOn(known)
    const body = await checkPost(deps, paying.request, paying.credential)
    const checked = await this.#checkPayment(body.wallet)
    // Perhaps somebody else has used it on its way to us: then it has paid.
    if (!checked.ok && (checked.isFinal || !(await this.#hasPaid()))) return { kind: 'unpaid', fault: checked }
    // On a full disk a payment may be written down where its post cannot: nobody is to pay for what then waits.
    if (checked.ok) await deps.store.findRoom()
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const claimed = await this.#saveIntent(body, checked)
      if (claimed) return this.#settle(claimed, checked.ok ? 'settle' : 'look')
      // Another request, here or in another program, stored the same credential or message in the meantime.
      const stored = await findPaymentOf(deps.store.read, paying.credential)
      if (stored) return this.#goOn(stored)
      const earlier = await findEarlier(deps.store.read, paying.request, body)
      if (earlier?.kind === 'other') return { kind: 'conflict', payment: earlier.payment, clash: 'Idempotency-Key' }
      if (earlier) return this.#answer(await standingNow(deps, earlier.payment))
      // What stood in the way was refused a moment ago.
    }
    throw new Error('an intent was neither stored nor known')
  }

  /** A credential that was seen before has its answer already, or is asked about once more. */
  async #goOn(known: StoredPayment): Promise<PostOutcome> {
    const { deps, paying } = this
    if (known.requestHash !== paying.requestHash) {
      const clash = known.key === paying.credential.key ? 'credential' : 'payment-identifier'
      return { kind: 'conflict', payment: known, clash }
    }
    this.#moved = known.state === 'pending' ? 'pending' : false
    const underWay = deps.settling.get(known.key)
    const seen = await standingNow(deps, known)
    const { key, payer, identifier } = paying.credential
    // Of another credential that had this one's name until a moment ago: it is for its own sender to try again.
    if (underWay || seen.payment.state !== 'refused' || known.key !== key) return this.#answer(seen)
    const identified = await findPaymentIdentified(deps.store.read, payer, identifier)
    if (identified && identified.requestHash !== paying.requestHash) {
      return { kind: 'conflict', payment: identified, clash: 'payment-identifier' }
    }
    const names = { identifier, idempotencyKey: idempotencyKeyIn(paying.request) }
    const claimed = await claimRefused(deps.store, seen.payment, names, deps.nowUs())
    // Somebody else is settling it, or another payment for the same message or order, at this moment.
    if (!claimed) return { kind: 'pending', payment: { ...seen.payment, state: 'pending' } }
    return this.#settle(claimed, 'settle')
  }

  async #checkPayment(wallet: string): Promise<Checked | Unfit> {
    const { rail, credential, request } = this.paying
    const checked = await rail.check(credential, request)
    if (checked.ok) requirePayer(checked.payer, wallet)
    return checked
  }

  /** Whether a credential that does not pay any more has paid. Nobody knows where the search of the chain should start. */
  async #hasPaid(): Promise<boolean> {
    const { rail, credential, request } = this.paying
    if (!meetsTerms(rail, credential)) return false
    const seen = await rail.look({ ...credential, fromBlock: 0, resource: request.resource })
    return seen.kind === 'paid'
  }

  /** The payment, claimed by this request; `undefined` when somebody else has stored it. */
  #saveIntent(body: PostBody, checked: Checked | Unfit): Promise<StoredPayment | undefined> {
    const { text, wallet, signature, signedAt } = body
    const { request, credential, hostId, requestHash } = this.paying
    const { resource, rail } = request
    const intent = { resource, text, wallet, signature, signedAt }
    const fromBlock = checked.ok ? checked.fromBlock : 0
    // From here on it may be stored, and what is stored is settled one day.
    this.#moved = 'pending'
    const messageKey = messageKeyIn(request, body)
    const idempotencyKey = idempotencyKeyIn(request)
    const payment = { ...credential, hostId, rail, fromBlock, requestHash, intent, messageKey, idempotencyKey }
    return saveIntent(this.deps.store, payment, this.deps.nowUs())
  }

  /** Moves the money, or only looks for it, and publishes the post when it is paid. */
  async #settle(claimed: StoredPayment, how: 'settle' | 'look'): Promise<PostOutcome> {
    this.#moved = 'pending'
    const { deps, paying } = this
    const { result } = deps.settling.share(claimed.key, () =>
      how === 'settle'
        ? settlePayment(deps, paying.rail, claimed, true)
        : lookForPayment(deps, paying.rail, claimed, 'claimed'),
    )
    return this.#answer(await waitedFor(deps, result, claimed))
  }

  #answer(standing: PaymentStanding): Promise<PostOutcome> {
    if (standing.payment.state === 'settled') this.#moved = true
    return outcomeOf(this.deps, standing)
  }
}
