import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, inject, type ProvidedContext } from 'vitest'
import { SQLITE_FILE } from '../../src/store/engines/sqlite-file.ts'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { type CitusDatabase, freshCitusDatabase } from './citus.ts'
import { dropDatabase, freshDatabase } from './postgres.ts'

export interface Engine {
  readonly name: 'sqlite' | 'postgres' | 'citus'
  /** Where an empty store is; the same options open it again. */
  empty(): Promise<StoreOptions>
  /** One that the tests of a suite share. */
  emptyForAll(): Promise<StoreOptions>
  /** Where a store would be that nobody has made yet. */
  unmade(): Promise<StoreOptions>
  /** An empty store, closed after the test. */
  open(): Promise<Store>
  /** Opens copies of a store that is filled once for all tests of a suite. */
  filled(fill: (store: Store) => Promise<void>): () => Promise<Store>
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

/** What tests have made, in the order in which it goes again. */
class Made {
  readonly stores: Store[] = []
  readonly databases: Pick<CitusDatabase, 'drop'>[] = []
  readonly folders: string[] = []

  async clear(): Promise<void> {
    for (const store of this.stores.splice(0)) await store.close()
    // Citus keeps a process in each; hundreds of them are hundreds of thousands of files.
    for (const database of this.databases.splice(0)) await database.drop()
    for (const folder of this.folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  }
}

function engineOf<N extends Engine['name']>(name: N): Engine & { readonly name: N } {
  const [ofTest, ofSuite] = [new Made(), new Made()]
  afterEach(() => ofTest.clear())
  afterAll(() => ofSuite.clear())
  const place = async (template: ProvidedContext['madeStores'], made = ofTest): Promise<StoreOptions> => {
    const dataDir = temporaryFolder()
    made.folders.push(dataDir)
    if (name === 'sqlite') {
      if (template !== null) copyFileSync(template.sqlite, join(dataDir, SQLITE_FILE))
      return { dataDir, databaseUrl: undefined }
    }
    const cluster = name === 'citus' ? inject('clusterUrls') : null
    if (cluster !== null) {
      const database = await freshCitusDatabase(cluster)
      made.databases.push(database)
      return { dataDir, databaseUrl: database.url }
    }
    const server = inject('databaseUrl')
    if (server === null) return { dataDir, databaseUrl: undefined }
    const databaseUrl = await freshDatabase(server, template?.postgres)
    made.databases.push({ drop: () => dropDatabase(server, databaseUrl) })
    return { dataDir, databaseUrl }
  }
  const empty = (): Promise<StoreOptions> => place(inject('madeStores'))
  const opened = async (options: StoreOptions): Promise<Store> => {
    const store = await openStore(options)
    ofTest.stores.push(store)
    return store
  }
  const open = async (): Promise<Store> => opened(await empty())
  const emptyForAll = (): Promise<StoreOptions> => place(inject('madeStores'), ofSuite)
  const filled: Engine['filled'] = (fill) => {
    const fillOne = async () => {
      const options = await emptyForAll()
      const store = await openStore(options)
      await fill(store)
      await store.close()
      return { sqlite: join(options.dataDir, SQLITE_FILE), postgres: options.databaseUrl ?? null }
    }
    let one: ReturnType<typeof fillOne> | undefined
    return async () => {
      if (name === 'sqlite' || (name === 'postgres' && inject('madeStores')?.postgres)) {
        one ??= fillOne()
        return opened(await place(await one))
      }
      // What is not copied empty is not copied full.
      const store = await open()
      await fill(store)
      return store
    }
  }
  return { name, empty, emptyForAll, unmade: () => place(null), open, filled }
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tollbook-test-'))
