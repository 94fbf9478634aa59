import { afterEach, expect, it } from 'vitest'
import { createProber, type Prober } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER } from '../../src/probe/settings.ts'
import { hostJson } from '../../src/render/json/host.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import type { Store } from '../../src/store/store.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { directoryOf } from '../support/directory.ts'
import { onEachEngine } from '../support/engines.ts'
import { aListing } from '../support/samples.ts'
import { type Answer, always402, type Sellers, startSellers, withoutRobots } from './sellers.ts'

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
const nowUs = (): number => Date.now() * 1000
const HOST = 'api.example'
const PATHS = Array.from({ length: 12 }, (_, n) => `/${n}`)

const walled: Answer = withoutRobots((_, response) => {
  response.writeHead(403, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' })
  response.end('<!DOCTYPE html><title>Just a moment...</title>')
})

const opened: Sellers[] = []
const sellersThat = async (answer: Answer): Promise<Sellers> => {
  const sellers = await startSellers(answer)
  opened.push(sellers)
  return sellers
}
afterEach(async () => {
  for (const sellers of opened.splice(0)) await sellers.close()
})

let names = 0
const proberAt = (store: Store, { egress }: Sellers, vantage: string): Prober =>
  createProber(
    { store, egress, nowUs, log: SILENT, name: `vantage-test-${names++}` },
    { ...DEFAULT_PROBER, vantage, manners: { gapMs: 0, optOut: [] }, routesPerTurn: 3 },
  )

const never = new AbortController().signal
async function round(prober: Prober): Promise<void> {
  await prober.enrolAll(never)
  await prober.round({ cutoffUs: nowUs(), hostIds: null }, never)
}

async function isClean(store: Store): Promise<boolean> {
  return (await verifyStore(store, () => undefined)).differences === 0
}

onEachEngine('probers in several places', (engine) => {
  it('each look at every route, those of one place once together, and call a host one after another', async () => {
    const store = await engine.open()
    const sellers = await sellersThat(always402)
    for (const host of ['a.example', 'b.example'])
      await saveListings(store, { listings: PATHS.map((path) => aListing({ host, path, scheme: 'http' })) })
    await Promise.all(['eu-1', 'eu-1', 'us-1'].map((name) => round(proberAt(store, sellers, name))))
    const probes = sellers.seen.filter(({ path }) => path !== '/robots.txt')
    expect(probes).toHaveLength(2 * 2 * PATHS.length)
    expect(Math.max(...sellers.seen.map(({ underWay }) => underWay))).toBe(0)
    const entries = await store.read.selectFrom('probes').select('vantage_id').execute()
    expect(new Set(entries.map(({ vantage_id }) => vantage_id))).toEqual(new Set([1, 2]))
    expect(await isClean(store)).toBe(true)
  })

  it('tell a route that turns one of them away from one that is down', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing({ host: HOST, path: '/x', scheme: 'http' })] })
    await round(proberAt(store, await sellersThat(always402), 'eu-1'))
    await round(proberAt(store, await sellersThat(walled), 'ap-1'))
    const view = await directoryOf(store, [], nowUs).hostView(HOST, { limit: 5, cursor: null, q: null, method: null })
    if (view === undefined) throw new Error('the host is listed')
    const { now, probe_history, routes } = hostJson({ baseUrl: 'https://directory.example' }, view, { cards: false })
    expect(probe_history.summary).toBe('0 answers · 1 402-correct · 1 failed · 0 unreachable')
    expect(now?.result).toBe('402-correct')
    expect(now?.blocked).toBeUndefined()
    expect(routes[0]?.now?.vantages?.line).toMatch(
      /^requested payment from eu-1; refused from ap-1 since \d{4}-\d\d-\d\d \d\d:\d\d \(HTTP 403, Cloudflare\)$/,
    )
    expect(routes[0]?.probes.map(({ result, vantage, shield }) => [result, vantage, shield])).toEqual([
      ['failed', 'ap-1', 'cloudflare'],
      ['402-correct', 'eu-1', undefined],
    ])
    expect(await isClean(store)).toBe(true)
  })
})
