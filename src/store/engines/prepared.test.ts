import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openStore } from '../open.ts'
import type { Writer } from '../schema.ts'
import { runLater } from '../sql/later.ts'
import type { Store } from '../store.ts'
import { poolTo } from './postgres-pool.ts'
import { preparing, StatementNames } from './prepared.ts'

const failing = (code: string) => Object.assign(new Error('refused'), { code })

describe('names of statements', () => {
  it('are given to texts that are asked again and again, the same to the same', () => {
    const names = new StatementNames('own')
    const given = Array.from({ length: 5 }, () => names.of('select 1'))
    expect(given).toEqual([undefined, undefined, 'own_1', 'own_1', 'own_1'])
    expect(names.of('select 2')).toBeUndefined()
  })

  it('are nobody else’s: a pooler between gives connections to several', () => {
    const [one, other] = [new StatementNames(), new StatementNames()]
    const given = [one, other].map((names) => ['a', 'a', 'a'].map((text) => names.of(text)).at(-1))
    expect(new Set(given).size).toBe(2)
    expect(given[0]).toMatch(/^tollbook_[0-9a-f]{12}_\d+_1$/)
  })

  it('are not given without end, however many texts there are', () => {
    const names = new StatementNames()
    const texts = Array.from({ length: 5000 }, (_, n) => `select ${n}`)
    const given = new Set(texts.flatMap((text) => [names.of(text), names.of(text), names.of(text)]))
    expect(given.size).toBe(101)
  })

  it('are taken back where they do not hold, and for good where somebody else keeps the connections', () => {
    const names = new StatementNames('own')
    const ask = () => [0, 0, 0].map(() => names.of('select 1')).at(-1)
    expect(ask()).toBe('own_1')
    expect(names.refused('select 1', failing('23505'))).toBe(false)
    expect(names.refused('select 1', failing('0A000'))).toBe(true)
    expect(ask()).toBe('own_2')
    expect(names.refused('select 1', failing('26000'))).toBe(true)
    expect(ask()).toBeUndefined()
  })
})

describe.skipIf(inject('databaseUrl') === null)('a reader on Postgres', () => {
  const opened: Kysely<Record<string, never>>[] = []
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.destroy()
  })
  const open = async () => {
    const pool = poolTo(await freshDatabase(inject('databaseUrl') ?? ''), 1, '', () => undefined)
    const db = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
    opened.push(db)
    await sql`create table things (id int, name text)`.execute(db)
    await sql`insert into things values (1, 'one')`.execute(db)
    return db
  }
  const prepared = async (db: Kysely<Record<string, never>>): Promise<number> => {
    const found = await sql<{ n: number }>`select count(*) as n from pg_prepared_statements
      where statement like 'select * from things%'`.execute(db)
    return found.rows[0]?.n ?? 0
  }
  const things = async (db: Kysely<Record<string, never>>) =>
    (await sql`select * from things where id = ${1}`.execute(db)).rows

  it('keeps the plan of what is asked again and again', async () => {
    const db = await open()
    for (let n = 0; n < 3; n += 1) {
      expect(await prepared(db)).toBe(0)
      expect(await things(db)).toEqual([{ id: 1, name: 'one' }])
    }
    expect(await prepared(db)).toBe(1)
  })

  it('sees the columns that a table has got since', async () => {
    const db = await open()
    for (let n = 0; n < 4; n += 1) await things(db)
    await sql`alter table things add column more int`.execute(db)
    for (let n = 0; n < 4; n += 1) expect(await things(db)).toEqual([{ id: 1, name: 'one', more: null }])
  })

  it('goes on where another one has dropped what it prepared, as a pooler between may', async () => {
    const db = await open()
    for (let n = 0; n < 4; n += 1) await things(db)
    await sql`deallocate all`.execute(db)
    for (let n = 0; n < 4; n += 1) expect(await things(db)).toEqual([{ id: 1, name: 'one' }])
    expect(await prepared(db)).toBe(0)
  })

  it('keeps plans within a transaction for that one alone, so that none fails for what became of another’s', async () => {
    const db = await open()
    for (const kept of [1, 2, 1]) {
      await db.transaction().execute(async (transaction) => {
        for (let n = 0; n < 5; n += 1)
          expect((await sql`select * from things where id = ${1}`.execute(transaction)).rows).toHaveLength(1)
        expect(await prepared(transaction)).toBe(kept)
      })
      // As a pooler does that gives the next transaction another connection.
      if (kept === 2) await sql`deallocate all`.execute(db)
    }
    expect(await things(db)).toEqual([{ id: 1, name: 'one' }])
  })

  it('is told what is wrong with a statement that fails in a transaction, as without a plan', async () => {
    const db = await open()
    const failing = db.transaction().execute(async (transaction) => {
      for (let n = 0; n < 5; n += 1) await sql`select 1 / (3 - ${n}::int)`.execute(transaction)
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(await things(db)).toEqual([{ id: 1, name: 'one' }])
  })
})

