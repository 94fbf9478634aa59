import { outcomeLine, type SignedOutcome } from '../domain/buyers/outcome.ts'
import type { SellerHost } from '../domain/host.ts'
import type { Method, Rail } from '../domain/words/route-words.ts'

/** The four lines that a post's wallet signs, for a text of which only the digest is known. */
export const digestMessage = (host: SellerHost, digest: string, signedAt: string): string =>
  ['thread', host, digest, signedAt].join('\n')

export interface ReviewLines {
  readonly method: Method
  /** As it was sent, character for character. */
  readonly url: string
  readonly rail: Rail
  readonly rating: number
  readonly text: string
  /** As it was sent, character for character. */
  readonly payment: { readonly network: string; readonly transaction: string } | null
  /** What the call brought; without one it has no such line. */
  readonly outcome?: SignedOutcome | null | undefined
  /** Host of the directory that it is for; without one it has no such line, and is good anywhere. */
  readonly directory?: string | null | undefined
  readonly signedAt: string
}

/** The seven lines that a review's wallet signs, one more with its outcome and one with its directory, for a text of which only the digest is known. */
export const reviewDigestMessage = (
  { method, url, rail, rating, payment, outcome, directory, signedAt }: Omit<ReviewLines, 'text'>,
  digest: string,
): string =>
  [
    'review',
    `${method} ${url}`,
    rail,
    String(rating),
    digest,
    payment === null ? 'none' : `${payment.network} ${payment.transaction}`,
    ...(outcome == null ? [] : [outcomeLine(outcome)]),
    ...(directory == null ? [] : [`directory ${directory}`]),
    signedAt,
  ].join('\n')
