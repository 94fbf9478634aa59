import type { AllowHosts } from '../domain/host.ts'
import { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import { signedReviewId } from '../domain/review.ts'
import type { RouteKey } from '../domain/route.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import { walletKey } from '../domain/wallet.ts'
import type { Proofs } from '../payment/proof.ts'
import type { ReviewInput } from '../store/evidence.ts'
import { type ReviewEvent, readReview, readReviewEvents, reviewText, type StoredReview } from '../store/read-review.ts'
import { reviewIntake } from '../store/review-intake.ts'
import type { Store } from '../store/store.ts'
import { parseReviewBody, type ReviewBody, type SignedPart } from '../wire/review-body.ts'
import { isStale, signedAtFault } from '../wire/signed-at.ts'
import { reviewDigestMessage, reviewMessage, textDigest } from '../wire/signed-lines.ts'
import { checkPayment, firstLevel } from './check-payment.ts'
import { placesIn } from './review-place.ts'
import type { FoundReview, Reviews, WriteGate } from './reviews.ts'
import type { Signatures } from './signatures.ts'
import { Turns } from './turns.ts'

export interface ReviewsOptions {
  readonly store: Store
  readonly signatures: Signatures
  readonly proofs: Proofs
  /** In the form of `parseWallet`. */
  readonly founders: readonly string[]
  readonly allow: AllowHosts
  readonly nowUs: () => TimestampUs
  /** An id that nobody else has, for reviews that nobody signed. */
  readonly random: () => string
  /** How long whoever submits waits for the chain. */
  readonly paymentWaitMs?: number
}

const PAYMENT_WAIT_MS = 4_000

export function reviewsOf(options: ReviewsOptions): Reviews {
  const { store } = options
  const founders = new Set(options.founders.map(walletKey))
  const checks = { store, proofs: options.proofs, deadlineMs: options.paymentWaitMs ?? PAYMENT_WAIT_MS }
  const placeOf = placesIn(store)
  const intake = reviewIntake(store, options.nowUs)
  const turns = new Turns()

  /** Checks the signature; what the wallet signed gives the review its id. */
  const signedId = async (body: ReviewBody, signed: SignedPart, late: Problem | null, gate: WriteGate) => {
    const { wallet, signature, signedAt, payment } = signed
    const { method, url, rail, rating, text } = body
    const message = reviewMessage({ method, url, rail, rating, text, payment, signedAt })
    gate.signing()
    await turns.next()
    try {
      await options.signatures.check(wallet, message, signature)
    } catch (error) {
      // Whoever did not sign does not learn either whether it is stored.
      throw late !== null && error instanceof Problem && error.status === 401 ? late : error
    }
    return signedReviewId(wallet, message)
  }

  const withEvents = async (review: StoredReview): Promise<FoundReview> => {
    const events = await readReviewEvents(store.read, store.dialect, [review])
    return completed(review, events.get(reviewText(review)) ?? [])
  }

  return {
    submit: async (json, gate) => {
      const nowUs = options.nowUs()
      const body = parseReviewBody(json, options.allow)
      const { signed } = body
      const at = await placeOf(body)
      const late = signed && lateness(signed, nowUs)
      const id = signed === null ? options.random() : await signedId(body, signed, late, gate)
      // What is stored is answered however late it comes again, and the chain is not asked twice about it. Otherwise the
      // same review is found while it is stored.
      const known = late || signed?.payment ? await readReview(store.read, id, at.hostId) : undefined
      if (late && !known) throw late
      if (signed !== null) gate.signed(signed.wallet)
      if (known) return { ...(await withEvents(known)), isNew: false }
      const input = inputOf(body, at.route, id, founders, nowUs)
      const finding = input.payment && (await checkPayment(checks, at, input))
      if (signed === null) gate.unsigned()
      const levelled = signed === null ? input : { ...input, ...firstLevel(finding) }
      const candidates = finding?.kind === 'found' ? finding : null
      const { review, events, isNew } = await intake.add({ input: { ...levelled, at }, candidates })
      return { ...completed(review, events), isNew }
    },
    find: async (id) => {
      const review = await readReview(store.read, id)
      return review && withEvents(review)
    },
  }
}

function completed(review: StoredReview, events: readonly ReviewEvent[]): FoundReview {
  const { signedAt, signature } = review
  const textSha256 = textDigest(review.text)
  const isSigned = signedAt !== null && signature !== null
  return {
    review,
    events,
    textSha256,
    message: isSigned ? reviewDigestMessage({ ...review, signedAt }, textSha256) : null,
  }
}

/** Why a review comes too late to be new, or `null`; throws when its signing time can never have been right. */
function lateness({ signedAt }: SignedPart, nowUs: TimestampUs): Problem | null {
  const fault = signedAtFault(signedAt, nowUs)
  if (fault === undefined) return null
  const refusal = problem('invalid-signed-at', `${fault}.`, { more: { field: 'signed_at' } })
  if (isStale(signedAt, nowUs)) return refusal
  throw refusal
}

function inputOf(
  { url, address, rating, text, signed, receipt }: ReviewBody,
  { scheme, method, path, rail }: RouteKey,
  id: string,
  founders: ReadonlySet<string>,
  nowUs: TimestampUs,
): ReviewInput {
  const isFounder = signed !== null && founders.has(walletKey(signed.wallet))
  return {
    host: address.host,
    scheme,
    method,
    path,
    rail,
    id,
    url,
    rating,
    text,
    level: signed === null ? 'Unsigned' : 'Signed',
    levelReason: null,
    excluded: isFounder ? 'founder' : null,
    superseded: false,
    wallet: signed?.wallet ?? null,
    signature: signed?.signature ?? null,
    signedAt: signed?.signedAt ?? null,
    payment: signed?.payment ?? null,
    paymentFound: null,
    receipt,
    submittedUs: nowUs,
  }
}
