import { Problem } from '../domain/problem.ts'
import { noticingFull } from './full.ts'
import type { OnSchemaStep } from './migrate.ts'
import { askNewer, SCHEMA_VERSION, schemaVersion, versionProblem } from './schema-version.ts'
import { byTime, type ReadReplicas, type Store } from './store.ts'

export interface StoreOptions {
  readonly dataDir: string
  /** Unset: SQLite in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly onTrouble?: (error: Error) => void
  readonly onStep?: OnSchemaStep
}

/** Opens the store, creating and migrating it as needed; it is this program's until a newer one migrates it. Only the engine that is used is loaded. */
export async function openStore({ dataDir, databaseUrl, onTrouble, onStep }: StoreOptions): Promise<Store> {
  const store =
    databaseUrl === undefined
      ? await (await loaded(() => import('./engines/sqlite.ts'))).openSqlite(dataDir, onStep)
      : await (await import('./engines/postgres.ts')).openPostgres(databaseUrl, { onTrouble, onStep })
  return refusingNewer(noticingFull(store))
}

/** The same, where no other program has it open; on Postgres nobody knows. */
export async function openAlone(options: StoreOptions): Promise<Store> {
  if (options.databaseUrl !== undefined) return openStore(options)
  const store = await (await loaded(() => import('./engines/sqlite.ts'))).openSqliteAlone(
    options.dataDir,
    options.onStep,
  )
  return refusingNewer(noticingFull(store))
}

/**
 * A store that takes nothing more once a newer program has brought it up to date, and is not ready any more. A transaction
 * that is under way at that moment still comes to its end.
 */
const refusingNewer = (store: Store): Store => ({
  ...store,
  write: (work) =>
    store.write(async (writer) => {
      const refuseNewer = await askNewer(writer, store.dialect)
      try {
        return await work(writer)
      } finally {
        // Also after a failure: that may be why.
        await refuseNewer()
      }
    }),
  ping: async () => {
    await store.ping()
    const refuseNewer = await askNewer(store.read, store.dialect)
    await refuseNewer()
  },
})

export interface ReplicasOptions {
  readonly databaseUrl: string | undefined
  readonly readUrls: readonly string[]
  readonly onTrouble: (error: Error) => void
}

/** The replicas to read from; `undefined` where there are none. */
export async function openReplicas(options: ReplicasOptions): Promise<ReadReplicas | undefined> {
  const { databaseUrl: writerUrl, readUrls: urls, onTrouble } = options
  if (writerUrl === undefined || urls.length === 0) return undefined
  return (await import('./engines/postgres-replicas.ts')).openReplicas({
    ...{ writerUrl, urls, onTrouble, schemaVersion: SCHEMA_VERSION },
  })
}

/** The store for views: read from replicas. */
export const readingFrom = (store: Store, replicas: ReadReplicas): Store => ({
  ...store,
  read: replicas.read,
  // What the writer has, a replica may get later.
  epoch: () => store.epoch() + byTime(),
  switches: () => replicas.switches(),
  ping: () => replicas.ping(),
})

/** The store for what readers write, who are to see it at once. */
export const seenByReaders = (store: Store, replicas: ReadReplicas): Store => ({
  ...store,
  write: async (work) => {
    try {
      return await store.write(work)
    } finally {
      // Also after a failure: a lost answer may have been a commit.
      await replicas.wrote()
    }
  },
})

/** Opens the store as it stands, for reading alone: nothing is made and nothing is migrated, whatever its version. */
export const openStoreAsItIs = async ({ dataDir, databaseUrl, onTrouble }: StoreOptions): Promise<Store> =>
  databaseUrl === undefined
    ? (await loaded(() => import('./engines/sqlite-look.ts'))).lookAtSqlite(dataDir)
    : (await import('./engines/postgres.ts')).openPostgres(databaseUrl, { onTrouble }, 'look')

/** The same, where it has the version that this program reads. Rejects with a `Problem` that says what to do otherwise. */
export async function lookAtStore(options: StoreOptions): Promise<Store> {
  const store = await openStoreAsItIs(options)
  try {
    const fault = versionProblem(await schemaVersion(store.read))
    if (fault !== undefined) throw fault
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
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
