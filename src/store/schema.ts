import type { Generated, Kysely, Transaction } from 'kysely'
import type { Outcome } from '../domain/buyers/outcome.ts'
import type { Challenge } from '../domain/challenge.ts'
import type { PayeeOrigin } from '../domain/money/payee.ts'
import type { PaymentState } from '../domain/money/payment.ts'
import type { SaidPrice } from '../domain/money/route-price.ts'
import type { OfferCheck, PublicJwk, SignedOffer } from '../domain/offers/signed-offer.ts'
import type { ProbeResult, ProbeStatus } from '../domain/probe.ts'
import type { Exclusion, PaymentFound, SupportLevel } from '../domain/review.ts'
import type { Method, Rail, Scheme } from '../domain/route.ts'
import type { ProofKind } from '../domain/seller/proof.ts'
import type { StatementKind } from '../domain/seller/statement.ts'
import type { FailedPage, SweepStatus } from '../domain/sweep.ts'
import type { Refused } from '../domain/words/refusal.ts'

/** A value's JSON in a column; `T` is what whoever wrote it put there. */
export type JsonText<T> = string & { readonly holds?: T }

/**
 * The tables of both engines. Times are whole microseconds, prices whole millionths of a dollar. Every per-host table
 * has `host_id` first in its key and every query on it binds `host_id`, so that it can be distributed. Words of closed
 * vocabularies and the shapes of JSON were checked on their way in.
 */
export interface Tables {
  hosts: { host_id: number; name: string }
  host_counters: HostCounters
  host_days: HostDayTable
  host_latency: { host_id: number; step: number; latency_ms: number; n: number }
  routes: RouteTable
  route_state: RouteState
  listings: ListingTable
  /** What a source says of a route in words; rows without words are not there. */
  descriptions: { host_id: number; route_id: number; source: string; text: string }
  payees: PayeeTable
  probes: ProbeTable
  /** Names of places that probers look from. */
  vantages: { vantage_id: number; name: string }
  signed_offers: SignedOfferTable
  offer_keys: OfferKeyTable
  challenges: { host_id: number; challenge_id: number; body: JsonText<Challenge> }
  reviews: ReviewTable
  posts: PostTable
  payments: PaymentTable
  payment_story: PaymentStoryTable
  payment_claims: PaymentClaimTable
  review_checks: ReviewCheckTable
  sources: SourceTable
  source_documents: { source: string; url: string; known: string }
  /** Examples of what the newest sweep of each source refused. */
  refusals: { source: string; reason: string; item: string; started_us: number }
  read_documents: ReadDocumentTable
  ownership: OwnershipTable
  claims: ClaimTable
  claim_proofs: ClaimProofTable
  statements: StatementTable
  retirements: RetirementTable
  sweeps: SweepTable
  events: EventTable
  schedule: ScheduleTable
  host_turns: HostTurnTable
  folded_routes: FoldedRouteTable
  folded_latency: { host_id: number; latency_ms: number; n: number }
  /** One row once anything was folded: entries from this time on are all kept. */
  retention: { kept_since_us: number }
  /** Months of entries, e.g. `2025-09`, that are kept elsewhere for good. */
  archived_months: { month: string; entries: number; archived_us: number }
  /** Who does what only one program may do at a time. */
  leases: { name: string; held_by: string; until_us: number }
  search_words: { word: string }
  /** The letter sequences of every word that somebody could mistype; `length` is the word's. */
  search_grams: { gram: string; length: number; word: string }
  /** Which hosts have a word, and where (`PLACES`). */
  search_places: { word: string; host_id: number; place: number }
  /** Routes that no source names any more, since the start of the sweep that missed them. */
  unlisted: { host_id: number; route_id: number; since_us: number }
  /** What saving transactions have to say to the log, in the order of their numbers, until it is packed. `host_id` null: of no host. */
  log_entries: { entry_id: number; host_id: number | null; body: string }
  /** Which place in the log each entry has: `n` entries from `entry_id` on stand from `idx` on. */
  log_runs: { entry_id: number; n: number; idx: number }
  /** All entries of a full tile of level 0, as the log serves them, in gzip. */
  log_bundles: { n: number; body: Uint8Array }
  /** Hashes of the tree in Base 64, as far as the tile is filled. */
  log_tiles: { level: number; n: number; hashes: string }
  log_state: LogStateTable
  /** The newest cosignature of each witness, as its line of the note. */
  log_cosignatures: { witness: string; size: number; line: string; at_us: number }
  /** Hosts with evidence from before there was a log that is still to be logged; `is_again`: of sellers alone. */
  log_history: { host_id: number; is_again: Generated<number> }
  /** Keys that sign the log; with the newest head that each is known to have signed where that was the log of another store, which a backup of records was taken of. */
  log_keys: { vkey: string; size: number | null; root: string | null }
  schema_version: { version: number }
}

