import type { HostCounters } from '../schema.ts'
import type { JsonColumns } from '../sql/json-rows.ts'

/** All counters of a host, as `jsonRows` takes them. */
export const COUNTER_COLUMNS = {
  ...{ host_id: 'value', version: 'value', routes: 'value', posts: 'value', log_id: 'value' },
  ...{ answers: 'value', correct_402: 'value', failed: 'value', unreachable: 'value' },
  ...{ newest_probe_us: 'value', newest_402_us: 'value', latency_min_ms: 'value', latency_max_ms: 'value' },
  ...{ reviews_verified: 'value', reviews_signed: 'value', reviews_unsigned: 'value', reviews_excluded: 'value' },
  ...{ reviews: 'value', now_answers: 'value', now_402: 'value', now_failed: 'value', now_unreachable: 'value' },
  ...{ routes_verified: 'value', routes_differs: 'value', price_min: 'value' },
  ...{ median_sum_ms: 'value', median_samples: 'value' },
  ...{ served_verified: 'value', served_signed: 'value', served_unsigned: 'value' },
  ...{ not_served_verified: 'value', not_served_signed: 'value', not_served_unsigned: 'value' },
} as const satisfies JsonColumns & Record<keyof HostCounters, 'value'>
