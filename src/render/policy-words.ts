import type { SupportLevel } from '../domain/review.ts'
import type { RateLimit } from '../views/policy-view.ts'

/** What stands behind each support level, and what a reader must not take it for. */
export const LEVEL_PROOFS: Readonly<Record<SupportLevel, { readonly proves: string; readonly doesNotProve: string }>> =
  {
    'Verified buyer': {
      proves:
        'The signing wallet moved at least the price to a payee seen for the route, before the review, in a public transaction that supports no other review.',
      doesNotProve:
        'That the seller delivered, that the text is true, or that one person has one wallet. Where a payee serves several hosts, the transfer alone does not say which was paid.',
    },
    Signed: {
      proves: 'Whoever holds the wallet signed exactly this review at about this time.',
      doesNotProve: 'That the wallet bought anything, or that one person has one wallet.',
    },
    Unsigned: {
      proves: 'Somebody sent it.',
      doesNotProve: 'Who, whether they bought anything, or whether the same person wrote others.',
    },
  }

/** What is counted as an agent review, a sentence each. */
export const COUNTED_AS_REVIEW: readonly string[] = [
  'An agent review is one that was submitted for a listed route. Probe entries are never reviews.',
  'Founder reviews do not count: those signed by one of the founder wallets below.',
  'Self-generated reviews do not count: those whose wallet or payer is a payee seen for the same host, or has proved to speak for it.',
  'Of several reviews of one wallet for one route only the newest counts.',
  'What does not count stays visible under its own label.',
]

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  unsigned: 'accepted unsigned reviews',
  'unsigned-host': 'accepted unsigned reviews of one host, from all addresses together,',
  signed: 'signed reviews, posts, claims and statements',
  'seller-host': 'claims and statements about one host',
  reads: 'requests of any kind',
}

/** `5 accepted unsigned reviews in 3,600 s` */
export const limitLine = ({ name, count, windowSeconds }: RateLimit): string =>
  `${count.toLocaleString('en-US')} ${LIMIT_WORDS[name] ?? name} in ${windowSeconds.toLocaleString('en-US')} s`

export const LIMITS_NOTE = 'Limits are per IPv4 address or IPv6 /64 network, and for signed writes per wallet as well.'

export const NO_CONTACT =
  'The operator has named no address (SECURITY_CONTACT). The documents of the project say where its makers are.'
