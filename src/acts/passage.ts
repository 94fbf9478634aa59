import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '../domain/problem.ts'
import type { Credential, PaymentRail, Unfit } from '../payment/rail.ts'
import { claimPayment, saveIntent } from '../store/payment-steps.ts'
import { findPaymentOf, type StoredPayment } from '../store/payments.ts'
import { type FoundPost, findPost } from '../store/posts.ts'
import type { Charged } from './charged.ts'
import type { Flights } from './flights.ts'
import { type Admit, judgePost, meetsTerms, requirePayer } from './judge-post.ts'
import type { Ledger } from './ledger.ts'
import { lookAt, type Standing, settleClaimed } from './settling.ts'
import type { Signatures } from './signatures.ts'
import type { PostRequest } from './threads.ts'

/** How a request with a credential ends, whoever shares it. */
export type Ending =
  | { readonly kind: 'published'; readonly payment: StoredPayment; readonly post: FoundPost; readonly isNew: boolean }
  | { readonly kind: 'pending'; readonly postId: string }
  | { readonly kind: 'unpaid'; readonly fault: Unfit }
  | { readonly kind: 'conflict'; readonly payment: StoredPayment }

export interface Way extends Ledger {
  readonly signatures: Signatures
  readonly admit: Admit
  readonly settleWaitMs: number
  /** Settlements under way in this program, by payment key. */
  readonly settling: Flights<Standing>
}

/** A request to post whose credential was read. */
export interface Paying {
  readonly request: PostRequest
  readonly rail: PaymentRail
  readonly credential: Credential
  readonly hostId: number
  readonly requestHash: string
}

/** Something failed, and the payer must be told whether money moved. */
export class Unfinished extends Error {
  constructor(
    override readonly cause: unknown,
    readonly moved: Charged,
  ) {
    super('a post could not be answered')
  }
}

/**
 * One request with a credential, in the order that loses nothing: known credentials first, free checks, intent,
 * settlement, publication; each kept before the next begins.
 */
export class Passage {
  /** What a failure at this moment means for the payer. */
  #moved: Charged = false

  constructor(
    private readonly way: Way,
    private readonly paying: Paying,
  ) {}

  /** Rejects with a `Problem` when nothing was charged, and with `Unfinished`. */
  async ending(): Promise<Ending> {
    try {
      return (await this.#ofKnown()) ?? (await this.#ofNew())
    } catch (error) {
      throw error instanceof Problem ? error : new Unfinished(error, this.#moved)
    }
  }

  /** A credential that was seen before has its answer already, or is asked about once more. */
  async #ofKnown(): Promise<Ending | undefined> {
    const { way, paying } = this
    const known = await findPaymentOf(way.store.read, paying.credential)
    if (!known) return undefined
    if (known.requestHash !== paying.requestHash) return { kind: 'conflict', payment: known }
    if (known.state === 'settled' || known.state === 'expired') return this.#stand({ payment: known, isNew: false })
    this.#moved = known.state === 'pending' ? 'pending' : false
    const underWay = way.settling.get(known.key)
    const ended = underWay && (await this.#inTime(underWay, known))
    if (ended && ended.payment.state !== 'pending') return this.#stand({ ...ended, isNew: false })
    const seen = await lookAt(way, paying.rail, known, 'visitor')
    if (underWay || seen.payment.state !== 'refused') return this.#stand(seen)
    const claimed = await claimPayment(way.store, seen.payment, way.nowUs(), 'pending')
    // Somebody else is settling it at this moment.
    if (!claimed) return { kind: 'pending', postId: known.postId }
    return this.#settle(claimed, 'settle')
  }

  async #ofNew(): Promise<Ending> {
    const { way, paying } = this
    const { request, rail, credential, hostId, requestHash } = paying
    const { text, wallet, signature, signedAt } = await judgePost(way, request, credential)
    const checked = await rail.check(credential, request)
    // Perhaps somebody else has used it on its way to us: then it has paid.
    if (!checked.ok && !(await this.#hasPaid())) return { kind: 'unpaid', fault: checked }
    if (checked.ok) requirePayer(checked.payer, wallet)
    const { resource, rail: name } = request
    const intent = { resource, text, wallet, signature, signedAt }
    const fromBlock = checked.ok ? checked.fromBlock : 0
    // From here on it may be stored, and what is stored is settled one day.
    this.#moved = 'pending'
    const payment = { ...credential, hostId, rail: name, fromBlock, requestHash, intent }
    const claimed = await saveIntent(way.store, payment, way.nowUs())
    if (claimed) return this.#settle(claimed, checked.ok ? 'settle' : 'look')
    // Another request, here or in another program, stored the same credential in the meantime.
    const ending = await this.#ofKnown()
    if (!ending) throw new Error('an intent was neither stored nor known')
    return ending
  }

  /** Whether a credential that does not pay any more has paid. Nobody knows where the search of the chain should start. */
  async #hasPaid(): Promise<boolean> {
    const { rail, credential, request } = this.paying
    if (!meetsTerms(rail, credential)) return false
    const seen = await rail.look({ ...credential, fromBlock: 0, resource: request.resource })
    return seen.kind === 'paid'
  }

  async #settle(claimed: StoredPayment, how: 'settle' | 'look'): Promise<Ending> {
    this.#moved = 'pending'
    const { way, paying } = this
    const { result } = way.settling.share(claimed.key, () =>
      how === 'settle' ? settleClaimed(way, paying.rail, claimed, true) : lookAt(way, paying.rail, claimed, 'claimed'),
    )
    return this.#stand(await this.#inTime(result, claimed))
  }

  /** As it stands when the settlement ends, or `pending` when that takes too long or cannot be written down. */
  async #inTime(settlement: Promise<Standing>, payment: StoredPayment): Promise<Standing> {
    const undecided: Standing = { payment: { ...payment, state: 'pending' }, isNew: false }
    const isOver = new AbortController()
    const ended = settlement.catch((error: unknown) => {
      this.way.log.error({ err: error, post: payment.postId }, 'a settlement could not be written down')
      return undecided
    })
    const late = wait(this.way.settleWaitMs, undecided, { signal: isOver.signal }).catch(() => undecided)
    const standing = await Promise.race([ended, late])
    isOver.abort()
    return standing
  }

  async #stand({ payment, isNew }: Standing): Promise<Ending> {
    if (payment.state === 'pending') return { kind: 'pending', postId: payment.postId }
    if (payment.state !== 'settled') return { kind: 'unpaid', fault: faultOf(payment) }
    this.#moved = true
    const post = await findPost(this.way.store.read, payment.postId)
    if (!post) throw new Error('a settled payment has no post')
    return { kind: 'published', payment, post, isNew }
  }
}

const faultOf = ({ state, reason }: StoredPayment): Unfit => ({
  ok: false,
  code: state === 'expired' ? 'expired' : 'settlement_refused',
  reason: reason ?? 'the payment was not settled',
})
