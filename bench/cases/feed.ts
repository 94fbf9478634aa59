import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore } from '../../src/store/open.ts'
import type { Walked } from '../children/feed-memory.ts'
import { child } from '../rigs/child.ts'
import { hostName, listingOf, routeOf } from '../rigs/data.ts'
import { count, megabytes } from '../rigs/measure.ts'
import type { BenchContext, BenchRow } from '../row.ts'

const isSmall = process.env.BENCH_SMALL !== undefined
const FEW = isSmall ? 500 : 5_000
const MANY = 10 * FEW
const HOSTS_A_BATCH = 500
/** 2026-06-01T00:00:00Z */
const ANNOUNCED_US = Date.UTC(2026, 5, 1) * 1000

/** The most memory of a process that sends the whole sitemap and pages through the whole feed, of ten times the hosts too. */
export async function rows({ folder, note }: BenchContext): Promise<BenchRow[]> {
  const walked = async (hosts: number): Promise<Walked> => {
    note(`${hosts} hosts, as many announcements`)
    const dataDir = await filled(folder(), hosts)
    const process = child<{ dataDir: string }, Walked>(new URL('../children/feed-memory.js', import.meta.url))
    try {
      const found = await process.ask({ dataDir })
      if (found.hosts !== hosts || found.entries !== hosts) throw new Error(`of ${hosts}: ${JSON.stringify(found)}`)
      return found
    } finally {
      await process.end()
    }
  }
  const few = await walked(FEW)
  const many = await walked(MANY)
  return [
    {
      what: `peak memory of the sitemap and feed of ${count(MANY)} hosts`,
      measured: megabytes(many.peakBytes),
      limit: `${megabytes(few.peakBytes)} for ${count(FEW)}`,
      ratio: many.peakBytes / few.peakBytes,
      aim: { below: 2 },
    },
  ]
}

async function filled(dataDir: string, hosts: number): Promise<string> {
  const store = await openStore({ dataDir, databaseUrl: undefined })
  for (let from = 0; from < hosts; from += HOSTS_A_BATCH) {
    const listings = Array.from({ length: HOSTS_A_BATCH }, (_, n) => listingOf(routeOf(hostName(from + n), 1), n))
    await saveListings(store, { listings }, { announceUs: ANNOUNCED_US + from })
  }
  await store.close()
  return dataDir
}
