import { Batches } from '../../async/batches.ts'
import type { AllowHosts } from '../../domain/host.ts'
import { Problem } from '../../domain/problem.ts'
import { signedReviewId } from '../../domain/review.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import type { Proofs } from '../../payment/proof/proof.ts'
import type { Signatures } from '../../payment/signatures.ts'
import type { ReviewKey } from '../../store/reviews/payment-claims.ts'
import { knownReviews, readReview, readReviewEvents, reviewText } from '../../store/reviews/read-review.ts'
import { reviewIntake } from '../../store/reviews/review-intake.ts'
import type { PlacedReviewInput } from '../../store/reviews/save-reviews.ts'
import type { Store } from '../../store/store.ts'
import { parseReviewBody, type ReviewBody, type SignedPart } from '../../wire/bodies/review-body.ts'
import { reviewMessage } from '../../wire/signed-lines.ts'
import { checkLines } from '../check-lines.ts'
import { lateness, requireHere } from '../signed-for.ts'
import { checkPayment, firstLevel } from './check-payment.ts'
import { createPlaceFinder, type Place } from './review-place.ts'
import type { Reviews, WriteGate } from './reviews.ts'

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
  /** What this directory is called in signed lines; asked each time, because its port may be known late. */
  readonly directory: () => string
  /** How long whoever submits waits for the chain. */
  readonly paymentWaitMs?: number
}

const PAYMENT_WAIT_MS = 4_000

/** Reviews of one statement. */
const MOST_LOOKED_FOR = 256

export function createReviews(options: ReviewsOptions): Reviews {
  const { store } = options
  const founders = new Set(options.founders.map(walletKey))
  const checks = { store, proofs: options.proofs, deadlineMs: options.paymentWaitMs ?? PAYMENT_WAIT_MS }
  const placeOf = createPlaceFinder(store)
  const intake = reviewIntake(store, options.nowUs)
  const lookups = new Batches(MOST_LOOKED_FOR, async (keys: readonly ReviewKey[]) => {
    const known = await knownReviews(store.read, store.dialect, keys)
    return keys.map((key) => known.has(reviewText(key)))
  })

  /** Checks the signature; what the wallet signed gives the review its id. */
  const signedId = async (body: ReviewBody, signed: SignedPart, late: Problem | null, gate: WriteGate) => {
    const { wallet, signature, signedAt, payment, directory } = signed
    const { method, url, rail, rating, text, outcome } = body
    const message = reviewMessage({ method, url, rail, rating, text, payment, outcome, directory, signedAt })
    gate.signing()
    try {
      await checkLines(options.signatures, wallet, message, signature)
    } catch (error) {
      // Whoever did not sign does not learn either whether it is stored.
      throw late !== null && error instanceof Problem && error.status === 401 ? late : error
    }
    return signedReviewId(wallet, message)
  }

  return {
    submit: async (json, gate) => {
      const nowUs = options.nowUs()
      const body = parseReviewBody(json, options.allow)
      const { signed } = body
      requireHere('review', signed?.directory ?? null, options.directory())
      const at = await placeOf(body)
      const late = signed && lateness(signed, nowUs)
      const id = signed === null ? options.random() : await signedId(body, signed, late, gate)
      // What is stored is public, so anybody may send it again: it is answered however late it comes, the chain is not
      // asked twice about it, and it costs its wallet nothing.
      const isKnown = signed !== null && (await lookups.add({ hostId: at.hostId, id }))
      const known = isKnown && (await readReview(store.read, id, at.hostId))
      if (known) {
        const events = await readReviewEvents(store.read, store.dialect, [known])
        return { review: known, events: events.get(reviewText(known)) ?? [], isNew: false }
      }
      if (late) throw late
      if (signed !== null) gate.signed(signed.wallet)
      const input = inputOf(body, at, id, founders, nowUs)
      const finding = input.payment && (await checkPayment(checks, at, input))
      if (signed === null) gate.unsigned(body.address.host)
      const levelled = signed === null ? input : { ...input, ...firstLevel(finding) }
      const candidates = finding?.kind === 'found' ? finding : null
      return intake.add({ input: levelled, candidates })
    },
  }
}

function inputOf(
  { url, address, rating, text, signed, outcome, receipt }: ReviewBody,
  at: Place,
  id: string,
  founders: ReadonlySet<string>,
  nowUs: TimestampUs,
): PlacedReviewInput {
  const { scheme, method, path, rail } = at.route
  const isFounder = signed !== null && founders.has(walletKey(signed.wallet))
  return {
    at,
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
    directory: signed?.directory ?? null,
    outcome,
    receipt,
    submittedUs: nowUs,
    hidden: null,
  }
}
