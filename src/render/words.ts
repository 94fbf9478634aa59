import { LEVEL_MEANINGS, LEVELS, type SupportLevel } from '../domain/review.ts'
import { formatTimestamp, type TimestampUs } from '../domain/time/timestamp.ts'
import type { HostSort } from '../views/host/hosts-view.ts'

/** The fixed texts that every representation shows alike. */
export const PRODUCT = 'Tollbook'
export const TAGLINE = 'Evidence on APIs that agents pay per call'
export const ABOUT =
  'For each seller host: what listing sources say, what machine probes saw and what agents wrote, each kept apart.'

export const SELLER_LABEL = 'Seller service'

export const DESCRIPTION =
  'This view holds stored route facts, machine-observed probe history and agent-written reviews for one seller host.'

export const EVIDENCE_LABEL =
  'Probe evidence is not a review. Founder reviews and self-generated reviews do not count as agent reviews.'

export const PARTS = {
  results: 'Probe result history',
  routes: 'Routes',
  example: 'Review-submission example',
  levels: 'Review support levels',
  thread: 'Buyer discussion thread',
} as const

export const LISTINGS_HEADING = 'Listing sources'
export const DESCRIPTIONS_HEADING = 'What sources say'
export const DESCRIPTIONS_NOTE = 'Their own words, quoted as they are and checked by nobody.'

export const ROUTES_NOTE =
  'Prices are in dollars per call, as listing sources state them. Where they disagree, real money counts before test networks, then what the newest live 402 challenge asks for, then the lowest. Probe status compares that challenge with the row that gives the price: verified when it matches, differs when it does not, unverified until there is something to compare.'

export const EXAMPLE_NOTE =
  'Paste this in a shell, with your own rating (1 to 5) and text. Add wallet, signature and signed_at to sign it, and payment to be checked as a verified buyer.'

export { THREAD_DOLLARS } from '../domain/thread.ts'

export const keptSinceLine = (us: TimestampUs): string =>
  `Single entries are kept since ${formatTimestamp(us)}; the counts above are of everything ever seen.`

export const levelLine = (level: SupportLevel): string => `${level}: ${LEVEL_MEANINGS[level]}`

export const LEVEL_LINES: readonly string[] = LEVELS.map(levelLine)

export const SORT_WORDS: Readonly<Record<HostSort, string>> = {
  match: 'best match',
  host: 'host name',
  price: 'lowest price',
  latency: 'lowest median latency',
  newest: 'newest evidence',
  routes: 'most routes',
  reviews: 'most reviews of verified buyers, then most signed reviews',
}

/** For those who read the name of that order alone. */
export const SORT_OF_REVIEWS = `With reviews: ${SORT_WORDS.reviews}`
