import { compareBytes } from '../../domain/order.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { HostTransaction } from '../hosts/host-transaction.ts'
import { groupBy } from '../sql/group.ts'
import type { Store } from '../store.ts'
import { type Candidates, claimOne, refusalOf, signingOf } from './claim-payment.ts'
import type { ReviewKey } from './payment-claims.ts'
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
import { type PlacedReviewInput, saveReviews } from './save-reviews.ts'
import { bySigning } from './supersede.ts'

/** A review on its way in. Its host and route are known. */
export interface Arrival {
  readonly input: PlacedReviewInput
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
    const transaction = new HostTransaction(writer, dialect, nowUs)
    const hosts = new Map(arrivals.map(({ input }) => [input.host, input.at.hostId]))
    await transaction.hold(hosts.values(), hosts)
    // What claims a payment must not do so twice; whether anything else is there is found when it is inserted.
    const paid = arrivals.filter(({ input }) => input.payment !== null)
    const known = await knownReviews(writer, dialect, paid.map(keyOf))
    const fresh = new Map(
      arrivals.flatMap((one): [string, Arrival][] => {
        const text = reviewText(keyOf(one))
        return known.has(text) ? [] : [[text, one]]
      }),
    )
    const { inserted, standing } = await save(new ReviewMoves(transaction), [...fresh.values()])
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
  const { transaction } = moves
  const inputs: PlacedReviewInput[] = []
  // In the order of what they claim, so that two programs never wait for each other in a circle.
  for (const { input, candidates } of arrivals.toSorted(byClaim)) {
    const { hostId, routeId } = input.at
    if (candidates === null) {
      inputs.push(input)
      continue
    }
    const claim = await claimOne(moves, { ...input, hostId, routeId }, candidates)
    if (!claim.ok) inputs.push({ ...input, levelReason: refusalOf(claim.reason, candidates) })
    else inputs.push({ ...input, level: 'Verified buyer', levelReason: null, paymentFound: claim.transfer })
  }
  const stored = (await saveReviews(moves, inputs)).map(storedReviewOf)
  for (const { payment, at, id, submittedUs } of inputs) {
    if (payment !== null) await delayCheck(transaction.writer, { hostId: at.hostId, id }, nextCheckUs(submittedUs, 0))
  }
  const events = groupBy(moves.announced, ({ hostId, data }) => `${hostId}/${data.review}`)
  if (stored.length > 0) await transaction.save()
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
  hostId: at.hostId,
  routeId: at.routeId,
  ...input,
})

function claimText({ candidates }: Arrival): string {
  if (candidates === null) return ''
  const { network, transaction, transfers } = candidates
  return `${network} ${transfers[0]?.channel?.transaction ?? transaction}`
}

/** Of those that name one payment the newest comes first: it corrects the others. */
const byClaim = (a: Arrival, b: Arrival): number =>
  compareBytes(claimText(a), claimText(b)) || bySigning(signingOf(b.input), signingOf(a.input))
