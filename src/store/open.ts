import { Problem } from '../domain/problem.ts'
import { noticingFull } from './full.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  readonly dataDir: string
  /** Unset: SQLite in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly onTrouble?: (error: Error) => void
}

/** Opens the store, creating and migrating it as needed. Only the engine that is used is loaded. */
export async function openStore({ dataDir, databaseUrl, onTrouble }: StoreOptions): Promise<Store> {
  const store =
    databaseUrl === undefined
      ? await (await loadSqlite()).openSqlite(dataDir)
      : await (await import('./engines/postgres.ts')).openPostgres(databaseUrl, onTrouble)
  return noticingFull(store)
}

async function loadSqlite() {
  try {
    return await import('./engines/sqlite.ts')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'TOLLBOOK_NO_SQLITE')) throw error
    throw new Problem(
      'no-sqlite',
      500,
      'No SQLite',
      `the native part of SQLite is missing for ${process.platform}-${process.arch}`,
      'run npm rebuild @photostructure/sqlite, or use Node 22.16 or newer, which has SQLite built in',
    )
  }
}
