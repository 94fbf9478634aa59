import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { dropDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { aChallenge, aListing, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { dayOf } from '../../domain/time/day.ts'
import { saveListings } from '../facts/save-listings.ts'
import { openStore } from '../open.ts'
import { saveProbes } from '../probes/save-probes.ts'
import type { Reader } from '../schema.ts'
import type { Store } from '../store.ts'
import { readHost } from './read-host.ts'
import type { RouteWindow } from './read-routes.ts'

const SMALL = 'small.example'
const LARGE = 'large.example'
const TINY = 'tiny.example'
/** Most hosts have few routes: a plan for all of them expects few. */
const NEIGHBOURS = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`neighbour-${n}.example`, 5]))
const ROUTES = { ...NEIGHBOURS, [SMALL]: 60, [LARGE]: 1000, [TINY]: 1 }

/** Of each route. */
const ENTRIES: Readonly<Record<string, number>> = { [SMALL]: 10, [LARGE]: 1, [TINY]: 1 }

const SHOWN: RouteWindow = { after: null, limit: 51 }
const WINDOWS: Readonly<Record<string, RouteWindow>> = {
  'the first routes': SHOWN,
  'one route': { after: null, limit: 2 },
  'the next routes': { ...SHOWN, after: ['/00002', 'GET', 'x402', 'https'] },
  'routes of a method': { ...SHOWN, method: 'GET' },
}

async function fill(store: Store): Promise<void> {
  const listings = Object.entries(ROUTES).flatMap(([host, routes]) =>
    Array.from({ length: routes }, (_, n) => aListing({ host, path: `/${String(n).padStart(5, '0')}` })),
  )
  await saveListings(store, { listings })
  // No two of a host took the same time.
  const probes = listings.flatMap(({ host, path }, n) =>
    Array.from({ length: ENTRIES[host] ?? 50 }, (_, entry) => {
      const place = 50 * n + entry
      return aProbe({ host, path, atUs: NOON_US + place, latencyMs: place % 9973, challenge: aChallenge(10_000) })
    }),
  )
  await saveProbes(store, { probes })
  // What a server that has run for a while has done by itself.
  await sql`analyze`.execute(store.read)
}

describe.skipIf(inject('databaseUrl') === null)('a large host on Postgres', () => {
  let databaseUrl = ''
  let store: Store
  const server = inject('databaseUrl') ?? ''
  const read = (reader: Reader, host: string, window: RouteWindow) =>
    readHost({ ...store, read: reader }, host, window, 20, dayOf(NOON_US))

  beforeAll(async () => {
    databaseUrl = await freshDatabase(server, inject('madeStores')?.postgres)
    store = await openStore({ dataDir: '', databaseUrl })
    await fill(store)
  })

  afterAll(async () => {
    await store.close()
    await dropDatabase(server, databaseUrl)
  })

  it.each(['force_generic_plan', 'force_custom_plan'])('is read by as many rows as a small one (%s)', async (mode) => {
    const rowsOf = (host: string, window: RouteWindow): Promise<number> =>
      store.snapshot(async (reader) => {
        await sql.raw(`set local plan_cache_mode = ${mode}`).execute(reader)
        return rowsRead(reader, async () => {
          const found = await read(reader, host, window)
          expect(found?.routes).toHaveLength(window.limit)
        })
      })
    for (const [what, window] of Object.entries(WINDOWS)) {
      const [small, large] = [await rowsOf(SMALL, window), await rowsOf(LARGE, window)]
      expect([what, large - small < 50, small, large]).toEqual([what, true, small, large])
    }
  })

  it('has no host planned by itself: one plan soon serves them all', async () => {
    const plans = await store.snapshot(async (reader) => {
      // Without a name of its own for the first times.
      for (let time = 0; time < 12; time++) await read(reader, TINY, SHOWN)
      return sql<{ own: number; shared: number }>`select custom_plans as own, generic_plans as shared
        from pg_prepared_statements where statement like '%as host,%'`.execute(reader)
    })
    expect(plans.rows).toEqual([{ own: 5, shared: 5 }])
  })
})
