import { sha256Hex } from '../../domain/keys.ts'
import type { SupportLevel } from '../../domain/review.ts'
import type { SweepStatus } from '../../domain/sweep.ts'
import type { WrittenRecord } from '../records.ts'
import { canonical } from './canonical.ts'

type Written<K extends WrittenRecord['kind']> = Extract<WrittenRecord, { kind: K }>
type Hashed<T, K extends keyof T & string> = Omit<T, K> & { readonly [Name in K as `${Name}_sha256`]?: string }

/** A review's standing changed, and why. */
export interface ReviewLevelRecord {
  readonly kind: 'review_level'
  readonly id: string
  readonly level: SupportLevel
  readonly excluded: string | null
  readonly superseded: boolean
  readonly reason: string
}

/** A review's text was taken from every page. */
export interface ReviewWithdrawnRecord {
  readonly kind: 'review_withdrawn'
  readonly id: string
  readonly at: string
  readonly reason: string
}

/** A post's text was taken from every page. */
export interface PostWithdrawnRecord {
  readonly kind: 'post_withdrawn'
  readonly id: string
  readonly at: string
  readonly reason: string
}

/** A post that was withdrawn for want of a payment is shown again: the payment was found. */
export interface PostRestoredRecord {
  readonly kind: 'post_restored'
  readonly id: string
  readonly at: string
}

/** A statement's text was taken from every page, and its effect with it. */
export interface StatementWithdrawnRecord {
  readonly kind: 'statement_withdrawn'
  readonly id: string
  readonly at: string
  readonly reason: string
}

/** Some of the raw pages that a sweep read, as they were sent. */
export interface SweepPagesRecord {
  readonly kind: 'sweep_pages'
  readonly source: string
  readonly started: string
  /** SHA-256 of each, in the order in which they came. */
  readonly pages: readonly string[]
}

/** How a sweep ended. */
export interface SweepRecord {
  readonly kind: 'sweep'
  readonly source: string
  readonly started: string
  readonly ended: string
  readonly status: SweepStatus
  readonly complete: boolean
  readonly error: string | null
  readonly seen: number
  readonly stored: number
  readonly pages: number
  readonly bytes: number
  readonly refused: Readonly<Record<string, number>>
}

/** A record of the evidence log: one of the export, without strangers' words, or one that only the log has. */
export type LoggedRecord =
  | Hashed<Written<'listing'>, 'description'>
  | Hashed<Written<'probe'>, 'challenge'>
  | Hashed<Written<'folded'>, 'challenge'>
  | Hashed<Written<'review'>, 'text' | 'receipt'>
  | Hashed<Written<'post'>, 'text'>
  | Hashed<Written<'statement'>, 'text'>
  | Hashed<Written<'signed_offer'>, 'offer'>
  | Written<'claim' | 'payee' | 'ownership' | 'offer_key' | 'folded_latency'>
  | ReviewLevelRecord
  | ReviewWithdrawnRecord
  | PostWithdrawnRecord
  | PostRestoredRecord
  | StatementWithdrawnRecord
  | SweepPagesRecord
  | SweepRecord

/** SHA-256 of a value's canonical JSON. */
export const jsonSha256 = (value: unknown): string => sha256Hex(canonical(value))

/**
 * What the log says of a record: everything but strangers' words, of which it has the SHA-256 alone, so that an operator
 * can take a text down. `null`: not evidence, or it follows from what is.
 */
export function loggedOf(record: WrittenRecord): LoggedRecord | null {
  switch (record.kind) {
    case 'listing': {
      const { description, ...rest } = record
      return description === undefined ? rest : { description_sha256: sha256Hex(description), ...rest }
    }
    case 'probe':
    case 'folded': {
      const { challenge, ...rest } = record
      return challenge === null || challenge === undefined ? rest : { challenge_sha256: jsonSha256(challenge), ...rest }
    }
    case 'review': {
      const { text, receipt, ...rest } = record
      const hashed = { text_sha256: sha256Hex(text), ...rest }
      return receipt === null ? hashed : { receipt_sha256: jsonSha256(receipt), ...hashed }
    }
    case 'post':
    case 'statement': {
      const { text, ...rest } = record
      return { text_sha256: sha256Hex(text), ...rest }
    }
    case 'signed_offer': {
      const { offer, ...rest } = record
      return { offer_sha256: jsonSha256(offer), ...rest }
    }
    case 'claim':
    case 'offer_key':
    case 'payee':
    case 'ownership':
    case 'folded_latency':
      return record
    case 'document':
    case 'sweep':
    case 'unlisted':
    case 'retention':
    case 'payment':
    case 'event':
      return null
  }
}
