import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/engines.ts'
import { aProbe } from '../../test/support/samples.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { createMetrics, type Metrics, type MetricsServer, serveMetrics } from './metrics.ts'

describe('metrics', () => {
  let store: Store
  let metrics: Metrics
  let server: MetricsServer

  beforeEach(async () => {
    store = await openStore({ dataDir: temporaryFolder(), databaseUrl: undefined })
    metrics = createMetrics({
      store,
      prober: () => ({ state: 'working', visiting: 3, waiting: 7 }),
      cacheBytes: () => 4096,
    })
    server = await serveMetrics(metrics, 0, '127.0.0.1')
  })

  afterEach(async () => {
    await server.close()
    await store.close()
  })

  const scrape = async (): Promise<string[]> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    return (await answer.text()).split('\n')
  }

  it('count answers by method and status, cached ones apart, and never by a word of the client', async () => {
    metrics.answered('GET', 200, null)
    metrics.answered('GET', 200, null)
    metrics.answered('BREW', 405, 3)
    const lines = await scrape()
    expect(lines).toContain('tollbook_requests_total{method="GET",status="200",cached="yes"} 2')
    expect(lines).toContain('tollbook_requests_total{method="other",status="405",cached="no"} 1')
    expect(lines).toContain('tollbook_request_seconds_count 1')
  })

  it('count probes by class and error, and sweeps by source', async () => {
    const seen = { payees: [], endUs: 0, isConnected: true, headers: [] }
    metrics.probed({ ...seen, entry: aProbe({ httpStatus: 402, error: null }) })
    metrics.probed({ ...seen, entry: aProbe({ httpStatus: null, error: 'dns_error' }) })
    metrics.swept({ source: 'bazaar', status: 'complete', seen: 12, stored: 10, endedUs: 5_000_000 })
    const lines = await scrape()
    expect(lines).toContain('tollbook_probes_total{result="402-correct",error="none"} 1')
    expect(lines).toContain('tollbook_probes_total{result="unreachable",error="dns_error"} 1')
    expect(lines).toContain('tollbook_sweep_items_total{source="bazaar",what="stored"} 10')
    expect(lines).toContain('tollbook_last_complete_sweep_timestamp_seconds{source="bazaar"} 5')
  })

  it('show the prober, the cache, the engine and the process', async () => {
    const lines = await scrape()
    expect(lines).toContain('tollbook_prober{what="waiting"} 7')
    expect(lines).toContain('tollbook_prober_up 1')
    expect(lines).toContain('tollbook_cache_bytes 4096')
    expect(lines).toContain('tollbook_store_load{what="waiting"} 0')
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true)
  })

  it('are all there is on their port', async () => {
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404)
  })
})
