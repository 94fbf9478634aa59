import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../../../test/support/postgres.ts'
import { openStore } from '../../open.ts'
import type { Store } from '../../store.ts'

const READ_ONLY = 'set default_transaction_read_only = on'
const AS_EVER = 'reset default_transaction_read_only'
const NO_WRITES = 'the database takes no writes'

describe.skipIf(inject('databaseUrl') === null)('a store whose address leads to another server', () => {
  let store: Store
  let database: pg.Client
  let name: string

  /** Connections that are made from now on find it so; those that are there keep what they found, as of another server. */
  const becomes = async (what: string): Promise<void> => {
    await database.query(`alter database ${name} ${what}`)
  }
  const failOver = async (): Promise<void> => {
    await becomes(READ_ONLY)
    await database.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  }
  const write = (): Promise<unknown> =>
    store.write((writer) => sql`create table if not exists other (n int)`.execute(writer))
  /** Nothing of it is ever idle for long. */
  const readings = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 5 }, () => sql`select 1`.execute(store.read)))

  beforeEach(async () => {
    const server = inject('databaseUrl') ?? ''
    const databaseUrl = await freshDatabase(server, inject('madeStores')?.postgres)
    name = new URL(databaseUrl).pathname.slice(1)
    store = await openStore({ dataDir: '', databaseUrl, onTrouble: () => undefined })
    database = new pg.Client({ connectionString: server })
    await database.connect()
    await failOver()
    await expect
      .poll(async () =>
        readings()
          .then(() => store.ping())
          .catch(String),
      )
      .toContain(NO_WRITES)
  })

  afterEach(async () => {
    await store.close()
    await database.end()
  })

  it('is written there, after the one that takes no writes', async () => {
    await expect(write()).rejects.toThrow('read-only')
    await becomes(AS_EVER)
    await expect.poll(() => write().then(() => 'written', String), { timeout: 20_000 }).toBe('written')
  })

  it('is read there', async () => {
    await becomes(AS_EVER)
    const found = async (): Promise<unknown> => {
      await readings()
      return store.ping().then(() => 'ready', String)
    }
    await expect.poll(found, { timeout: 20_000 }).toBe('ready')
  })
})
