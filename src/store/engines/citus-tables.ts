import type { Tables } from '../schema.ts'

/**
 * Where the rows of a table lie on a cluster: with their host, on the machine of its shard; a copy on every machine, of
 * what is small, seldom written or unique across hosts; or on the coordinator, of what belongs to the log, which is one line
 * of entries. Citus must know of those that are written together with hosts, or it would commit these first and by
 * themselves; others are the coordinator's alone.
 */
export type Place = 'with its host' | 'everywhere' | 'coordinator' | 'coordinator alone'

export const PLACES: Readonly<Record<keyof Tables, Place>> = {
  hosts: 'with its host',
  host_counters: 'with its host',
  host_days: 'with its host',
  host_latency: 'with its host',
  host_turns: 'with its host',
  routes: 'with its host',
  route_state: 'with its host',
  schedule: 'with its host',
  listings: 'with its host',
  descriptions: 'with its host',
  payees: 'with its host',
  ownership: 'with its host',
  probes: 'with its host',
  challenges: 'with its host',
  folded_routes: 'with its host',
  folded_latency: 'with its host',
  signed_offers: 'with its host',
  offer_keys: 'with its host',
  reviews: 'with its host',
  review_checks: 'with its host',
  posts: 'with its host',
  claims: 'with its host',
  claim_proofs: 'with its host',
  statements: 'with its host',
  retirements: 'with its host',
  unlisted: 'with its host',
  events: 'with its host',
  search_places: 'with its host',
  schema_version: 'everywhere',
  retention: 'everywhere',
  archived_months: 'everywhere',
  leases: 'everywhere',
  vantages: 'everywhere',
  sources: 'everywhere',
  source_documents: 'everywhere',
  read_documents: 'everywhere',
  refusals: 'everywhere',
  sweeps: 'everywhere',
  payments: 'everywhere',
  payment_story: 'everywhere',
  payment_claims: 'everywhere',
  search_words: 'everywhere',
  search_grams: 'everywhere',
  log_runs: 'everywhere',
  kept_totals: 'coordinator alone',
  log_entries: 'coordinator',
  log_bundles: 'coordinator alone',
  log_tiles: 'coordinator alone',
  log_state: 'coordinator alone',
  log_cosignatures: 'coordinator alone',
  log_history: 'coordinator alone',
  log_keys: 'coordinator alone',
}

/** `hosts` first: the others are put beside it. */
export const tablesAt = (place: Place): readonly string[] =>
  Object.entries(PLACES).flatMap(([table, at]) => (at === place ? [table] : []))
