import { afterEach, expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { sweepOnce } from '../../ingest/ingester.ts'
import type { SourceConfig } from '../../ingest/source.ts'
import { openapiDocument } from '../../ingest/sources/testing/openapi.ts'
import { SellerCalls } from '../../ingest/sweep/seller-calls.ts'
import { ingestingWith } from '../../ingest/testing/ingesting.ts'
import { type Answer, type Loopback, sendJson, serve } from '../../ingest/testing/loopback.ts'
import { createEgress, parseConnectTo } from '../../probe/egress.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { findHostId } from '../../store/host-id.ts'
import { storedVantage } from '../../store/probes/vantages.ts'
import { enrol } from '../../store/schedule/enrol.ts'
import type { Store } from '../../store/store.ts'
import { nowUs } from '../clock.ts'
import { loadConfig } from '../config.ts'
import { sellerMannersOf } from './manners.ts'

const OPENAPI: SourceConfig = { name: 'openapi', kind: 'openapi', address: '' }
const HOST = 'own.seller.example'
const HOUR_US = 3_600_000_000

const seller: Answer = (url, response) => {
  if (url.pathname === '/robots.txt')
    response.writeHead(url.host === 'shy.example' ? 200 : 404).end('User-agent: tollbook\nDisallow: /openapi.json\n')
  else if (url.host === 'busy.example') response.writeHead(429, { 'retry-after': '3600' }).end()
  else if (url.pathname === '/openapi.json') sendJson(response, openapiDocument)
  else response.writeHead(404).end()
}

onEachEngine('the prober’s manners, for sellers own documents', (engine) => {
  const servers: Loopback[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  async function world(...hosts: string[]) {
    const server = await serve(seller)
    servers.push(server)
    const store = await engine.open()
    const listing = { scheme: 'http', path: '/a', method: 'GET', rail: 'x402', source: 'list' } as const
    const times = { price: 10_000, network: 'base', firstUs: nowUs(), lastUs: nowUs() }
    await saveListings(store, { listings: hosts.map((host) => ({ ...listing, ...times, host })) })
    const { port } = new URL(server.url)
    const egress = createEgress({ connectTo: parseConnectTo(`:80:127.0.0.1:${port}`), userAgent: 'test' })
    const ingesting = ingestingWith(store, server.fetch, nowUs())
    const under = (env: Record<string, string> = {}) => ({
      ...ingesting,
      calls: new SellerCalls(sellerMannersOf(loadConfig({ PROBE_GAP: '0ms', ...env }), store, egress)),
    })
    return { server, store, under, later: ingesting.later }
  }

  const setTurn = async (store: Store, notBeforeUs: number, robots: string | null): Promise<void> => {
    const hostId = (await findHostId(store.read, HOST)) ?? expect.fail('no host')
    const turn = { host_id: hostId, vantage_id: 0, due_us: null, lease_by: null, routes: 0, methods: 'GET' }
    await store.write(async (writer) => {
      await writer.deleteFrom('host_turns').where('host_id', '=', hostId).execute()
      await writer
        .insertInto('host_turns')
        .values({ ...turn, not_before_us: notBeforeUs, robots })
        .execute()
    })
  }

  it('reads robots.txt before the first document, once, and keeps to it', async () => {
    const { server, under } = await world(HOST, 'shy.example')
    const ingesting = under()
    expect(await sweepOnce(ingesting, OPENAPI)).toMatchObject({
      status: 'complete',
      answers: { document: 1, robots: 1 },
    })
    expect(server.asked.toSorted()).toEqual([`${HOST}/openapi.json`, `${HOST}/robots.txt`, 'shy.example/robots.txt'])
    await sweepOnce(ingesting, { ...OPENAPI, name: 'again' })
    expect(server.asked.slice(3)).toEqual([`${HOST}/openapi.json`])
  })

  it('takes robots.txt as a prober read it, and its pause', async () => {
    const { server, store, under } = await world(HOST)
    const rules = [{ allow: false, pattern: '/' }]
    await setTurn(store, 0, JSON.stringify({ http: { staleUs: nowUs() + HOUR_US, rules } }))
    expect(await sweepOnce(under(), OPENAPI)).toMatchObject({ answers: { robots: 1 } })
    await setTurn(store, nowUs() + HOUR_US, null)
    expect(await sweepOnce(under(), OPENAPI)).toMatchObject({ answers: { paused: 1 } })
    expect(server.asked).toEqual([])
  })

  it('keeps a pause that a document asked for, for probers and other programs', async () => {
    const { server, store, under } = await world(HOST, 'busy.example')
    expect(await sweepOnce(under(), OPENAPI)).toMatchObject({ answers: { document: 1, http_429: 1 } })
    const turns = await store.read.selectFrom('host_turns').select(['not_before_us', 'due_us']).execute()
    expect(turns).toHaveLength(1)
    expect(turns[0]?.not_before_us).toBeGreaterThan(nowUs() + HOUR_US / 2)
    const asked = server.asked.length
    expect(await sweepOnce(under(), { ...OPENAPI, name: 'again' })).toMatchObject({ answers: { paused: 1 } })
    expect(server.asked.slice(asked).filter((address) => address.startsWith('busy.example'))).toEqual([])

    const options = { methods: ['GET'] as const, intervalUs: HOUR_US, nowUs: nowUs() }
    await enrol(store, 0, { ...options, vantage: await storedVantage(store, null) })
    const due = await store.read.selectFrom('host_turns').select('due_us').where('not_before_us', '>', 0).execute()
    expect(due[0]?.due_us).toBeGreaterThan(nowUs() + HOUR_US / 2)
  })

  it('ends no row of a host that is left alone', async () => {
    const { store, under, later } = await world(HOST, 'other.example')
    const rowsOf = async () => {
      const rows = store.read.selectFrom('listings').select('gone_us').where('source', '=', 'openapi')
      return (await rows.execute()).map(({ gone_us }) => gone_us)
    }
    await sweepOnce(under(), OPENAPI)
    const before = await rowsOf()
    expect(before.length).toBeGreaterThan(4)
    later(24 * HOUR_US)
    const swept = await sweepOnce(under({ PROBE_OPT_OUT: HOST }), OPENAPI)
    expect(swept).toMatchObject({ status: 'complete', answers: { document: 1, opted_out: 1 } })
    expect(await rowsOf()).toEqual(before.map(() => null))
    const gone = await store.read.selectFrom('unlisted').selectAll().execute()
    expect(gone).toEqual([])
  })
})
