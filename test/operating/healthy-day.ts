/** One minute of a day as processes in split roles show it, in the notation of Prometheus' tests. */
const STEADY: Readonly<Record<string, string>> = {
  'tollbook_store_up{job="tollbook",instance="web-1"}': '1',
  'tollbook_store_up{job="tollbook",instance="small-1"}': '1',
  'tollbook_log_up{job="tollbook",instance="web-1"}': '1',
  'tollbook_replica_up{job="tollbook",instance="web-1",replica="db-2:5432"}': '1',
  'tollbook_store_load{job="tollbook",instance="web-1",what="waiting"}': '0',
  // SQLite: a transaction under way at the moment of each scrape is no trouble.
  'tollbook_store_load{job="tollbook",instance="small-1",what="waiting"}': '1',
  'tollbook_build_info{job="tollbook",instance="web-1",engine="postgres",roles="web"}': '1',
  'tollbook_build_info{job="tollbook",instance="small-1",engine="sqlite",roles="web,ingest,probe"}': '1',
  'tollbook_disk_free_bytes{job="tollbook",instance="small-1"}': String(20 * 2 ** 30),
  'tollbook_oldest_pending_payment_seconds{job="tollbook",instance="web-1"}': '20',
  'tollbook_prober_up{job="tollbook",instance="probe-1"}': '1',
  'tollbook_prober{job="tollbook",instance="probe-1",what="waiting"}': '40',
  'tollbook_oldest_overdue_probe_seconds{job="tollbook",instance="web-1"}': '2',
  'tollbook_sweep_overdue_seconds{job="tollbook",instance="web-1",source="bazaar"}': '3',
  'tollbook_sweep_overdue_seconds{job="tollbook",instance="web-1",source="openapi"}': '0',
  'tollbook_sweep_interval_seconds{job="tollbook",instance="web-1",source="bazaar"}': '3600',
  'tollbook_sweep_interval_seconds{job="tollbook",instance="web-1",source="openapi"}': '86400',
  'tollbook_payment_calls_total{job="tollbook",instance="web-1",to="facilitator",outcome="http_5xx"}': '0',
}

const MINUTES = 1440
const INSTANCES = ['web-1', 'web-2', 'ingest-1', 'probe-1', 'small-1'] as const

/** Every series of a day on which nothing is wrong: a few failures, a restart, sweeps once an hour and once a day. */
export function healthyDay(): Record<string, string> {
  const of = (name: string, labels: string): string => `${name}{job="tollbook",${labels}}`
  const steady = Object.entries(STEADY).map(([series, value]) => [series, `${value}x${MINUTES}`])
  const up = INSTANCES.flatMap((instance) => [
    [of('up', `instance="${instance}"`), `1x${MINUTES}`],
    // Started anew once, for an upgrade.
    [of('process_start_time_seconds', `instance="${instance}"`), `1000x700 50000x${MINUTES - 700}`],
  ])
  const hourly = Array.from({ length: 24 }, (_, hour) => `${hour * 3600}x59`).join(' ')
  return Object.fromEntries([
    ...steady,
    ...up,
    [of('tollbook_last_complete_sweep_timestamp_seconds', 'instance="web-1",source="bazaar"'), hourly],
    [of('tollbook_last_complete_sweep_timestamp_seconds', 'instance="web-1",source="openapi"'), `0x${MINUTES}`],
    // One failure in a while is somebody's retry.
    [of('tollbook_requests_total', 'instance="web-1",method="GET",status="503",cached="no"'), '0+1x1440'],
    [of('tollbook_requests_total', 'instance="web-1",method="GET",status="200",cached="no"'), '0+600x1440'],
  ])
}
