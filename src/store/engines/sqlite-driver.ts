import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from '../schema.ts'
import { isAhead, isLater, sentLater } from '../sql/later.ts'

export interface Executed {
  readonly rows: Record<string, unknown>[]
  readonly changes: number
}

/**
 * `ahead`: what follows is sent before the answer is there; `later`: nobody waits for the answer; `later, for each`: nor are its
 * parameters one list, but one for each time.
 */
export type How = 'awaited' | 'ahead' | 'later' | 'later, for each'

/** Runs one statement, here or on the writing thread. */
export type Execute = (sql: string, parameters: readonly unknown[], how: How) => Executed | Promise<Executed>

const howOf = (query: CompiledQuery): readonly [parameters: readonly unknown[], how: How] => {
  if (!isLater(query)) return [query.parameters, isAhead(query) ? 'ahead' : 'awaited']
  return query.each === undefined ? [query.parameters, 'later'] : [query.each, 'later, for each']
}

/**
 * Kysely over one SQLite connection. `begin` is how its transactions start: `begin immediate` takes the write lock at
 * once, so that a transaction never fails half way; `begin` fixes a moment to read.
 */
export const sqliteKysely = (execute: Execute, begin: 'begin' | 'begin immediate'): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createDriver: () => new SqliteDriver(execute, begin),
    },
  })

class SqliteDriver implements Driver {
  readonly #connection: DatabaseConnection
  readonly #begin: string
  /** Resolves when whoever holds the connection gives it back: one transaction at a time. */
  #free: Promise<void> = Promise.resolve()
  #release: () => void = () => undefined

  constructor(execute: Execute, begin: string) {
    this.#connection = new SqliteConnection(execute)
    this.#begin = begin
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#free
    let release = (): void => undefined
    this.#free = new Promise((resolve) => {
      release = resolve
    })
    await before
    this.#release = release
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(sentLater(CompiledQuery.raw(this.#begin)))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'))
    } catch (error) {
      // A full disk ends a transaction by itself, and a busy file lets none begin; saying so here would hide why it failed.
      if (!(error instanceof Error && /no transaction is active/.test(error.message))) throw error
    }
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #execute: Execute

  constructor(execute: Execute) {
    this.#execute = execute
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const answer = this.#answerTo<R>(query)
    if (!isAhead(query)) return answer
    query.answeredBy(answer)
    return { rows: [] }
  }

  async #answerTo<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#execute(query.sql, ...howOf(query))
    // The row type is the query builder's promise about its own SQL; nothing at run time could check it.
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  // biome-ignore lint/correctness/useYield: SQLite lists are read page by page, never streamed.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered: read lists page by page')
  }
}
