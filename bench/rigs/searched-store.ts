import { sql } from 'kysely'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { fillAtOnce } from './search-fill.ts'
import { searchedListings } from './search-words.ts'

/** From here on rows are written at once. */
const AT_ONCE_FROM = 200_000
const HOSTS_A_BATCH = 500

/** A new store of so many hosts, with three described routes each. */
export async function searchedStore(options: StoreOptions, hosts: number): Promise<Store> {
  const store = await openStore(options)
  if (hosts >= AT_ONCE_FROM) await fillAtOnce(store, hosts, (n) => searchedListings(n, hosts))
  else {
    for (let from = 0; from < hosts; from += HOSTS_A_BATCH) {
      const listings = Array.from({ length: Math.min(HOSTS_A_BATCH, hosts - from) }, (_, n) =>
        searchedListings(from + n, hosts),
      ).flat()
      await saveListings(store, { listings })
    }
  }
  // What a server that has run for a while has done by itself.
  if (store.dialect.engine === 'postgres') await sql`analyze`.execute(store.read)
  return store
}
