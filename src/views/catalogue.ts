import type { SellerHost } from '../domain/host.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import { readHostNames } from '../store/events/read-events.ts'
import type { Store } from '../store/store.ts'

/** Hosts that one part aims at: numbers are random, so that a part never reaches the 50,000 that a sitemap may hold. */
const HOSTS_A_PART = 40_000
const HOSTS_A_READ = 1000
/** Numbers of hosts lie below. */
const NUMBERS = 2 ** 53

/** One host of a sitemap. */
export interface CatalogueRow {
  readonly host: SellerHost
  readonly newestEvidenceUs: TimestampUs | null
}

export const partsOf = (hosts: number): number => Math.max(1, Math.ceil(hosts / HOSTS_A_PART))

/** The hosts of part `part` of `of` (from 1), a few at a time, however many there are. */
export async function* cataloguePart(store: Store, part: number, of: number): AsyncGenerator<CatalogueRow[]> {
  const below = part === of ? NUMBERS : Math.floor((NUMBERS / of) * part)
  let after = Math.floor((NUMBERS / of) * (part - 1)) - 1
  for (;;) {
    const rows = await readHostNames(store, after, below, HOSTS_A_READ)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map((row) => ({ host: row.name, newestEvidenceUs: row.newest_probe_us }))
    after = last.host_id
  }
}
