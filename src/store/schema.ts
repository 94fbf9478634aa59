import type { Generated, Kysely, Transaction } from 'kysely'
import type { FactTables } from './schema/facts.ts'
import type { HostTables } from './schema/hosts.ts'
import type { JsonText } from './schema/json-text.ts'
import type { KeptTotals } from './schema/kept-totals.ts'
import type { LogTables } from './schema/log.ts'
import type { PostTables } from './schema/posts.ts'
import type { ProbeTables } from './schema/probes.ts'
import type { ReviewTables } from './schema/reviews.ts'
import type { SellerTables } from './schema/sellers.ts'

export type * from './schema/facts.ts'
export type * from './schema/hosts.ts'
export type * from './schema/json-text.ts'
export type * from './schema/kept-totals.ts'
export type * from './schema/log.ts'
export type * from './schema/posts.ts'
export type * from './schema/probes.ts'
export type * from './schema/reviews.ts'
export type * from './schema/sellers.ts'

/**
 * The tables of both engines. Times are whole microseconds, prices whole millionths of a dollar. Every per-host table
 * has `host_id` first in its key and every query on it binds `host_id`, so that it can be distributed. Words of closed
 * vocabularies and the shapes of JSON were checked on their way in.
 */
export interface Tables extends HostTables, FactTables, ProbeTables, ReviewTables, PostTables, SellerTables, LogTables {
  events: EventTable
  /** Who does what only one program may do at a time. */
  leases: { name: string; held_by: string; until_us: number }
  /** Totals of the whole directory as they were counted last, by the shape of their JSON. */
  kept_totals: { shape: number; counted_us: number; totals: JsonText<KeptTotals> }
  search_words: { word: string }
  /** The letter sequences of every word that somebody could mistype; `length` is the word's. */
  search_grams: { gram: string; length: number; word: string }
  /** Which hosts have a word, and where (`PLACES`). */
  search_places: { word: string; host_id: number; place: number }
  schema_version: { version: number }
}

export interface EventTable {
  host_id: number
  at_us: number
  event_id: number
  /** One of `EVENT_KINDS`, or a word that an import brought from another directory. */
  kind: string
  route_id: number | null
  data: JsonText<Readonly<Record<string, unknown>>>
  /** Id of the review or post that it is about. */
  subject: string | null
  /** When it was written here, by the store's own clock: what followers go by. */
  saved_us: Generated<number>
}

export type Reader = Kysely<Tables>
/** A transaction that is durable when its promise resolves. */
export type Writer = Transaction<Tables>
