import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Claim, Statement } from '../../wire/sellers/records.ts'
import type { EventInput } from '../events/events.ts'
import type { ListingInput } from '../facts/listings.ts'
import type { OwnershipInput } from '../facts/ownership.ts'
import type { PayeeInput } from '../facts/payees.ts'
import type { UnlistedInput } from '../facts/unlisted.ts'
import type { PostInput } from '../posts/post-input.ts'
import type { OfferInput, OfferKeyInput } from '../probes/offers/offer-input.ts'
import type { ProbeInput } from '../probes/probes.ts'
import type { FoldedInput, FoldedLatencyInput } from '../probes/restore-folded.ts'
import type { ReviewInput } from '../reviews/review-input.ts'

/** What is saved together: all of it in one transaction, or nothing. The three kinds of evidence stay apart. */
export interface Evidence {
  readonly listings: readonly ListingInput[]
  readonly unlisted: readonly UnlistedInput[]
  readonly payees: readonly PayeeInput[]
  readonly probes: readonly ProbeInput[]
  readonly signedOffers: readonly OfferInput[]
  readonly offerKeys: readonly OfferKeyInput[]
  readonly reviews: readonly ReviewInput[]
  readonly posts: readonly PostInput[]
  readonly events: readonly EventInput[]
  readonly ownership: readonly OwnershipInput[]
  readonly claims: readonly Claim[]
  readonly statements: readonly Statement[]
  /** Single entries are kept from here on; `null` says nothing about it. */
  readonly keptSinceUs: TimestampUs | null
  readonly folded: readonly FoldedInput[]
  readonly foldedLatency: readonly FoldedLatencyInput[]
}

export const NO_EVIDENCE: Evidence = {
  listings: [],
  unlisted: [],
  payees: [],
  probes: [],
  signedOffers: [],
  offerKeys: [],
  reviews: [],
  posts: [],
  events: [],
  ownership: [],
  claims: [],
  statements: [],
  keptSinceUs: null,
  folded: [],
  foldedLatency: [],
}
