import { openPostgres } from './engines/postgres.ts'
import { openSqlite } from './engines/sqlite.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  readonly dataDir: string
  /** Unset: SQLite in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly onTrouble?: (error: Error) => void
}

/** Opens the store, creating and migrating it as needed. */
export const openStore = (options: StoreOptions): Promise<Store> =>
  options.databaseUrl === undefined ? openSqlite(options.dataDir) : openPostgres(options.databaseUrl, options.onTrouble)
