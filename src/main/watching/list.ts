/** One metric of `/metrics`. Names and labels are a published format. */
export interface MetricEntry {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  /** What Prometheus shows and `docs/operating.md` prints. */
  readonly help: string
  /** `directory`: read from the store, so every process says the same; take `max`, never `sum`. */
  readonly of: 'process' | 'directory'
}

/** Everything that the program says of itself, for Prometheus: tables, alerts and the dashboard are held to it. */
export const METRICS = {
  tollbook_build_info: {
    ...{ type: 'gauge', labels: ['version', 'node', 'engine', 'roles'], of: 'process' },
    help: 'Always 1; which program this is, on which Node and engine, and what it does.',
  },
  tollbook_requests_total: {
    ...{ type: 'counter', labels: ['method', 'status', 'cached'], of: 'process' },
    help: 'Requests answered, by method, status and whether the bytes came out of the cache.',
  },
  tollbook_request_seconds: {
    ...{ type: 'histogram', labels: [], of: 'process' },
    help: 'Time to the end of answers that did not come out of the cache.',
  },
  tollbook_cache_bytes: {
    ...{ type: 'gauge', labels: [], of: 'process' },
    help: 'Bytes of pages that are kept ready, of CACHE_MB at most; web workers share them.',
  },
  tollbook_web_workers: {
    ...{ type: 'gauge', labels: ['what'], of: 'process' },
    help: 'Web workers that serve, and that are wanted; where WEB_WORKERS is more than 1.',
  },
  tollbook_web_worker_ends_total: {
    ...{ type: 'counter', labels: [], of: 'process' },
    help: 'Web workers that ended without being told to, each of which was started again.',
  },
  tollbook_store_up: {
    ...{ type: 'gauge', labels: [], of: 'process' },
    help: '1 while the store answers within a second and has room, else 0.',
  },
  tollbook_store_load: {
    ...{ type: 'gauge', labels: ['what'], of: 'process' },
    help: 'Connections of the database in use, idle and waited for; on SQLite statements that wait for the writer.',
  },
  tollbook_replica_up: {
    ...{ type: 'gauge', labels: ['replica'], of: 'process' },
    help: '1 while a replica of DATABASE_READ_URL is read from, else 0; of processes with the role web.',
  },
  tollbook_replica_lag_seconds: {
    ...{ type: 'gauge', labels: ['replica'], of: 'process' },
    help: 'For how long the writer has had something that the replica does not have yet, as far as it answers.',
  },
  tollbook_disk_free_bytes: {
    ...{ type: 'gauge', labels: [], of: 'process' },
    help: 'Room on the disk of DATA_DIR; on SQLite only.',
  },
  tollbook_counts_age_seconds: {
    ...{ type: 'gauge', labels: [], of: 'process' },
    help: 'How old the figures are that are read from the store; they are kept while it is away.',
  },
  tollbook_probes_total: {
    ...{ type: 'counter', labels: ['result', 'error', 'vantage'], of: 'process' },
    help: 'Probes, by result class, error and VANTAGE where that is set; of processes that probe.',
  },
  tollbook_prober_up: {
    ...{ type: 'gauge', labels: [], of: 'process' },
    help: '1 while probes are made and saved, 0 when offline, stopped, by a wrong clock or while the store has trouble; of processes that probe.',
  },
  tollbook_prober: {
    ...{ type: 'gauge', labels: ['what'], of: 'process' },
    help: 'Hosts being visited, and entries that wait to be saved; of processes that probe.',
  },
  tollbook_crowded_addresses_total: {
    ...{ type: 'counter', labels: [], of: 'process' },
    help: 'Addresses that 50 or more seller hosts were found to lead to; the log names them.',
  },
  tollbook_oldest_overdue_probe_seconds: {
    ...{ type: 'gauge', labels: ['vantage'], of: 'directory' },
    help: 'How long the host whose turn to be probed came first has been waiting, by vantage where they have names; 0 when none is.',
  },
  tollbook_sweeps_total: {
    ...{ type: 'counter', labels: ['source', 'status'], of: 'process' },
    help: 'Sweeps of listing sources, by source and how they ended; of processes that sweep.',
  },
  tollbook_sweep_items_total: {
    ...{ type: 'counter', labels: ['source', 'what'], of: 'process' },
    help: 'Items of listing sources, by source: seen, stored, refused; of processes that sweep.',
  },
  tollbook_last_complete_sweep_timestamp_seconds: {
    ...{ type: 'gauge', labels: ['source'], of: 'directory' },
    help: 'End of the newest complete sweep of each source; the start of its first sweep while none was complete.',
  },
  tollbook_sweep_interval_seconds: {
    ...{ type: 'gauge', labels: ['source'], of: 'directory' },
    help: 'How often each source is to be swept.',
  },
  tollbook_sweep_overdue_seconds: {
    ...{ type: 'gauge', labels: ['source'], of: 'directory' },
    help: 'How long each source has been due while nobody sweeps it; 0 when it is not.',
  },
  tollbook_payments: {
    ...{ type: 'gauge', labels: ['rail', 'network', 'state'], of: 'directory' },
    help: 'Payments for posts, by rail, network and state.',
  },
  tollbook_oldest_pending_payment_seconds: {
    ...{ type: 'gauge', labels: [], of: 'directory' },
    help: 'Age of the oldest payment whose outcome is not known; 0 when all are.',
  },
  tollbook_claims: {
    ...{ type: 'gauge', labels: ['state'], of: 'directory' },
    help: 'Wallets that proved to speak for a host, by whether a proof holds now.',
  },
  tollbook_statements: {
    ...{ type: 'gauge', labels: ['kind'], of: 'directory' },
    help: 'What sellers said, by kind.',
  },
  tollbook_log_up: {
    ...{ type: 'gauge', labels: [], of: 'process' },
    help: '1 while the newest checkpoint of the evidence log is signed and kept, else 0; of processes that make it grow.',
  },
  tollbook_log_entries: {
    ...{ type: 'gauge', labels: [], of: 'directory' },
    help: 'Entries of the evidence log.',
  },
  tollbook_log_pending: {
    ...{ type: 'gauge', labels: [], of: 'directory' },
    help: 'Entries that wait to be logged, 10,000 at most; it grows while no process signs.',
  },
  tollbook_log_history_hosts: {
    ...{ type: 'gauge', labels: [], of: 'directory' },
    help: 'Hosts whose evidence from before there was a log is still to be logged.',
  },
  tollbook_seller_writes_total: {
    ...{ type: 'counter', labels: ['what', 'outcome'], of: 'process' },
    help: 'Claims and statements that were sent, by whether they were new, known, refused or failed; of processes with the role web.',
  },
  tollbook_payment_calls_total: {
    ...{ type: 'counter', labels: ['to', 'outcome'], of: 'process' },
    help: 'Calls to the facilitator and to nodes, by how they ended; of processes with the role web.',
  },
} as const satisfies Readonly<Record<string, MetricEntry>>

export type MetricName = keyof typeof METRICS
