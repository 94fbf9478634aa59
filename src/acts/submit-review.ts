import type { AllowHosts } from '../domain/host.ts'
import type { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import { signedReviewId } from '../domain/review.ts'
import { addressOf, type RouteKey } from '../domain/route.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import { walletKey } from '../domain/wallet.ts'
import type { Proofs } from '../payment/proof.ts'
import type { ReviewInput } from '../store/evidence.ts'
import { type FoundRoute, findRoute, routesAround } from '../store/find-route.ts'
import { findHostId } from '../store/hosts.ts'
import { type ReviewEvent, readReview, readReviewEvents, reviewText, type StoredReview } from '../store/read-review.ts'
import { ReviewIntake } from '../store/review-intake.ts'
import type { Store } from '../store/store.ts'
import { parseReviewBody, type ReviewBody, type SignedPart } from '../wire/review-body.ts'
import { signedAtFault } from '../wire/signed-at.ts'
import { reviewMessage, textDigest } from '../wire/signed-lines.ts'
import { checkPayment, firstLevel } from './check-payment.ts'
import type { FoundReview, Reviews, WriteGate } from './reviews.ts'
import type { Signatures } from './signatures.ts'

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
const NEAR_ROUTES = 5

export function reviewsOf(options: ReviewsOptions): Reviews {
  const { store } = options
  const founders = new Set(options.founders.map(walletKey))
  const checks = { store, proofs: options.proofs, deadlineMs: options.paymentWaitMs ?? PAYMENT_WAIT_MS }

  const intake = new ReviewIntake(store, options.nowUs)
  const withEvents = async (review: StoredReview): Promise<FoundReview> => {
    const events = await readReviewEvents(store.read, store.dialect, [review])
    return completed(review, events.get(reviewText(review)) ?? [])
  }

  return {
    submit: async (json, gate) => {
      const nowUs = options.nowUs()
      const body = parseReviewBody(json, options.allow)
      const at = await routeOf(store, body)
      const id = body.signed === null ? options.random() : await signedId(options, body, body.signed, gate, nowUs)
      // The chain is not asked twice about the same review; everything else is found while it is stored.
      const known = body.signed?.payment && (await readReview(store.read, id, at.hostId))
      if (known) return { ...(await withEvents(known)), isNew: false }
      const input = inputOf(body, at.route, id, founders, nowUs)
      const finding = input.payment && (await checkPayment(checks, at, input))
      if (body.signed === null) gate.unsigned()
      const levelled = body.signed === null ? input : { ...input, ...firstLevel(finding) }
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

const completed = (review: StoredReview, events: readonly ReviewEvent[]): FoundReview => ({
  review,
  events,
  textSha256: textDigest(review.text),
  message: messageOf(review),
})

interface Place {
  readonly hostId: number
  readonly routeId: number
  readonly route: FoundRoute
}

async function routeOf(store: Store, { address, method, rail }: ReviewBody): Promise<Place> {
  const hostId = await findHostId(store.read, address.host)
  if (hostId === undefined) throw unknownRoute(`No listing source has named the host ${address.host}.`, [])
  const asked = { scheme: address.scheme, method, path: address.path, rail }
  const route = await findRoute(store.read, hostId, asked)
  if (route) return { hostId, routeId: route.routeId, route }
  const near = await routesAround(store.read, hostId, address.path, NEAR_ROUTES)
  const named = near.map((one) => ({
    method: one.method,
    url: addressOf(one.scheme, address.host, one.path),
    rail: one.rail,
  }))
  throw unknownRoute(
    `No listing source has named ${method} ${address.path || '/'} on ${rail} of ${address.host}.`,
    named,
  )
}

const unknownRoute = (detail: string, near: readonly object[]): Problem =>
  problem('unknown-route', detail, { more: { near_matches: near.slice(0, NEAR_ROUTES) } })

/** Checks time and signature; what the wallet signed gives the review its id. */
async function signedId(
  { signatures }: ReviewsOptions,
  body: ReviewBody,
  { wallet, signature, signedAt, payment }: SignedPart,
  gate: WriteGate,
  nowUs: TimestampUs,
): Promise<string> {
  const late = signedAtFault(signedAt, nowUs)
  if (late !== undefined) throw problem('invalid-signed-at', `${late}.`, { more: { field: 'signed_at' } })
  const message = reviewMessage({ ...body, payment, signedAt })
  gate.signing()
  await signatures.check(wallet, message, signature)
  gate.signed(wallet)
  return signedReviewId(wallet, message)
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

const messageOf = ({ signedAt, ...review }: StoredReview): string | null =>
  signedAt === null || review.signature === null ? null : reviewMessage({ ...review, signedAt })
