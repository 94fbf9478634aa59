import { sql } from 'kysely'
import type { Writer } from '../../src/store/schema.ts'
import type { Columns, Row } from '../../src/store/sql/dialect.ts'
import type { Store } from '../../src/store/store.ts'

/** A table that is filled at once: rows are put aside as they come, then written in the order of their key. */
export interface AsideTable {
  readonly columns: Columns
  readonly key: string
}

export interface Aside {
  put(writer: Writer, table: string, rows: readonly Row[]): Promise<void>
  /** Writes everything where it belongs, and makes the other indexes of these tables. */
  end(): Promise<void>
}

/** Of tables that are empty. Their other indexes are taken away until the end. */
export async function setAside(store: Store, tables: Readonly<Record<string, AsideTable>>): Promise<Aside> {
  const indexes = await store.write(async (writer) => {
    for (const [name, table] of Object.entries(tables))
      await sql.raw(`create table aside_${name} (${typed(table)})`).execute(writer)
    return dropIndexes(writer, store.dialect.engine, tables)
  })
  return {
    put: async (writer, table, rows) => insertRows(store, writer, `aside_${table}`, tables[table]?.columns ?? {}, rows),
    end: async () => {
      for (const [name, { columns, key }] of Object.entries(tables)) {
        const names = Object.keys(columns).join(', ')
        await store.write(async (writer) => {
          await sql
            .raw(`insert into ${name} (${names}) select ${names} from aside_${name} order by ${key}`)
            .execute(writer)
          await sql.raw(`drop table aside_${name}`).execute(writer)
        })
      }
      for (const definition of indexes) {
        await store.write(async (writer) => {
          await sql.raw(definition).execute(writer)
        })
      }
    },
  }
}

export async function insertRows(
  { dialect }: Store,
  writer: Writer,
  table: string,
  columns: Columns,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${dialect.rows(columns, rows)} as v`.execute(
    writer,
  )
}

const typed = ({ columns }: AsideTable): string =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type === 'int' ? 'bigint' : 'text'}`)
    .join(', ')

async function dropIndexes(writer: Writer, engine: 'sqlite' | 'postgres', tables: object): Promise<string[]> {
  const found =
    engine === 'sqlite'
      ? await sql<{ name: string; on: string; definition: string }>`select name, tbl_name as "on", sql as definition
          from sqlite_master where type = 'index' and sql is not null`.execute(writer)
      : await sql<{ name: string; on: string; definition: string }>`select indexname as name, tablename as "on",
          indexdef as definition from pg_indexes where schemaname = 'public' and indexname not like '%_pkey'`.execute(
          writer,
        )
  const ours = found.rows.filter(({ on }) => on in tables)
  for (const { name } of ours) await sql.raw(`drop index ${name}`).execute(writer)
  return ours.map(({ definition }) => definition)
}
