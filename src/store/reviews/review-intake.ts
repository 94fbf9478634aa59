import { Batches } from '../../async/batches.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Store } from '../store.ts'
import { type Added, type Arrival, addReviews } from './add-review.ts'

/** Reviews of one transaction. */
const MOST = 64

export type ReviewIntake = Batches<Arrival, Added>

/** Stores reviews as they come, so that many cost few commits; each is answered once it is durable. One for each store of a program. */
export const reviewIntake = (store: Store, nowUs: () => TimestampUs): ReviewIntake =>
  new Batches(MOST, (arrivals) => addReviews(store, arrivals, nowUs()))
