import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, inject } from 'vitest'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { freshDatabase } from './postgres.ts'

export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  /** Where an empty store would be; the same options open it again. */
  empty(): Promise<StoreOptions>
  /** An empty store, closed after the test. */
  open(): Promise<Store>
}

/** One suite for both engines. */
export function onEachEngine(title: string, suite: (engine: Engine) => void): void {
  describe(`${title} (sqlite)`, () => suite(engineOf('sqlite')))
  const server = inject('databaseUrl')
  describe.skipIf(server === null)(`${title} (postgres)`, () => suite(engineOf('postgres')))
}

function engineOf(name: Engine['name']): Engine {
  const opened: Store[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  const empty = async (): Promise<StoreOptions> => {
    const dataDir = temporaryFolder()
    folders.push(dataDir)
    const server = inject('databaseUrl')
    return { dataDir, databaseUrl: name === 'postgres' && server !== null ? await freshDatabase(server) : undefined }
  }
  const open = async (): Promise<Store> => {
    const store = await openStore(await empty())
    opened.push(store)
    return store
  }
  return { name, empty, open }
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tollbook-test-'))