/** The one row of the log's tree, and who makes it grow. */
export interface LogStateTable {
  one: number
  size: number
  /** In Base 64. */
  root: string
  grown_us: number
  /** All entries up to this number are in the log or will never be. */
  settled_id: number
  lease_by: string | null
  lease_until_us: number
}

export interface RouteTable {
  host_id: number
  route_id: number
  scheme: Scheme
  method: Method
  path: string
  rail: Rail
}

/** Paid calls that buyers reported, by level (`OUTCOME_COLUMN`). */
export interface OutcomeCounts {
  served_verified: number
  not_served_verified: number
  served_signed: number
  not_served_signed: number
  served_unsigned: number
  not_served_unsigned: number
}

/** Derived from the rows in the same transaction that changes them; `tollbook verify` recomputes all of it. */
export interface HostCounters extends OutcomeCounts {
  host_id: number
  /** Grows by one with every transaction that changes anything the host's pages show. */
  version: number
  routes: number
  answers: number
  correct_402: number
  failed: number
  unreachable: number
  newest_probe_us: number | null
  /** When a route of the host last requested payment, as far as entries are kept. */
  newest_402_us: number | null
  latency_min_ms: number | null
  latency_max_ms: number | null
  /** Counted agent reviews: not superseded, not excluded. */
  reviews_verified: number
  reviews_signed: number
  reviews_unsigned: number
  reviews_excluded: number
  /** All that are stored. */
  reviews: number
  posts: number
  /** Routes that a source names, by the class of the run they are in and by price check (`Summary`). */
  now_answers: number
  now_402: number
  now_failed: number
  now_unreachable: number
  routes_verified: number
  routes_differs: number
  price_min: number | null
  /** Twice the median latency as of so many entries, for lists alone. */
  median_sum_ms: number | null
  median_samples: number
  /** The newest entry about it in `log_entries`. */
  log_id: number | null
}

/** Derived like `HostCounters`, per UTC day, from the entries that are kept. */
export interface HostDayTable {
  host_id: number
  /** Counted from 1970-01-01. */
  day: number
  answers: number
  correct_402: number
  failed: number
  unreachable: number
  /** Over the entries with an HTTP result. */
  latency_sum_ms: number
}

/** Columns that begin at zero by themselves. */
type Counted<T> = { [K in keyof T]: Generated<T[K]> }

/** What one vantage sees, as it is stored with the route: many of them are written, so they have no field names. */
export type SightRow = [
  vantage: string,
  entries: number,
  atUs: number,
  sinceUs: number,
  status: number,
  shield: number | null,
]

/** Derived like `HostCounters`, per route. */
export interface RouteState extends Counted<OutcomeCounts> {
  host_id: number
  route_id: number
  /** Of the listing row that gives the route its price (`priceRow`). */
  price: number | null
  network: string | null
  probe_status: ProbeStatus
  /** The lowest and the highest price of current rows; null where they do not disagree. */
  price_low: number | null
  price_high: number | null
  /** The row that the newest challenge matches, where it is not the one that gives the route its price. */
  matching: JsonText<SaidPrice> | null
  probes: number
  newest_probe_us: number | null
  /** The newest live challenge, which `probe_status` compares with the listings. */
  challenge_id: number | null
  challenge_us: number | null
  /** Status of the newest entry, 0 without an HTTP result, and since when entries are of its class. */
  now_status: number | null
  now_since_us: number | null
  last_402_us: number | null
  /** What each vantage sees; null where no entry names one. */
  sights: JsonText<SightRow[]> | null
  reviews: number
  /** 1 once a listing source has named the route; 0 while it is known by other evidence only. */
  listed: Generated<number>
}

interface ListingTable {
  host_id: number
  route_id: number
  source: string
  /** -1: not known. Part of the key, so never null. */
  price: number
  /** Empty: not known. */
  network: string
  /** CAIP-2 form of `network`, for comparisons. */
  network_key: string
  first_us: number
  last_us: number
  /** Start of the first complete sweep of its source that did not name it any more; null while it does. */
  gone_us: number | null
  /** 1: its source named it beside another price of the same network in one sweep. */
  one_of_several: number
  /** 0: its source named no method, and GET was taken. */
  method_stated: number
  /** The entry of the log that says that it opened; null while none does. */
  log_id: number | null
  /** `last_us` as the log last said it; null: to be said with the next sighting. */
  logged_us: number | null
}

export interface PayeeTable {
  host_id: number
  route_id: number
  network: string
  payee: string
  /** `walletKey` of `payee`, for comparisons. */
  payee_key: string
  /** Empty: not stated. */
  asset: string
  origin: PayeeOrigin
  first_us: number
  last_us: number
  /** As in `listings`. */
  log_id: Generated<number | null>
}

