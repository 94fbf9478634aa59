import type { ServerResponse } from 'node:http'
import { afterEach } from 'vitest'
import { sourceOf } from '../source.ts'
import { bazaarV2Item } from '../sources/testing/bazaar.ts'
import { sweep } from '../sweep/sweep.ts'
import type { SweepLimits } from '../sweep/sweep-limits.ts'
import { type Answer, type Loopback, sendJson, serve } from './loopback.ts'
import { MemoryStore } from './memory-store.ts'
import { sweepingWith } from './sweeping.ts'

const [accept] = bazaarV2Item.accepts
export const item = (number: number) => ({
  ...bazaarV2Item,
  resource: `https://api-${number}.example/v1/x`,
  accepts: [accept],
})
export const items = (count: number) => Array.from({ length: count }, (_, index) => item(index))

/** A source on loopback, a store in memory, and sweeps of the one into the other. */
export interface PagedWorld {
  readonly server: Loopback
  readonly store: MemoryStore
  readonly surroundings: ReturnType<typeof sweepingWith>
  sweep(limits?: Partial<SweepLimits>, signal?: AbortSignal): ReturnType<typeof sweep>
}

export type OpenWorld = (answer: Answer, kind?: 'bazaar' | 'mpp-directory') => Promise<PagedWorld>

/** Worlds of a test file, each closed after its test. */
export function pagedWorlds(): OpenWorld {
  const servers: Loopback[] = []
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })
  return async (answer, kind = 'bazaar') => {
    const server = await serve(answer)
    servers.push(server)
    const store = new MemoryStore()
    const surroundings = sweepingWith(store, server.fetch)
    const source = sourceOf({ name: 'test', kind, address: server.url })
    return {
      server,
      store,
      surroundings,
      sweep: (limits = {}, signal) => sweep(source, { ...surroundings, limits, ...(signal && { signal }) }),
    }
  }
}

export const offsetOf = (url: URL): number => Number(url.searchParams.get('offset'))

/** A page of a list, as a facilitator sends it. */
export function sendPage(response: ServerResponse, url: URL, all: readonly unknown[], total = all.length): void {
  const offset = offsetOf(url)
  sendJson(response, {
    x402Version: 2,
    items: all.slice(offset, offset + 100),
    pagination: { limit: 100, offset, total },
  })
}

export const offsetsAsked = ({ server }: PagedWorld): number[] =>
  server.asked.map((asked) => offsetOf(new URL(`http://${asked}`)))