describe.skipIf(inject('databaseUrl') === null)('a writer on Postgres', () => {
  const opened: Store[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })
  const open = async (): Promise<Store> => {
    const databaseUrl = await freshDatabase(inject('databaseUrl') ?? '', inject('madeStores')?.postgres)
    const store = await openStore({ dataDir: '', databaseUrl })
    opened.push(store)
    return store
  }
  const add = (id: number) =>
    sql<object>`insert into vantages (vantage_id, name) values (${id}, ${`eu-${id}`}) returning *`
  /** One after the other, so each on the same connection. Answers how many statements it knows by name then. */
  const written = async (store: Store, ids: readonly number[], before?: (writer: Writer) => Promise<unknown>) => {
    let runs = 0
    for (const id of ids) {
      await store.write(async (writer) => {
        runs += 1
        await before?.(writer)
        await add(id).execute(writer)
      })
    }
    const named = await store.write((writer) =>
      sql<{ n: number }>`select count(*) as n from pg_prepared_statements
        where statement like 'insert into vantages%'`.execute(writer),
    )
    return { runs, named: named.rows[0]?.n }
  }
  const names = async (store: Store): Promise<string[]> =>
    (await store.read.selectFrom('vantages').select('name').orderBy('vantage_id').execute()).map(({ name }) => name)

  it('keeps the plan of what transactions say again and again', async () => {
    const store = await open()
    expect(await written(store, [1, 2])).toEqual({ runs: 2, named: 0 })
    expect(await written(store, [3, 4])).toEqual({ runs: 2, named: 1 })
    expect(await names(store)).toEqual(['eu-1', 'eu-2', 'eu-3', 'eu-4'])
  })

  it('begins again where another one has dropped what it prepared, and prepares nothing from then on', async () => {
    const store = await open()
    await written(store, [1, 2, 3])
    expect(await written(store, [4, 5], (writer) => sql`deallocate all`.execute(writer))).toEqual({ runs: 3, named: 0 })
    expect(await names(store)).toEqual(['eu-1', 'eu-2', 'eu-3', 'eu-4', 'eu-5'])
  })

  it('begins again where a table has got columns since, and goes on preparing', async () => {
    const store = await open()
    await written(store, [1, 2, 3])
    await sql`alter table vantages add column more int`.execute(store.read)
    expect(await written(store, [4])).toEqual({ runs: 2, named: 1 })
    expect(await written(store, [5, 6, 7])).toEqual({ runs: 3, named: 2 })
    expect(await names(store)).toHaveLength(7)
  })

  it('takes a transaction that failed for something else as failed, and goes on preparing', async () => {
    const store = await open()
    await written(store, [1, 2])
    let runs = 0
    const failing = store.write(async (writer) => {
      runs += 1
      // Said without waiting: when the second arrives, there is neither its name nor a transaction.
      for (const id of [1, 8, 9]) await runLater(writer, add(id))
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(runs).toBe(1)
    expect(await written(store, [3, 4])).toEqual({ runs: 2, named: 1 })
    expect(await names(store)).toEqual(['eu-1', 'eu-2', 'eu-3', 'eu-4'])
  })
})
