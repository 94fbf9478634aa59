import { afterEach, expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { NOON_US } from '../../../test/support/samples.ts'
import { sweepOnce } from '../ingester.ts'
import type { SourceConfig } from '../source.ts'
import { ingestingWith } from '../testing/ingesting.ts'
import { type Loopback, sendJson, serve } from '../testing/loopback.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const BAZAAR: SourceConfig = { name: 'bazaar', kind: 'bazaar', address: 'http://facilitator.example' }

const item = (n: number) => ({
  resource: `https://h${n}.seller.example/r`,
  type: 'http',
  x402Version: 2,
  lastUpdated: '2026-11-14T00:00:00Z',
  accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: USDC, payTo: `0x${'1'.repeat(40)}` }],
})

onEachEngine('routes that a source stops naming', (engine) => {
  const servers: Loopback[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  it('are announced by complete sweeps only', async () => {
    const items = Array.from({ length: 20 }, (_, n) => item(n))
    let isBroken = false
    const server = await serve((url, response) => {
      const offset = Number(url.searchParams.get('offset'))
      const limit = Number(url.searchParams.get('limit'))
      if (isBroken && offset === 0) response.destroy()
      else {
        const pagination = { limit, offset, total: items.length }
        sendJson(response, { x402Version: 2, items: items.slice(offset, offset + limit), pagination })
      }
    })
    servers.push(server)
    const store = await engine.open()
    const ingesting = ingestingWith(store, server.fetch, NOON_US)
    const gone = async () => {
      const page = await directoryOf(store).announcements({ host: null, limit: 50, cursor: null })
      return page?.items.filter(({ kind }) => kind === 'route_unlisted').map(({ host }) => host)
    }
    await sweepOnce(ingesting, BAZAAR)
    items.splice(3, 1)
    isBroken = true
    expect(await sweepOnce(ingesting, BAZAAR)).not.toMatchObject({ status: 'complete' })
    expect(await gone()).toEqual([])
    isBroken = false
    expect(await sweepOnce(ingesting, BAZAAR)).toMatchObject({ status: 'complete' })
    expect(await gone()).toEqual(['h3.seller.example'])
    items.splice(1)
    expect(await sweepOnce(ingesting, BAZAAR)).toMatchObject({ status: 'collapsed' })
    expect(await gone()).toEqual(['h3.seller.example'])
  })
})
