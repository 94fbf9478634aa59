import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { SQLITE_FILE } from '../../src/store/engines/sqlite-file.ts'
import type { StoreOptions } from '../../src/store/open.ts'
import { freshDatabase } from './postgres.ts'

interface MadeStores {
  /** Its file. */
  readonly sqlite: string
  /** The address of its database. */
  readonly postgres: string | null
}

/** Empty stores that the program itself has made, one of each engine: tests begin with copies of them. Comes after Postgres. */
export default async function setup(project: TestProject): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-made-'))
  const server = project.getProvidedContext().databaseUrl
  try {
    await make({ dataDir, databaseUrl: undefined })
    // What a server of somebody else's holds beside its tables, as Citus does, is not copied with a database.
    const postgres = server === null || process.env.DATABASE_URL ? null : await freshDatabase(server)
    if (postgres !== null) await make({ dataDir, databaseUrl: postgres })
    project.provide('madeStores', { sqlite: join(dataDir, SQLITE_FILE), postgres })
  } catch {
    // Tests that open a store say why it cannot be made; those that need none go on.
    project.provide('madeStores', null)
  }
  return () => rmSync(dataDir, { recursive: true, force: true })
}

async function make(options: StoreOptions): Promise<void> {
  const { openStore } = await import('../../src/store/open.ts')
  const store = await openStore(options)
  await store.close()
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** `null`: each test makes its own. */
    madeStores: MadeStores | null
  }
}
