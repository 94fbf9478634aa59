import { afterEach, expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { NOON_US } from '../../../test/support/samples.ts'
import type { Store } from '../../store/store.ts'
import { exportRecords } from '../../store/transfer/export.ts'
import { evidenceOf } from '../../store/transfer/import.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../../store/transfer/verify.ts'
import { recordSchema } from '../../wire/records.ts'
import { type Ingesting, sweepOnce } from '../ingester.ts'
import type { SourceConfig } from '../source.ts'
import { USDC_ON_BASE, WALLET } from '../sources/testing/accounts.ts'
import { type Loopback, sendJson, serve } from '../testing/loopback.ts'
import { callsWith } from '../testing/manners.ts'
import { randomOf } from '../testing/moving-list.ts'

const HOST = 'twice.seller.example'
const BAZAAR: SourceConfig = { name: 'bazaar', kind: 'bazaar', address: 'http://facilitator.example' }
const PAGE = 100

const item = (resource: string, amount: string) => ({
  resource,
  type: 'http',
  accepts: [{ scheme: 'exact', network: 'base', amount, asset: USDC_ON_BASE, payTo: WALLET }],
})
const other = (n: number) => item(`https://h${n % 5}.seller.example/r/${n}`, '10000')
const twice = (amount: string) => item(`https://${HOST}/r`, amount)

onEachEngine('a route that one list names at two prices, on pages far apart', (engine) => {
  const servers: Loopback[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  const routeOf = async (store: Store) =>
    (await directoryOf(store).hostView(HOST, { limit: 5, cursor: null }))?.routes[0]

  it('has the lower one and keeps it while pages come in any order, and says both', async () => {
    let items: unknown[] = []
    const server = await serve((url, response) => {
      const offset = Number(url.searchParams.get('offset'))
      sendJson(response, { items: items.slice(offset, offset + PAGE), pagination: { total: items.length } })
    })
    servers.push(server)
    const store = await engine.open()
    const prices = new Set<number | null | undefined>()
    let now = NOON_US
    const ingesting: Ingesting = {
      ...{ store, openLines: async function* () {}, allow: [], by: 'this', calls: callsWith() },
      ...{ intervals: { usualMs: 3_600_000, ofSource: new Map() }, sleep: async () => undefined, random: () => 0.5 },
      // Every page is durable before the next one is asked for, so that what stands in between shows.
      limits: { saveRows: 1 },
      fetch: async (asked) => {
        prices.add((await routeOf(store))?.price)
        return server.fetch(asked)
      },
      now: () => now++,
    }
    const list = Array.from({ length: 250 }, (_, n) => other(n))
    const random = randomOf(402)
    for (let sweep = 0; sweep < 6; sweep += 1) {
      const [dear, cheap] = [Math.floor(random() * 90), 160 + Math.floor(random() * 90)]
      const [first, second] = sweep % 2 === 0 ? [twice('250000'), twice('10000')] : [twice('10000'), twice('250000')]
      items = [...list.slice(0, dear), first, ...list.slice(dear, cheap), second, ...list.slice(cheap)]
      expect(await sweepOnce(ingesting, BAZAAR)).toMatchObject({ status: 'complete', seen: 252 })
      expect(await routeOf(store)).toMatchObject({ price: 10_000, spread: { low: 10_000, high: 250_000 } })
      if (sweep === 0) prices.clear()
      now += 3_600_000_000
    }
    expect([...prices]).toEqual([10_000])

    const told = await store.read.selectFrom('events').select('kind').where('kind', '=', 'price_changed').execute()
    expect(told.length).toBeLessThanOrEqual(1)
    const differences: Difference[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])

    const moved = await engine.open()
    const schema = recordSchema([])
    await exportRecords(store, async (records) => {
      const read = records.map((record) => schema.parse(JSON.parse(JSON.stringify(record))))
      await saveEvidence(moved, evidenceOf(read))
    })
    expect(await routeOf(moved)).toEqual(await routeOf(store))

    // When the list has one of them only, that is the price as soon as the sweep is complete.
    items = [...list, twice('250000')]
    await sweepOnce(ingesting, BAZAAR)
    expect(await routeOf(store)).toMatchObject({ price: 250_000, spread: null })
  })
})
