/** What the directory announces in its feeds. */
export const EVENT_KINDS = [
  'route_appeared',
  'route_unlisted',
  'price_changed',
  'probe_status_changed',
  'class_changed',
  'vantage_changed',
  'signed_offer_changed',
  'review',
  'review_level_changed',
  'review_counting_changed',
  'review_payment_final',
  'review_hidden',
  'post',
  'post_hidden',
  'claim_proven',
  'claim_ended',
  'statement',
  'statement_hidden',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export const isEventKind = (kind: string): kind is EventKind => EVENT_KINDS.some((known) => known === kind)

/** In which announcements are read: the first one written first, or the last one. */
export const EVENT_ORDERS = ['oldest', 'newest'] as const
export type EventOrder = (typeof EVENT_ORDERS)[number]

/** Kinds that are asked for, comma separated; `undefined` where one of them is none. */
export function eventKindsIn(text: string): EventKind[] | undefined {
  const kinds = text.split(',').map((kind) => kind.trim())
  return kinds.every(isEventKind) ? kinds : undefined
}
