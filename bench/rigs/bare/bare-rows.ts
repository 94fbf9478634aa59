import { hostKey, key53, routeKey } from '../../../src/domain/keys.ts'
import { networkKey } from '../../../src/domain/network.ts'
import type { ListingInput } from '../../../src/store/facts/listings.ts'
import type { RouteRef } from '../../../src/store/hosts/route-ref.ts'
import { NO_STATUS } from '../../../src/store/probes/no-status.ts'
import type { ProbeInput } from '../../../src/store/probes/probes.ts'
import type { Row } from '../../../src/store/sql/dialect.ts'

// Evidence as the rows of its own two tables, in key order like the store's own inserts: what a bare insert writes.

export const LISTING_COLUMNS = {
  host_id: 'bigint',
  route_id: 'bigint',
  source: 'text',
  price: 'bigint',
  network: 'text',
  network_key: 'text',
  first_us: 'bigint',
  last_us: 'bigint',
} as const

export const PROBE_COLUMNS = {
  host_id: 'bigint',
  route_id: 'bigint',
  at_us: 'bigint',
  status: 'integer',
  latency_ms: 'integer',
  error: 'text',
  challenge_id: 'bigint',
  dns_ms: 'integer',
  connect_ms: 'integer',
  tls_ms: 'integer',
  first_byte_ms: 'integer',
  remote_address: 'text',
} as const

/** What one transaction inserts. */
export interface BareBatch {
  readonly listings: readonly Row[]
  readonly probes: readonly Row[]
}

export const bareBatch = (listings: readonly ListingInput[], probes: readonly ProbeInput[]): BareBatch => ({
  listings: inKeyOrder(listings.map(listingRow)),
  probes: inKeyOrder(probes.map(probeRow)),
})

const keyOf = (ref: RouteRef): [number, number] => [hostKey(ref.host), routeKey(ref)]

const listingRow = (input: ListingInput): Row => [
  ...keyOf(input),
  input.source,
  input.price,
  input.network,
  networkKey(input.network ?? ''),
  input.firstUs,
  input.lastUs,
]

const probeRow = (input: ProbeInput): Row => [
  ...keyOf(input),
  input.atUs,
  input.httpStatus ?? NO_STATUS,
  input.latencyMs,
  input.error,
  input.challenge && key53(JSON.stringify(input.challenge)),
  input.timings?.dnsMs ?? null,
  input.timings?.connectMs ?? null,
  input.timings?.tlsMs ?? null,
  input.timings?.firstByteMs ?? null,
  input.remoteAddress,
]

/** By host and route; rows of one route stay in their order, which is that of time. */
const inKeyOrder = (rows: Row[]): Row[] =>
  rows.sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]))
