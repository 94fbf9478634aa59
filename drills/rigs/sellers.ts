import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import { importFile } from '../../src/store/transfer/import.ts'
import { always402, connectTo, type Sellers, startSellers } from '../../test/probe/sellers.ts'

/** Sellers on loopback and a file that lists them, which sweeps read again and again. */
export interface Market {
  readonly sellers: Sellers
  readonly hosts: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Has them in a store before anybody sweeps: what is known at a start is probed from then on. */
  importInto(store: StoreOptions): Promise<void>
  /** Lists one route more of a few hosts. */
  grow(): void
  close(): Promise<void>
}

/** Many: a killed prober's hosts rest for a minute, and the others must not run out. A drill of a round needs few. */
export const SELLERS = { full: 600, small: 100 } as const

const named = (n: number): string => `h${n}.drill.example`
export const HOST = named(0)
export const ROUTE = { url: `http://${HOST}/0`, method: 'GET', rail: 'x402' } as const

const GROWING = 10

const listing = (host: string, path: number): string =>
  JSON.stringify({
    ...{ kind: 'listing', source: 'market', method: 'GET', url: `http://${host}/${path}`, rail: 'x402' },
    ...{ price: '0.010000', network: 'base', label: 'directory-observed' },
    first_observed: '2026-11-01T00:00:00.000000Z',
    last_observed: '2026-11-14T00:00:00.000000Z',
  })

export async function openMarket(folder: string, sellerHosts: number = SELLERS.full): Promise<Market> {
  const all = Array.from({ length: sellerHosts }, (_, n) => named(n))
  const sellers = await startSellers(always402)
  const file = join(folder, 'market.ndjson')
  let paths = 0
  const list = (hosts: readonly string[]): void => {
    appendFileSync(file, hosts.map((host) => `${listing(host, paths)}\n`).join(''))
    paths += 1
  }
  list(all)
  return {
    ...{ sellers, hosts: all },
    importInto: async (options) => {
      const store = await openStore(options)
      await importFile(store, file, [])
      await store.close()
    },
    env: {
      ...{ SOURCES: `market=file:${file}`, SWEEP_INTERVAL: '1s', CONNECT_TO: connectTo(sellers.port) },
      ...{ PROBE_INTERVAL: '5s', PROBE_GAP: '0ms' },
    },
    grow: () => list(all.slice(0, GROWING)),
    close: () => sellers.close(),
  }
}
