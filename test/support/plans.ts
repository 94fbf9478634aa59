import { type CompiledQuery, sql } from 'kysely'
import type { Store } from '../../src/store/store.ts'

/** The store, with everything that is read through it written down. */
export function watching(store: Store, asked: CompiledQuery[]): Store {
  const read = store.read.withPlugin({
    transformQuery: ({ node, queryId }) => {
      asked.push(store.read.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const { atOnce: _, ...rest } = store
  return { ...rest, read }
}

/** How the engine would find the rows, were there many. */
export const planOf = (store: Store, query: CompiledQuery): Promise<string> =>
  store.write(async (writer) => {
    const isSqlite = store.dialect.engine === 'sqlite'
    if (!isSqlite) await sql`set local enable_seqscan = off`.execute(writer)
    const explained = { ...query, sql: `${isSqlite ? 'explain query plan' : 'explain'} ${query.sql}` }
    return JSON.stringify((await writer.executeQuery(explained)).rows)
  })
