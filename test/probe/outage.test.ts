import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { createProber } from '../../src/probe/prober.ts'
import { DEFAULT_PROBER } from '../../src/probe/settings.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore } from '../../src/store/open.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { temporaryFolder } from '../support/engines.ts'
import { type ThrowAwayPostgres, throwAwayPostgres } from '../support/postgres.ts'
import { aListing } from '../support/samples.ts'
import { openRelay, type TcpRelay } from '../support/tcp-relay.ts'
import { payment, startSellers, withoutRobots } from './sellers.ts'

const HOSTS = 60
const ROUTES = 10

function forgotten(_: unknown, relay: TcpRelay): void {
  relay.forget()
  relay.speak()
}

describe.skipIf(inject('databaseUrl') === null)('a prober whose database goes away', () => {
  it.each([
    [
      ...(['is killed', 20_000] as const),
      (postgres: ThrowAwayPostgres) => postgres.kill(),
      (postgres: ThrowAwayPostgres) => postgres.start(),
    ],
    [
      // It is given up after 20 s.
      ...(['falls silent and knows nothing of us afterwards', 60_000] as const),
      (_: unknown, relay: TcpRelay) => relay.fallSilent(),
      forgotten,
    ],
  ])(
    'waits with what it saw, and saves it once, where it %s',
    async (_, noticedMs, leave, comeBack) => {
      const postgres = await throwAwayPostgres()
      const relay = await openRelay(Number(new URL(postgres.url).port))
      const through = new URL(postgres.url)
      through.port = String(relay.port)
      const store = await openStore({
        dataDir: temporaryFolder(),
        databaseUrl: through.href,
        onTrouble: () => undefined,
      })
      const listings = Array.from({ length: HOSTS * ROUTES }, (_, n) =>
        aListing({ host: `h${n % HOSTS}.example`, path: `/${Math.floor(n / HOSTS)}`, scheme: 'http' }),
      )
      await saveListings(store, { listings })
      const sellers = await startSellers(withoutRobots((_, response) => void setTimeout(() => payment(response), 30)))
      let probed = 0
      const said: string[] = []
      const log = {
        info: (_: object, text: string) => said.push(text),
        warn: (_: object, text: string) => said.push(text),
        error: (_: object, text: string) => said.push(`error: ${text}`),
      }
      const prober = createProber(
        {
          store,
          egress: sellers.egress,
          nowUs: () => Date.now() * 1000,
          log,
          name: 'one',
          onProbe: () => void probed++,
        },
        { ...DEFAULT_PROBER, manners: { gapMs: 0, optOut: [] }, concurrency: 20 },
      )
      const stop = new AbortController()
      const running = prober.run(stop.signal)
      await expect.poll(() => probed, { timeout: 20_000, interval: 5 }).toBeGreaterThan(100)
      await leave(postgres, relay)
      await expect.poll(() => prober.status(), { timeout: noticedMs }).toMatchObject({ state: 'store', visiting: 0 })
      const before = probed
      const { waiting } = prober.status()
      expect(waiting).toBeGreaterThan(0)
      await comeBack(postgres, relay)
      // A claim whose answer was lost with the database comes back when its lease ends, after a minute.
      await expect.poll(() => probed, { timeout: 120_000 }).toBe(HOSTS * ROUTES)
      await expect.poll(() => prober.status(), { timeout: 20_000 }).toMatchObject({ state: 'working', waiting: 0 })
      stop.abort()
      await running
      expect(before).toBeLessThan(HOSTS * ROUTES)
      const found = await sql<{ n: number }>`select count(*) as n from probes group by host_id, route_id`.execute(
        store.read,
      )
      expect(found.rows).toHaveLength(HOSTS * ROUTES)
      expect(found.rows.filter(({ n }) => n !== 1)).toEqual([])
      expect(said.filter((text) => text.startsWith('error'))).toEqual([])
      expect(said.join('\n')).toMatch(/does not.*\n[\s\S]*again/)
      const differences: unknown[] = []
      await verifyStore(store, (difference) => differences.push(difference))
      expect(differences).toEqual([])
      await store.close()
      await sellers.close()
      await relay.stop()
      await postgres.stop()
    },
    240_000,
  )
})
