import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { someone } from '../../../test/support/reviewing.ts'
import { aProbe } from '../../../test/support/samples.ts'
import { openSelling } from '../../../test/support/selling.ts'
import { Sequencer } from '../../log/sequencer.ts'
import type { ProberStatus } from '../../probe/prober.ts'
import { knownSource, leaseSource, releaseSource, saveSweep } from '../../store/facts/sweeps.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import type { Store } from '../../store/store.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { serveWatching, type WatchServer } from './watch-server.ts'

const NOW_US = 1_800_000_000_000_000
const SECOND_US = 1_000_000
const HOUR_MS = 3_600_000

onEachEngine('metrics', (engine) => {
  let store: Store
  let metrics: Metrics
  let server: WatchServer
  let prober: ProberStatus | undefined
  let isAway = false
  let isSilent = false
  let nowUs = NOW_US

  beforeEach(async () => {
    const real = await engine.open()
    // The real store, which a test takes away without taking the server of all tests away.
    const away = async (): Promise<never> => Promise.reject(new Error('connect ECONNREFUSED'))
    store = { ...real, ping: () => (isAway ? away() : real.ping()) }
    prober = { state: 'working', visiting: 3, waiting: 7 }
    isAway = false
    isSilent = false
    nowUs = NOW_US
  })

  const open = async (roles = ['web', 'ingest', 'probe']): Promise<void> => {
    metrics = createMetrics({
      ...{ store, roles, version: '1.2.3', prober: () => prober, cacheBytes: () => 4096, nowUs: () => nowUs },
      sources: [{ name: 'bazaar', intervalMs: HOUR_MS }],
    })
    const condition = () => (prober === undefined ? {} : { probing: prober })
    const ping = (): Promise<void> => (isSilent ? new Promise(() => undefined) : store.ping())
    server = await serveWatching({ metrics, ping, condition }, 0, '127.0.0.1')
  }

  afterEach(() => server.close())

  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${server.port}${path}`)
  const scrape = async (): Promise<string[]> => {
    const answer = await get('/metrics')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    return (await answer.text()).split('\n')
  }
  /** With what is counted in the store, for which a scrape waits no longer than a second. */
  const counted = async (): Promise<string[]> => {
    let lines: string[] = []
    const again = async (): Promise<string[]> => {
      lines = await scrape()
      return lines
    }
    await expect.poll(again).toContain('tollbook_store_up 1')
    return lines
  }

  it('count answers by method and status, cached ones apart, and never by a word of the client', async () => {
    await open()
    metrics.answered('GET', 200, null)
    metrics.answered('GET', 200, null)
    metrics.answered('BREW', 405, 3)
    const lines = await scrape()
    expect(lines).toContain('tollbook_requests_total{method="GET",status="200",cached="yes"} 2')
    expect(lines).toContain('tollbook_requests_total{method="other",status="405",cached="no"} 1')
    expect(lines).toContain('tollbook_request_seconds_count 1')
  })

  it('count probes by class and error, sweeps by source, and calls by how they ended', async () => {
    await open()
    const seen = { payees: [], offers: [], endUs: 0, isConnected: true, headers: [] }
    metrics.probed({ ...seen, entry: aProbe({ httpStatus: 402, error: null }) })
    metrics.probed({ ...seen, entry: aProbe({ httpStatus: null, error: 'dns_error' }) })
    const refused = { bad_item: 1, no_route: 1 }
    metrics.swept({ source: 'bazaar', status: 'complete', seen: 12, stored: 10, refused })
    metrics.called('facilitator', 'http_5xx')
    const lines = await scrape()
    expect(lines).toContain('tollbook_probes_total{result="402-correct",error="none"} 1')
    expect(lines).toContain('tollbook_probes_total{result="unreachable",error="dns_error"} 1')
    expect(lines).toContain('tollbook_sweep_items_total{source="bazaar",what="stored"} 10')
    expect(lines).toContain('tollbook_sweep_items_total{source="bazaar",what="refused"} 2')
    expect(lines).toContain('tollbook_payment_calls_total{to="facilitator",outcome="http_5xx"} 1')
  })

  it('count who speaks for hosts, what they said, and what became of what they sent', async () => {
    const { challenge, claim, say } = await openSelling(store)
    const account = someone()
    await challenge([account.address], 3)
    await claim(account)
    await say(account)
    await open()
    metrics.sold('statement', 'refused')
    const lines = await counted()
    expect(lines).toContain('tollbook_claims{state="holding"} 1')
    expect(lines).toContain('tollbook_claims{state="ended"} 0')
    expect(lines).toContain('tollbook_statements{kind="contact"} 1')
    expect(lines).toContain('tollbook_statements{kind="retire"} 0')
    expect(lines).toContain('tollbook_seller_writes_total{what="statement",outcome="refused"} 1')
  })

  it('begin at 0, so that the first failure is seen', async () => {
    await open()
    const lines = await scrape()
    for (const line of [
      'tollbook_requests_total{method="GET",status="503",cached="no"} 0',
      'tollbook_requests_total{method="POST",status="500",cached="no"} 0',
      'tollbook_probes_total{result="unreachable",error="none"} 0',
      'tollbook_sweeps_total{source="bazaar",status="failed"} 0',
      'tollbook_payment_calls_total{to="node",outcome="deadline"} 0',
    ])
      expect(lines).toContain(line)
  })

  it('show the program, the prober, the cache, the engine and the process', async () => {
    await open()
    const lines = await scrape()
    // Alerts about a server's connections mean a cluster too.
    const spoken = engine.name === 'sqlite' ? 'sqlite' : 'postgres'
    const build = `version="1.2.3",node="${process.versions.node}",engine="${spoken}",roles="web,ingest,probe"`
    expect(lines).toContain(`tollbook_build_info{${build}} 1`)
    expect(lines).toContain('tollbook_prober{what="waiting"} 7')
    expect(lines).toContain('tollbook_prober_up 1')
    expect(lines).toContain('tollbook_cache_bytes 4096')
    expect(lines).toContain('tollbook_store_load{what="waiting"} 0')
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true)
    expect(lines.some((line) => line.startsWith('tollbook_disk_free_bytes '))).toBe(engine.name === 'sqlite')
  })

  it('say whether the log is published, of whoever makes it grow', async () => {
    let unpublished: string | null | undefined
    await open()
    const said = async () => (await scrape()).find((line) => line.startsWith('tollbook_log_up'))
    expect(await said()).toBeUndefined()
    await server.close()
    const watched = { store, roles: ['log'], version: '1', prober: () => undefined, cacheBytes: () => 0, sources: [] }
    metrics = createMetrics({ ...watched, nowUs: () => nowUs, unpublished: () => unpublished })
    server = await serveWatching({ metrics, ping: () => store.ping(), condition: () => ({}) }, 0, '127.0.0.1')
    expect(await said()).toBeUndefined()
    unpublished = null
    expect(await said()).toBe('tollbook_log_up 1')
    unpublished = 'log.checkpoint cannot be written (ENOSPC)'
    expect(await said()).toBe('tollbook_log_up 0')
  })

  it('say nothing of roles that the process does not have', async () => {
    prober = undefined
    await open(['web'])
    const lines = await scrape()
    expect(lines.filter((line) => /^tollbook_(prober|probes|sweeps|sweep_items)/.test(line))).toEqual([])
  })

  it('say when sources are due, from the store: the process that sweeps them may be gone', async () => {
    await open(['web'])
    expect(await counted()).toContain('tollbook_sweep_overdue_seconds{source="bazaar"} 0')
    await store.write((writer) => knownSource(writer, 'bazaar'))
    const sweep = {
      ...{ resumed: 0, seen: 1, stored: 1, pages: 1, bytes: 1, refused: '{}', answers: '{}' },
      error: null,
    }
    const [started_us, ended_us] = [NOW_US - 7200 * SECOND_US, NOW_US - 7100 * SECOND_US]
    await store.write((writer) =>
      saveSweep(writer, { ...sweep, source: 'bazaar', status: 'complete', announced: null, started_us, ended_us }),
    )
    await leaseSource(store, 'bazaar', 'me', NOW_US, NOW_US + SECOND_US)
    await releaseSource(store, 'bazaar', 'me', NOW_US - 600 * SECOND_US)
    await server.close()
    await open(['web'])
    const lines = await counted()
    expect(lines).toContain('tollbook_sweep_overdue_seconds{source="bazaar"} 600')
    expect(lines).toContain('tollbook_sweep_interval_seconds{source="bazaar"} 3600')
    expect(lines).toContain(`tollbook_last_complete_sweep_timestamp_seconds{source="bazaar"} ${ended_us / SECOND_US}`)
    await leaseSource(store, 'bazaar', 'me', NOW_US, NOW_US + 15 * SECOND_US)
    await server.close()
    await open(['web'])
    expect(await counted()).toContain('tollbook_sweep_overdue_seconds{source="bazaar"} 0')
  })

  it('answer while the store is away, with the figures read before and their age', async () => {
    await open()
    const before = await counted()
    expect(before).toContain('tollbook_oldest_pending_payment_seconds 0')
    expect((await get('/readyz')).status).toBe(200)
    isAway = true
    await server.close()
    await open()
    const never = await scrape()
    expect(never).toContain('tollbook_store_up 0')
    expect(never.filter((line) => /^tollbook_(counts_age|oldest)/.test(line))).toEqual([])
    isAway = false
    expect((await counted()).some((line) => /^tollbook_counts_age_seconds \d/.test(line))).toBe(true)
  })

  describe('beside them, for every role', () => {
    it('health says that the process lives, and whether the store answers, with the prober', async () => {
      await open(['probe'])
      expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
      expect(await (await get('/readyz')).json()).toEqual({ status: 'ready', probing: prober })
      isAway = true
      const away = await get('/readyz')
      expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await away.json()).toMatchObject({ status: 'not ready', reason: 'connect ECONNREFUSED' })
      expect((await get('/healthz')).status).toBe(200)
      isSilent = true
      const silent = await (await get('/readyz')).json()
      expect(silent).toMatchObject({ status: 'not ready', reason: 'the store gives no answer within 3 s' })
    })

    it('nothing else is there', async () => {
      await open()
      expect((await get('/')).status).toBe(404)
    })
  })

  it('count entries of the evidence log, those that wait, and hosts whose history does', async () => {
    await saveProbes(store, { probes: [aProbe(), aProbe({ host: 'other.seller.example' })] })
    const options = { store, by: 'test', nowUs: () => NOW_US, mayGrow: async () => true, onTrouble: () => undefined }
    await new Sequencer(options).step()
    await saveProbes(store, { probes: [aProbe({ latencyMs: 7 })] })
    await store.write((writer) => sql`insert into log_history (host_id) select host_id from hosts`.execute(writer))
    await open()
    const lines = await counted()
    for (const line of ['tollbook_log_entries 2', 'tollbook_log_pending 1', 'tollbook_log_history_hosts 2'])
      expect(lines).toContain(line)
  })
})
