interface Panel {
  readonly title: string
  /** As Grafana names it. */
  readonly unit: 'short' | 's' | 'bytes' | 'reqps' | 'bool_yes_no'
  readonly show: 'timeseries' | 'stat' | 'table'
  /** Expression to legend. */
  readonly shows: Readonly<Record<string, string>>
}

const panel = (
  title: string,
  unit: Panel['unit'],
  shows: Panel['shows'],
  show: Panel['show'] = 'timeseries',
): Panel => ({
  ...{ title, unit, show, shows },
})

/** Row by row, what an operator looks at from top to bottom. */
export const ROWS: Readonly<Record<string, readonly Panel[]>> = {
  'Is it us?': [
    panel('Processes', 'short', { 'up{job="tollbook"}': '{{instance}}' }, 'stat'),
    panel('Store answers', 'bool_yes_no', { tollbook_store_up: '{{instance}}' }, 'stat'),
    panel(
      'Versions',
      'short',
      { 'count by (version, node, engine, roles) (tollbook_build_info)': '{{version}} {{roles}}' },
      'table',
    ),
    panel('Age of what was read from the store', 's', { tollbook_counts_age_seconds: '{{instance}}' }),
  ],
  Readers: [
    panel('Answers by status', 'reqps', { 'sum by (status) (rate(tollbook_requests_total[5m]))': '{{status}}' }),
    panel('Failures', 'reqps', { 'tollbook:requests_failed:rate5m': 'failed' }),
    panel('Time of answers that were not cached', 's', {
      'histogram_quantile(0.5, sum by (le) (rate(tollbook_request_seconds_bucket[5m])))': 'half of them',
      'histogram_quantile(0.99, sum by (le) (rate(tollbook_request_seconds_bucket[5m])))': '99 of 100',
    }),
    panel('Pages kept ready', 'bytes', { tollbook_cache_bytes: '{{instance}}' }),
    panel('Web workers', 'short', {
      'sum by (instance, what) (tollbook_web_workers)': '{{instance}} {{what}}',
      'increase(tollbook_web_worker_ends_total[1h])': '{{instance}} ended within the hour',
    }),
  ],
  Store: [
    panel('Load', 'short', { 'sum by (instance, what) (tollbook_store_load)': '{{instance}} {{what}}' }),
    panel('Replicas that are read from', 'bool_yes_no', { tollbook_replica_up: '{{instance}} {{replica}}' }, 'stat'),
    panel('Lag of replicas', 's', { 'max by (replica) (tollbook_replica_lag_seconds)': '{{replica}}' }),
    panel('Room on the disk of DATA_DIR', 'bytes', { tollbook_disk_free_bytes: '{{instance}}' }),
  ],
  Probing: [
    panel('Probes by result', 'reqps', { 'sum by (result) (rate(tollbook_probes_total[15m]))': '{{result}}' }),
    panel('Errors of probes', 'reqps', {
      'sum by (error) (rate(tollbook_probes_total{error!="none"}[15m]))': '{{error}}',
    }),
    panel('Probers', 'bool_yes_no', { tollbook_prober_up: '{{instance}}' }, 'stat'),
    panel('Visits and entries that wait', 'short', {
      'sum by (instance, what) (tollbook_prober)': '{{instance}} {{what}}',
    }),
    panel('Oldest overdue probe', 's', { 'max(tollbook_oldest_overdue_probe_seconds)': 'waits' }),
    panel('Crowded addresses', 'short', { 'sum(increase(tollbook_crowded_addresses_total[1d]))': 'a day' }),
  ],
  Sources: [
    panel('Since the last complete sweep', 's', {
      'time() - max by (source) (tollbook_last_complete_sweep_timestamp_seconds)': '{{source}}',
      'max by (source) (tollbook_sweep_interval_seconds)': '{{source}} should be',
    }),
    panel('Overdue', 's', { 'max by (source) (tollbook_sweep_overdue_seconds)': '{{source}}' }),
    panel('Sweeps by how they ended', 'short', {
      'sum by (source, status) (increase(tollbook_sweeps_total[1d]))': '{{source}} {{status}}',
    }),
    panel('Items', 'short', {
      'sum by (source, what) (increase(tollbook_sweep_items_total[1d]))': '{{source}} {{what}}',
    }),
  ],
  Payments: [
    panel('Payments by state', 'short', { 'sum by (state) (tollbook:payments)': '{{state}}' }),
    panel('Payments by rail and network', 'short', {
      'sum by (rail, network) (max by (rail, network, state) (tollbook_payments))': '{{rail}} {{network}}',
    }),
    panel('Oldest undecided payment', 's', { 'max(tollbook_oldest_pending_payment_seconds)': 'undecided' }),
    panel('Calls to facilitator and nodes', 'reqps', {
      'sum by (to, outcome) (rate(tollbook_payment_calls_total[15m]))': '{{to}} {{outcome}}',
    }),
  ],
  'Evidence log': [
    panel('Published', 'bool_yes_no', { tollbook_log_up: '{{instance}}' }, 'stat'),
    panel('Entries', 'short', { 'max(tollbook_log_entries)': 'entries' }),
    panel('Waiting to be logged', 'short', { 'max(tollbook_log_pending)': 'entries' }),
    panel('History still to be logged', 'short', { 'max(tollbook_log_history_hosts)': 'hosts' }),
  ],
  Sellers: [
    panel('Claims', 'short', { 'max by (state) (tollbook_claims)': '{{state}}' }),
    panel('What sellers said', 'short', { 'max by (kind) (tollbook_statements)': '{{kind}}' }),
    panel('Claims and statements sent', 'short', {
      'sum by (what, outcome) (increase(tollbook_seller_writes_total[1d]))': '{{what}} {{outcome}}',
    }),
  ],
}

const COLUMNS = 24
const WIDTH = 6
const HEIGHT = 7

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in.
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }

const panelJson = ({ title, unit, show, shows }: Panel, id: number, x: number, y: number) => ({
  ...{ id, title, type: show, datasource: DATASOURCE, gridPos: { x, y, w: WIDTH, h: HEIGHT } },
  fieldConfig: { defaults: { unit }, overrides: [] },
  targets: Object.entries(shows).map(([expr, legendFormat], at) => ({
    ...{ refId: String.fromCharCode(65 + at), expr, legendFormat, datasource: DATASOURCE },
    ...(show === 'table' && { format: 'table', instant: true }),
  })),
})

/** `deploy/grafana.json`. */
export function dashboardFile(): string {
  const panels: object[] = []
  let y = 0
  for (const [title, row] of Object.entries(ROWS)) {
    panels.push({
      id: panels.length + 1,
      title,
      type: 'row',
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
    })
    y += 1
    row.forEach((one, at) => {
      const column = (at * WIDTH) % COLUMNS
      panels.push(panelJson(one, panels.length + 1, column, y + HEIGHT * Math.floor((at * WIDTH) / COLUMNS)))
    })
    y += HEIGHT * Math.ceil((row.length * WIDTH) / COLUMNS)
  }
  const datasource = { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' }
  const dashboard = {
    ...{ title: 'Tollbook', uid: 'tollbook', tags: ['tollbook'], schemaVersion: 38, version: 1, editable: true },
    ...{ time: { from: 'now-24h', to: 'now' }, refresh: '1m', templating: { list: [datasource] }, panels },
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}