export interface ProbeTable {
  host_id: number
  route_id: number
  at_us: number
  /** 0: no HTTP result. Part of the key, so never null. */
  status: number
  latency_ms: number
  error: string | null
  challenge_id: number | null
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  remote_address: string | null
  /** Its entry in `log_entries`. */
  log_id: number | null
  /** From where, one of `vantages`; null: the prober has no name. */
  vantage_id: number | null
  /** Whose challenge page it was, by its place in `SHIELDS`, from 1. */
  shield: number | null
}

/** A signed offer that live challenges of a route carried; the newest of each route are kept. */
export interface SignedOfferTable {
  host_id: number
  route_id: number
  /** SHA-256 of the offer as it was written. */
  offer_id: string
  body: JsonText<SignedOffer>
  /** Who stands behind it, by the keys of the time when it was first seen. */
  found: JsonText<OfferCheck>
  first_us: number
  last_us: number
  /** The entry that says since when it is seen. */
  log_id: number | null
}

/** A key that a DID document of the host named. */
export interface OfferKeyTable {
  host_id: number
  kid: string
  jwk: JsonText<PublicJwk>
  first_us: number
  last_us: number
  /** First reading of the document without it; null while it is in force. */
  gone_us: number | null
  /** The entry that says what is so now. */
  log_id: number | null
}

export interface ReviewTable {
  host_id: number
  review_id: string
  route_id: number
  url: string
  rating: number
  text: string
  wallet: string | null
  signature: string | null
  signed_at: string | null
  payment_network: string | null
  payment_transaction: string | null
  receipt: JsonText<Readonly<Record<string, unknown>>> | null
  level: SupportLevel
  level_reason: string | null
  excluded: Exclusion | null
  /** 1 when the wallet's newer review of the same route counts instead. */
  superseded: number
  submitted_us: number
  /** `walletKey` of `wallet`. */
  wallet_key: string | null
  payment_found: JsonText<PaymentFound> | null
  /** The host of the directory that it was signed for; null where the lines name none. */
  directory: string | null
  outcome: JsonText<Outcome> | null
  /** 1 when the outcome says that the call was served, 0 when it says that it was not. */
  served: number | null
  hidden_us: number | null
  hidden_reason: string | null
  /** Its entry in `log_entries`. */
  log_id: number | null
}

/** Which transfer supports which review: one each, across all hosts. */
interface PaymentClaimTable {
  /** CAIP-2 form. */
  network: string
  transaction_id: string
  log_index: number
  host_id: number
  review_id: string
}

/** Reviews whose payment is still to be looked at: not yet decided, or not yet final. Decided ones have no row. */
export interface ReviewCheckTable {
  host_id: number
  review_id: string
  due_us: number
  attempts: number
}

export interface PostTable {
  host_id: number
  post_id: string
  text: string
  wallet: string
  signature: string
  signed_at: string
  posted_us: number
  rail: Rail
  payment_network: string
  payment_transaction: string
  payer: string
  hidden_us: number | null
  hidden_reason: string | null
  /** Its entry in `log_entries`. */
  log_id: Generated<number | null>
}

/** One row per authorisation that somebody asked us to settle. Rows are never removed. */
export interface PaymentTable {
  /** Unique across hosts: one authorisation pays once. */
  payment_key: string
  host_id: number
  rail: Rail
  state: PaymentState
  network: string
  asset: string
  payer: string
  payee: string
  /** In the asset's base units. */
  amount: string
  /** SHA-256 of what was asked for: another request with the same credential is refused. */
  request_hash: string
  /** JSON: the post that is published when the payment is settled. */
  intent: string
  transaction_id: string | null
  created_us: number
  updated_us: number
  /** The client's own name for the payment (`payment-identifier`), unique per payer. */
  identifier: string | null
  post_id: string
  /** After this time the authorisation moves nothing any more. */
  expires_us: number
  /** Where a search of the chain starts. */
  from_block: number
  /** What settling needs: the credential. Cleared when it is settled. */
  raw: string | null
  /** Why it is not settled, in the directory's own words. */
  reason: string | null
  /** Of the transfer within its transaction; -1 when no node was asked. */
  log_index: number
  /** When reconciliation looks at it next; null when it is decided, and seen on chain if it was paid. */
  due_us: number | null
  attempts: number
  /**
   * Wallet and signed lines (`messageKeyOf`), unique among pending and settled payments: one signed message is charged
   * once. Null where a third party used a second authorisation for the same message.
   */
  message_key: string | null
  /** The client's own name for the request (`Idempotency-Key`), unique per payer. */
  idempotency_key: string | null
}

