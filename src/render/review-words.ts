import { type ChannelFound, type Exclusion, LEVELS, type SupportLevel } from '../domain/review.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import type { ReviewCounts, ReviewView } from '../views/host/host-view.ts'
import { outcomeWords } from './buyers/paid-calls.ts'
import { commandLine, fullAddress, reviewHref, type Site } from './site.ts'
import { assetText, counted } from './values.ts'

const EXCLUSION_WORDS: Readonly<Record<Exclusion, string>> = {
  founder: 'founder review, not counted',
  'self-generated': 'self-generated review, not counted',
}

/** Above the reviews that are shown and never counted. */
export const EXCLUDED_HEADING = 'Founder and self-generated reviews, not counted'

/** Whether a review is among the agent reviews that are counted. */
export const countsAsAgentReview = (review: ReviewView): boolean => review.excluded === null && !review.superseded

/** Why a review is not counted; nothing of one that is. */
export const countingWords = ({ excluded, superseded }: ReviewView): string[] => [
  ...(excluded === null ? [] : [EXCLUSION_WORDS[excluded]]),
  ...(superseded ? ['superseded by a newer review of the same wallet, not counted'] : []),
]

/** What stands above a review's text, in the directory's own words only. */
export const reviewMarks = (review: ReviewView): string =>
  [
    review.level,
    `rating ${review.rating} of 5`,
    ...(review.outcome === null ? [] : [outcomeWords(review.outcome)]),
    ...countingWords(review),
    formatTimestamp(review.submittedUs),
  ].join(' · ')

/** The look of each level, as in the list of levels. */
export const LEVEL_CLASS: Readonly<Record<SupportLevel, string>> = {
  'Verified buyer': 'l0',
  Signed: 'l1',
  Unsigned: 'l2',
}

/** Founders' and sellers' own reviews are shown apart from the others; of these, more support comes first. */
export const splitReviews = (reviews: readonly ReviewView[]) => ({
  agents: reviews
    .filter((review) => review.excluded === null)
    .toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)),
  excluded: reviews.filter((review) => review.excluded !== null),
})

/** `0x5aAe…eAed` */
export const shortWallet = (wallet: string): string =>
  wallet.length > 14 ? `${wallet.slice(0, 6)}…${wallet.slice(-4)}` : wallet

/** For whom a wallet signed. */
export const directoryLine = ({ directory }: ReviewView): string =>
  directory === null
    ? 'The signed lines name no directory: whoever has them could have sent them here.'
    : `Signed for the directory ${directory}.`

/** What is known of the payment that a review names, a sentence each. Ids and addresses in it are strangers' words. */
export function paymentLines({ payment, paymentFound, level }: ReviewView): string[] {
  if (payment === null) return []
  const named = `payment ${payment.transaction} on ${payment.network}`
  if (paymentFound === null) return [`${named}, ${level === 'Verified buyer' ? 'found on chain' : 'not confirmed'}`]
  const { amount, asset, payer, payee, atUs, isFinal, otherHosts, hasReceipt, parts = [], channel } = paymentFound
  const finality = isFinal ? 'final' : 'not final yet'
  const lines = [
    `${named}, ${finality}`,
    `${amount} base units of ${assetText(payment.network, asset)} from ${payer} to ${payee}, ${formatTimestamp(atUs)}`,
    ...(parts.length === 0
      ? []
      : [`That is the sum of ${parts.length + 1} transfers: this payee shares what it is paid.`]),
    ...(channel === undefined ? [] : channelLines(channel)),
  ]
  if (hasReceipt) lines.push('A receipt signed by the payee names the very address that was paid for.')
  else if (otherHosts > 0) {
    lines.push(
      `This payee was also seen for ${counted(otherHosts, 'other host')}: the transfer alone does not say which of them was paid.`,
    )
  }
  return lines
}

/** Of a payment out of a deposit, which may have been for more calls than the reviewed one. */
function channelLines({ id, transaction, refunded }: ChannelFound): string[] {
  const paid = `Paid out of the buyer's deposit in channel ${id} by transaction ${transaction}.`
  return refunded === null ? [paid] : [paid, `${refunded} base units of the deposit went back to the buyer.`]
}

/** How to check a signed review without trusting this directory. */
export const checkCommand = (site: Site, { id }: ReviewView): string =>
  commandLine(site, `verify review ${fullAddress(site, reviewHref(id))}`)

/** Counts per level, never added up into one mean: a level says how much stands behind a review. */
export const reviewCountsLine = ({ byLevel, excluded }: ReviewCounts): string =>
  [...LEVELS.map((level) => `${byLevel[level]} ${level}`), `${excluded} not counted (founder or self-generated)`].join(
    ' · ',
  )
