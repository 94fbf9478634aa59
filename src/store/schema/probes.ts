import type { Challenge } from '../../domain/challenge.ts'
import type { OfferCheck, PublicJwk, SignedOffer } from '../../domain/offers/signed-offer.ts'
import type { ProbeResult } from '../../domain/probe.ts'
import type { SightRow } from './hosts.ts'
import type { JsonText } from './json-text.ts'

/** What probers saw, whom they call next, and what is left of entries that are no longer kept. */
export interface ProbeTables {
  probes: ProbeTable
  /** Names of places that probers look from. */
  vantages: { vantage_id: number; name: string }
  challenges: { host_id: number; challenge_id: number; body: JsonText<Challenge> }
  signed_offers: SignedOfferTable
  offer_keys: OfferKeyTable
  schedule: ScheduleTable
  host_turns: HostTurnTable
  folded_routes: FoldedRouteTable
  folded_latency: { host_id: number; latency_ms: number; n: number }
  /** One row once anything was folded: entries from this time on are all kept. */
  retention: { kept_since_us: number }
  /** Months of entries, e.g. `2025-09`, that are kept elsewhere for good. */
  archived_months: { month: string; entries: number; archived_us: number }
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