/** A step of a payment's story: what was done about it and what was answered. */
interface PaymentStoryTable {
  payment_key: string
  n: number
  act: string
  said: string
  first_us: number
  last_us: number
  /** How often it came again without anything new. */
  times: number
}

/** What is remembered of a listing source between its sweeps. */
export interface SourceTable {
  name: string
  /** JSON: where an interrupted sweep goes on. */
  progress: string | null
  failed_page: JsonText<FailedPage> | null
  /** When the next sweep is due. */
  due_us: number
  /** Whoever sweeps it holds it until then. */
  lease_until_us: number
  lease_by: string | null
}

/** A seller's own document as it was last read, by host name: of one that gave no route the host is not known. */
export interface ReadDocumentTable {
  host: string
  source: string
  url: string
  sha256: string
  read_us: number
  seen: number
  stored: number
  /** The first of them; `refused_total` counts all. */
  refused: JsonText<readonly Refused[]>
  refused_total: number
}

export interface SweepTable {
  source: string
  started_us: number
  ended_us: number
  status: SweepStatus
  /** 1 when it went on from an interrupted one. */
  resumed: number
  seen: number
  stored: number
  pages: number
  bytes: number
  /** By reason. */
  refused: JsonText<Readonly<Record<string, number>>>
  /** By how requests ended. */
  answers: JsonText<Readonly<Record<string, number>>>
  announced: number | null
  error: string | null
}

/** A payee's verified claim to a host. */
export interface OwnershipTable {
  host_id: number
  signer: string
  origin: string
  proof: string
  first_us: number
  last_us: number
  log_id: Generated<number | null>
}

/** A wallet that proved once to speak for a host. */
export interface ClaimTable {
  host_id: number
  /** `walletKey` of `wallet`. */
  wallet_key: string
  wallet: string
  /** The wallet as it stands in the signed lines. */
  wallet_line: string
  signature: string
  signed_at: string
  directory: string | null
  claimed_us: number
  /** When its proofs are looked at next. */
  due_us: number
  /** The entry that says what proves it now. */
  log_id: number | null
}

/** From when to when a proof held; `until_us` is null while it does. */
export interface ClaimProofTable {
  host_id: number
  wallet_key: string
  proof: ProofKind
  since_us: number
  seen_us: number
  until_us: number | null
}

/** What a seller said. Rows are never removed. */
export interface StatementTable {
  host_id: number
  statement_id: string
  kind: StatementKind
  /** As it stands in the signed lines. */
  about: string
  /** The route that it is about; null: the host, a review or a post. */
  route_id: number | null
  text: string
  wallet: string
  signature: string
  signed_at: string
  directory: string | null
  submitted_us: number
  hidden_us: number | null
  hidden_reason: string | null
  log_id: number | null
}

/** Derived from `statements`: what the seller took out of sale. */
export interface RetirementTable {
  host_id: number
  /** -1: the whole host. Part of the key, so never null. */
  route_id: number
  since_us: number
  statement_id: string
  moved_to: string | null
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

/** When each route is probed next, from each vantage. Changed by whoever holds its host's lease. */
export interface ScheduleTable {
  host_id: number
  /** One of `vantages`; 0: of probers without a name. */
  vantage_id: number
  route_id: number
  /** Null: not probeable as listed. */
  due_us: number | null
  /** Start of the newest probe that moved this row. */
  probed_us: number | null
  /** Class of that probe. */
  last_result: ProbeResult | null
  /** Looks in a row that came early because the class had changed. */
  early_looks: number
}

/** Whose turn each host is, from each vantage: one prober at a time holds a host, so that it has one request in flight. */
export interface HostTurnTable {
  host_id: number
  /** As in `schedule`. */
  vantage_id: number
  /** When the host may be claimed: its earliest due route, or later for politeness; while leased, the lease's end. Null: never. */
  due_us: number | null
  /** The claim that holds the host, also after its end until somebody else claims it. */
  lease_by: string | null
  /** The host asked to be left alone until then. */
  not_before_us: number
  /** Rows that the host has in `schedule`, and the methods they were made for. */
  routes: number
  methods: string
  /** JSON: what was read from its robots.txt. */
  robots: string | null
}

/** What entries that are no longer kept counted for. */
export interface FoldedRouteTable {
  host_id: number
  route_id: number
  answers: number
  correct_402: number
  failed: number
  unreachable: number
  newest_us: number
  challenge_us: number | null
  challenge_id: number | null
  /** Of the newest folded entry, as in `RouteState`; null of what was folded before runs were kept. */
  now_status: number | null
  now_since_us: number | null
  last_402_us: number | null
  /** As in `RouteState`, of the folded entries. */
  sights: JsonText<SightRow[]> | null
}

export type Reader = Kysely<Tables>
/** A transaction that is durable when its promise resolves. */
export type Writer = Transaction<Tables>
