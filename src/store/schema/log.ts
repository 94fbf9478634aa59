import type { Generated } from 'kysely'

/** The evidence log. */
export interface LogTables {
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
