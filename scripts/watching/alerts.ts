/** What wakes somebody, or waits for the morning. */
type Severity = 'page' | 'ticket'

/** One alert of `deploy/alerts.yml`, with the fault that it is for as its test plays it. */
export interface Alert {
  readonly name: string
  readonly expr: string
  /** How long it has to be so. */
  readonly for: string
  readonly severity: Severity
  /** What has gone wrong, in words. */
  readonly summary: string
  /** What says more. */
  readonly explain: string
  /** Series of a healthy day, in Prometheus' notation, that the fault changes: from the 30th minute on. */
  readonly fault: Readonly<Record<string, string>>
}

/** Values of a test, one a minute: half an hour as it should be, then four hours of something else. */
const turned = (healthy: string, faulty: string): string => `${healthy}x29 ${faulty}x240`
const gone = (healthy: string): string => `${healthy}x29 _x240`

const GIB = 2 ** 30

export const ALERTS: readonly Alert[] = [
  {
    name: 'TollbookDown',
    expr: 'up{job="tollbook"} == 0 or absent(up{job="tollbook"})',
    for: '2m',
    severity: 'page',
    summary: 'A process of Tollbook does not answer Prometheus.',
    explain: 'journalctl -u tollbook -n 50, or docker compose logs; then tollbook doctor',
    fault: { 'up{job="tollbook",instance="web-2"}': turned('1', '0') },
  },
  {
    name: 'TollbookRestarting',
    expr: 'changes(process_start_time_seconds{job="tollbook"}[15m]) > 2 or increase(tollbook_web_worker_ends_total[15m]) > 2',
    for: '0m',
    severity: 'page',
    summary: 'A process of Tollbook, or a web worker of it, was started more than twice in a quarter of an hour.',
    explain: 'the last lines of its log: what ends it stands there',
    fault: { 'process_start_time_seconds{job="tollbook",instance="web-2"}': '1000x29 1000+60x240' },
  },
  {
    name: 'TollbookStoreDown',
    expr: 'tollbook_store_up == 0',
    for: '2m',
    severity: 'page',
    summary: 'The store does not answer, or its disk is full.',
    explain: '/readyz on METRICS_PORT says why; tollbook doctor',
    fault: { 'tollbook_store_up{job="tollbook",instance="web-1"}': turned('1', '0') },
  },
  {
    name: 'TollbookLogNotPublished',
    expr: 'tollbook_log_up == 0',
    for: '5m',
    severity: 'page',
    summary: 'The evidence log shows no new checkpoint: it is not signed, or what is signed cannot be kept.',
    explain: '/readyz on METRICS_PORT says why; tollbook doctor',
    fault: { 'tollbook_log_up{job="tollbook",instance="web-1"}': turned('1', '0') },
  },
  {
    name: 'TollbookReplicaLeftOut',
    expr: 'min by (replica) (tollbook_replica_up) == 0',
    for: '10m',
    severity: 'ticket',
    summary: 'A replica is not read from: it is late, gone, or no copy of the writer.',
    explain: '/readyz on METRICS_PORT says which and why; tollbook doctor',
    fault: { 'tollbook_replica_up{job="tollbook",instance="web-1",replica="db-2:5432"}': turned('1', '0') },
  },
  {
    name: 'TollbookFailing',
    expr: 'sum(rate(tollbook_requests_total{status=~"5.."}[5m])) > 0.1',
    for: '5m',
    severity: 'page',
    summary: 'Callers see failures: more than one answer in ten seconds is a 5xx.',
    explain: 'the log has "request failed" with the reason; tollbook doctor',
    fault: {
      'tollbook_requests_total{job="tollbook",instance="web-1",method="GET",status="503",cached="no"}': '0x29 0+60x240',
    },
  },
  {
    name: 'TollbookConnectionsRunOut',
    expr: 'tollbook_store_load{what="waiting"} * on (instance) group_left () tollbook_build_info{engine="postgres"} > 0',
    for: '5m',
    severity: 'ticket',
    summary: 'Requests wait for a connection to the database.',
    explain: 'select state, wait_event_type, left(query, 60) from pg_stat_activity, on the database',
    fault: { 'tollbook_store_load{job="tollbook",instance="web-1",what="waiting"}': turned('0', '12') },
  },
  {
    name: 'TollbookDiskFilling',
    expr: 'tollbook_disk_free_bytes < 2^30',
    for: '10m',
    severity: 'page',
    summary: 'Less than 1 GiB is left on the disk of DATA_DIR.',
    explain: 'tollbook doctor; df -h',
    fault: { 'tollbook_disk_free_bytes{job="tollbook",instance="small-1"}': turned(`${20 * GIB}`, `${GIB / 2}`) },
  },
  {
    name: 'TollbookPaymentUndecided',
    expr: 'max(tollbook_oldest_pending_payment_seconds) > 600',
    for: '1m',
    severity: 'page',
    summary: 'A payment has been undecided for ten minutes: somebody may have paid and sees no post.',
    explain: 'tollbook payments --state pending, then tollbook payments <post>',
    fault: { 'tollbook_oldest_pending_payment_seconds{job="tollbook",instance="web-1"}': '0x29 0+60x240' },
  },
  {
    name: 'TollbookPaymentCallsFail',
    expr: 'sum by (to) (increase(tollbook_payment_calls_total{outcome!="answered"}[15m])) > 5',
    for: '5m',
    severity: 'ticket',
    summary: 'The facilitator or a node fails.',
    explain: 'tollbook doctor; the label outcome of tollbook_payment_calls_total says how',
    fault: {
      'tollbook_payment_calls_total{job="tollbook",instance="web-1",to="facilitator",outcome="http_5xx"}':
        '0x29 0+2x240',
    },
  },
  {
    name: 'TollbookProberDown',
    expr: 'tollbook_prober_up == 0',
    for: '10m',
    severity: 'page',
    summary: 'A prober is offline, has a wrong clock or cannot save.',
    explain: '/readyz on METRICS_PORT of the prober says offline, clock or store; tollbook doctor',
    fault: { 'tollbook_prober_up{job="tollbook",instance="probe-1"}': turned('1', '0') },
  },
  {
    name: 'TollbookNobodyProbes',
    expr: 'absent(tollbook_prober_up)',
    for: '10m',
    severity: 'page',
    summary: 'No process with the role probe is there.',
    explain: 'systemctl status, or docker compose ps',
    fault: { 'tollbook_prober_up{job="tollbook",instance="probe-1"}': gone('1') },
  },
  {
    name: 'TollbookProbesLate',
    expr: 'max(tollbook_oldest_overdue_probe_seconds) > 3600',
    for: '15m',
    severity: 'ticket',
    summary: 'Hosts wait for more than an hour for their turn to be probed.',
    explain: 'tollbook why <host>; tollbook_prober{what="visiting"}',
    fault: { 'tollbook_oldest_overdue_probe_seconds{job="tollbook",instance="web-1"}': '0x29 0+60x240' },
  },
  {
    name: 'TollbookEntriesPileUp',
    expr: 'tollbook_prober{what="waiting"} > 1000',
    for: '5m',
    severity: 'ticket',
    summary: 'Probe entries cannot be saved as fast as they are made.',
    explain: 'tollbook doctor; the load of the database',
    fault: { 'tollbook_prober{job="tollbook",instance="probe-1",what="waiting"}': turned('3', '2000') },
  },
  {
    name: 'TollbookSourceNotSwept',
    expr: 'max by (source) (tollbook_sweep_overdue_seconds) > 3600',
    for: '10m',
    severity: 'ticket',
    summary: 'A source has been due for an hour and nobody sweeps it: is a process with the role ingest there?',
    explain: 'systemctl status, or docker compose ps; tollbook ingest <source>',
    fault: { 'tollbook_sweep_overdue_seconds{job="tollbook",instance="web-1",source="bazaar"}': '0x29 0+60x240' },
  },
  {
    name: 'TollbookSourceIncomplete',
    expr: 'time() - max by (source) (tollbook_last_complete_sweep_timestamp_seconds) > 3 * max by (source) (tollbook_sweep_interval_seconds)',
    for: '30m',
    severity: 'ticket',
    summary: 'A source is swept and does not come to a complete end.',
    explain: '/sources and /v1/sources/<name>; tollbook ingest <source> says why',
    fault: {
      'tollbook_last_complete_sweep_timestamp_seconds{job="tollbook",instance="web-1",source="bazaar"}': '0x29 0x240',
    },
  },
]

/** Figures that every process reads from the store, once for the directory: a sum over processes counts them too often. */
export const RECORDED: Readonly<Record<string, string>> = {
  'tollbook:payments': 'max by (rail, network, state) (tollbook_payments)',
  'tollbook:requests_failed:rate5m': 'sum(rate(tollbook_requests_total{status=~"5.."}[5m]))',
}
