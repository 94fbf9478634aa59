import { compareBytes } from '../domain/order.ts'
import type { PaymentFound } from '../domain/review.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import { Deltas } from './deltas.ts'
import type { ReviewInput } from './evidence.ts'
import { groupBy } from './group.ts'
import type { RouteId } from './hosts.ts'
import { claimTransfer, type ReviewKey, type TransferKey } from './payment-claims.ts'
import {
  knownReviews,
  type ReviewEvent,
  readReviewEvents,
  readReviewsAt,
  reviewText,
  type StoredReview,
} from './read-review.ts'
import { delayCheck, nextCheckUs } from './review-checks.ts'
import { ReviewMoves } from './review-standing.ts'
import { type PlacedReviewInput, saveReviews } from './reviews.ts'
import type { Writer } from './schema.ts'
import type { Store } from './store.ts'

/** A payment that was found, as the transfers in it that could each support the review. */
export interface Candidates {
  /** CAIP-2 form. */
  readonly network: string
  /** In its one form. */
  readonly transaction: string
  readonly transfers: readonly PaymentFound[]
}

export const ALREADY_CLAIMED = 'this payment already supports another review'

/** The first transfer that supports no other review, now this one's. */
export async function claimOne(
  writer: Writer,
  review: ReviewKey,
  { network, transaction, transfers }: Candidates,
): Promise<PaymentFound | undefined> {
  for (const transfer of transfers) {
    const key: TransferKey = { network, transaction, logIndex: transfer.logIndex }
    if (await claimTransfer(writer, key, review)) return transfer
  }
  return undefined
}

/** A review on its way in. Its host and route are known. */
export interface Arrival {
  readonly input: ReviewInput & { readonly at: RouteId }
  readonly candidates: Candidates | null
}

export interface Added {
  readonly review: StoredReview
  readonly events: readonly ReviewEvent[]
  /** False: it was there already. */
  readonly isNew: boolean
}

/**
 * Stores reviews in one transaction with their claims to payments, what they supersede and their announcements. The same
 * id again answers what is stored. Answers in the order of the arrivals.
 */
export const addReviews = (store: Store, arrivals: readonly Arrival[], nowUs: TimestampUs): Promise<Added[]> =>
  store.write(async (writer) => {
    const { dialect } = store
    const deltas = new Deltas()
    for (const { input } of arrivals) deltas.touch(input.at.hostId)
    await deltas.hold(writer, dialect)
    // What claims a payment must not do so twice; whether anything else is there is found when it is inserted.
    const paid = arrivals.filter(({ input }) => input.payment !== null)
    const known = await knownReviews(writer, dialect, paid.map(keyOf))
    const fresh = new Map(
      arrivals.flatMap((one): [string, Arrival][] => {
        const text = reviewText(keyOf(one))
        return known.has(text) ? [] : [[text, one]]
      }),
    )
    const { inserted, standing } = await save(new ReviewMoves(writer, dialect, deltas, nowUs), [...fresh.values()])
    const others = arrivals.map(keyOf).filter((key) => !standing.has(reviewText(key)))
    const reviews = await readReviewsAt(writer, dialect, others)
    const events = await readReviewEvents(writer, dialect, others)
    return arrivals.map((arrival) => {
      const text = reviewText(keyOf(arrival))
      const isNew = inserted.has(text) && fresh.get(text) === arrival
      const stored = standing.get(text)
      if (stored) return { ...stored, isNew }
      const review = reviews.get(text)
      if (!review) throw new Error('a review that was just stored is not there')
      return { review, events: events.get(text) ?? [], isNew }
    })
  })

const keyOf = ({ input }: Arrival): ReviewKey => ({ hostId: input.at.hostId, id: input.id })

interface Saved {
  /** By `reviewText`: what was not there. */
  readonly inserted: ReadonlySet<string>
  /** What of it stands as it was stored: nobody needs to read it again. */
  readonly standing: ReadonlyMap<string, Omit<Added, 'isNew'>>
}

async function save(moves: ReviewMoves, arrivals: readonly Arrival[]): Promise<Saved> {
  const { writer, dialect, deltas } = moves
  const inputs: PlacedReviewInput[] = []
  // In the order of what they claim, so that two programs never wait for each other in a circle.
  for (const { input, candidates } of arrivals.toSorted(byClaim)) {
    const found = candidates && (await claimOne(writer, { hostId: input.at.hostId, id: input.id }, candidates))
    if (candidates === null) inputs.push(input)
    else if (!found) inputs.push({ ...input, levelReason: ALREADY_CLAIMED })
    else inputs.push({ ...input, level: 'Verified buyer', levelReason: null, paymentFound: found })
  }
  const stored = (await saveReviews(moves, inputs)).map(storedReviewOf)
  for (const { payment, at, id, submittedUs } of inputs) {
    if (payment !== null) await delayCheck(writer, { hostId: at.hostId, id }, nextCheckUs(submittedUs, 0))
  }
  const events = groupBy(await moves.save(), ({ hostId, data }) => `${hostId}/${data.review}`)
  if (stored.length > 0) await deltas.save(writer, dialect)
  return {
    inserted: new Set(stored.map(reviewText)),
    standing: new Map(
      stored
        .filter((review) => !moves.hasMoved(review))
        .map((review) => {
          const told = events.get(reviewText(review)) ?? []
          return [reviewText(review), { review, events: told.map(({ kind, atUs, data }) => ({ kind, atUs, data })) }]
        }),
    ),
  }
}

const storedReviewOf = ({ at, ...input }: PlacedReviewInput): StoredReview => ({
  ...input,
  hostId: at.hostId,
  routeId: at.routeId,
})

const claimText = ({ candidates }: Arrival): string =>
  candidates === null ? '' : `${candidates.network} ${candidates.transaction}`

const byClaim = (a: Arrival, b: Arrival): number => compareBytes(claimText(a), claimText(b))
