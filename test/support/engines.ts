import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, inject, type ProvidedContext } from 'vitest'
import { SQLITE_FILE } from '../../src/store/engines/sqlite-file.ts'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { type CitusDatabase, freshCitusDatabase } from './citus.ts'
import { dropDatabase, freshDatabase } from './postgres.ts'

export interface Engine {
  readonly name: 'sqlite' | 'postgres' | 'citus'
  /** Where an empty store would be; the same options open it again. */
  empty(): Promise<StoreOptions>
  /** An empty store, closed after the test. */
  open(): Promise<Store>
}

/** One suite for both engines, and for a cluster where one was asked for. */
export function onEachEngine(title: string, suite: (engine: Engine) => void): void {
  onBothEngines(title, suite)
  if (inject('clusterUrls') !== null) describe(`${title} (citus)`, () => suite(engineOf('citus')))
}

export type PlainEngine = Engine & { readonly name: 'sqlite' | 'postgres' }

/** One suite for both engines, of stores that are not migrated: on a cluster there are none. */
export function onBothEngines(title: string, suite: (engine: PlainEngine) => void): void {
  describe(`${title} (sqlite)`, () => suite(engineOf('sqlite')))
  const server = inject('databaseUrl')
  describe.skipIf(server === null)(`${title} (postgres)`, () => suite(engineOf('postgres')))
}

function engineOf<N extends Engine['name']>(name: N): Engine & { readonly name: N } {
  const opened: Store[] = []
  const folders: string[] = []
  const databases: Pick<CitusDatabase, 'drop'>[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
    // Citus keeps a process in each; hundreds of them are hundreds of thousands of files.
    for (const database of databases.splice(0)) await database.drop()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  const place = async (made: ProvidedContext['madeStores']): Promise<StoreOptions> => {
    const dataDir = temporaryFolder()
    folders.push(dataDir)
    if (name === 'sqlite') {
      if (made !== null) copyFileSync(made.sqlite, join(dataDir, SQLITE_FILE))
      return { dataDir, databaseUrl: undefined }
    }
    const cluster = name === 'citus' ? inject('clusterUrls') : null
    if (cluster !== null) {
      const database = await freshCitusDatabase(cluster)
      databases.push(database)
      return { dataDir, databaseUrl: database.url }
    }
    const server = inject('databaseUrl')
    if (server === null) return { dataDir, databaseUrl: undefined }
    const databaseUrl = await freshDatabase(server, made?.postgres)
    databases.push({ drop: () => dropDatabase(server, databaseUrl) })
    return { dataDir, databaseUrl }
  }
  const open = async (): Promise<Store> => {
    const store = await openStore(await place(inject('madeStores')))
    opened.push(store)
    return store
  }
  return { name, empty: () => place(null), open }
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tollbook-test-'))
