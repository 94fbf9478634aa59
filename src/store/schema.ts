import type { Generated, Kysely, Transaction } from 'kysely'

/**
 * The tables of both engines. Times are whole microseconds, prices whole millionths of a dollar. Every per-host table
 * has `host_id` first in its key and every query on it binds `host_id`, so that it can be distributed.
 */
export interface Tables {
  hosts: { host_id: number; name: string }
  host_counters: HostCounters
  host_days: HostDayTable
  host_latency: { host_id: number; step: number; latency_ms: number; n: number }
  routes: { host_id: number; route_id: number; scheme: string; method: string; path: string; rail: string }
  route_state: RouteState
  listings: ListingTable
  /** What a source says of a route in words; rows without words are not there. */
  descriptions: { host_id: number; route_id: number; source: string; text: string }
  payees: PayeeTable
  probes: ProbeTable
  challenges: { host_id: number; challenge_id: number; body: string }
  reviews: ReviewTable
  posts: PostTable
  payments: PaymentTable
  payment_claims: PaymentClaimTable
  review_checks: ReviewCheckTable
  sources: SourceTable
  source_documents: { source: string; url: string; known: string }
  ownership: OwnershipTable
  sweeps: SweepTable
  events: EventTable
  schedule: ScheduleTable
  host_turns: HostTurnTable
  folded_routes: FoldedRouteTable
  folded_latency: { host_id: number; latency_ms: number; n: number }
  /** One row once anything was folded: entries from this time on are all kept. */
  retention: { kept_since_us: number }
  search_words: { word: string }
  /** The letter sequences of every word that somebody could mistype; `length` is the word's. */
  search_grams: { gram: string; length: number; word: string }
  /** Which hosts have a word, and where (`PLACES`). */
  search_places: { word: string; host_id: number; place: number }
  /** Routes that no source names any more, since the start of the sweep that missed them. */
  unlisted: { host_id: number; route_id: number; since_us: number }
  schema_version: { version: number }
}

/** Derived from the rows in the same transaction that changes them; `tollbook verify` recomputes all of it. */
export interface HostCounters {
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

/** Derived like `HostCounters`, per route. */
export interface RouteState {
  host_id: number
  route_id: number
  /** Of the listing row that speaks for the route (`currentListing`). */
  price: number | null
  network: string | null
  probe_status: string
  probes: number
  newest_probe_us: number | null
  /** The newest live challenge, which `probe_status` compares with the listings. */
  challenge_id: number | null
  challenge_us: number | null
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
}

interface PayeeTable {
  host_id: number
  route_id: number
  network: string
  payee: string
  /** `walletKey` of `payee`, for comparisons. */
  payee_key: string
  /** Empty: not stated. */
  asset: string
  /** `listing` or `challenge`: who named the payee. */
  origin: string
  first_us: number
  last_us: number
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
  receipt: string | null
  level: string
  level_reason: string | null
  excluded: string | null
  /** 1 when the wallet's newer review of the same route counts instead. */
  superseded: number
  submitted_us: number
  /** `walletKey` of `wallet`. */
  wallet_key: string | null
  /** JSON of `PaymentFound`. */
  payment_found: string | null
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
  rail: string
  payment_network: string
  payment_transaction: string
  payer: string
  hidden_us: number | null
  hidden_reason: string | null
}

/** One row per authorisation that somebody asked us to settle. Rows are never removed. */
export interface PaymentTable {
  /** Unique across hosts: one authorisation pays once. */
  payment_key: string
  host_id: number
  rail: string
  /** One of `PAYMENT_STATES`. */
  state: string
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
}

/** What is remembered of a listing source between its sweeps. */
export interface SourceTable {
  name: string
  /** JSON: where an interrupted sweep goes on. */
  progress: string | null
  /** JSON: the last raw page that failed, cut. */
  failed_page: string | null
  /** When the next sweep is due. */
  due_us: number
  /** Whoever sweeps it holds it until then. */
  lease_until_us: number
  lease_by: string | null
}

export interface SweepTable {
  source: string
  started_us: number
  ended_us: number
  status: string
  /** 1 when it went on from an interrupted one. */
  resumed: number
  seen: number
  stored: number
  pages: number
  bytes: number
  /** JSON: reason to count. */
  refused: string
  /** JSON: how requests ended, to count. */
  answers: string
  announced: number | null
  error: string | null
}

/** A payee's verified claim to a host. */
interface OwnershipTable {
  host_id: number
  signer: string
  origin: string
  proof: string
  first_us: number
  last_us: number
}

export interface EventTable {
  host_id: number
  at_us: number
  event_id: number
  kind: string
  route_id: number | null
  /** JSON. */
  data: string
  /** Id of the review or post that it is about. */
  subject: string | null
  /** When it was written here, by the store's own clock: what followers go by. */
  saved_us: Generated<number>
}

/** When each route is probed next. Changed by whoever holds its host's lease. */
export interface ScheduleTable {
  host_id: number
  route_id: number
  /** Null: not probeable as listed. */
  due_us: number | null
  /** Start of the newest probe that moved this row. */
  probed_us: number | null
  /** Class of that probe. */
  last_result: string | null
  /** Looks in a row that came early because the class had changed. */
  early_looks: number
}

/** Whose turn each host is: one prober at a time holds a host, so that it has one request in flight. */
export interface HostTurnTable {
  host_id: number
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
}

export type Reader = Kysely<Tables>
/** A transaction that is durable when its promise resolves. */
export type Writer = Transaction<Tables>
