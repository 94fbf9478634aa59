/** Why an item of a listing source gave no route, in words. Sweeps count by it. */
export const REFUSAL_WORDS = {
  bad_address: 'not an http address of a public host name, or too long',
  bad_document: 'the document is not what this source sends',
  bad_item: 'the item cannot be read or has no address',
  bad_method: 'a method that routes do not have, such as HEAD',
  bad_offer: 'the terms of payment cannot be read',
  bad_record: 'a line of the operator’s file that is no listing record',
  deprecated: 'the source itself says that it is deprecated, or not offered',
  foreign_host: 'a seller’s document naming a route of somebody else’s host',
  no_offers: 'the item has no terms of payment',
  no_route: 'a document or service that names no route',
  not_a_listing: 'a record of another kind in the operator’s file',
  not_http: 'not called over HTTP: an MCP tool, a facilitator',
  not_paid: 'an operation without terms of payment; nothing is wrong with it',
  other_protocol: 'paid through a protocol that is not read here, such as L402',
  private_dialect: 'the price stands in a field of the seller’s own making',
  too_many: 'beyond the most that one document or route may have',
  unknown_rail: 'a protocol that is neither x402 nor mpp',
} as const

export type Refusal = keyof typeof REFUSAL_WORDS

const isRefusal = (reason: string): reason is Refusal => Object.hasOwn(REFUSAL_WORDS, reason)

export const REFUSALS: readonly Refusal[] = Object.keys(REFUSAL_WORDS).filter(isRefusal)

/** The reason itself where it is one of an older version. */
export const refusalWords = (reason: string): string => (isRefusal(reason) ? REFUSAL_WORDS[reason] : reason)

export interface Refused {
  readonly reason: Refusal
  /** A short, printable description of what was refused. */
  readonly item: string
}
