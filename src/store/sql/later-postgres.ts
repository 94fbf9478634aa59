import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { isAhead, isLater } from './later.ts'

/** Kysely's own dialect, and statements that nobody waits for. */
export class LaterPostgresDialect extends PostgresDialect {
  override createDriver(): Driver {
    return new LaterDriver(super.createDriver())
  }
}

/** The inner driver knows its own connections alone. */
class LaterDriver implements Driver {
  readonly #inner: Driver

  constructor(inner: Driver) {
    this.#inner = inner
  }

  init = (): Promise<void> => this.#inner.init()
  destroy = (): Promise<void> => this.#inner.destroy()
  acquireConnection = async (): Promise<DatabaseConnection> =>
    new LaterConnection(await this.#inner.acquireConnection())
  releaseConnection = (connection: DatabaseConnection): Promise<void> =>
    this.#inner.releaseConnection(innerOf(connection))
  beginTransaction = async (connection: DatabaseConnection, settings: TransactionSettings): Promise<void> => {
    const isPlain = settings.isolationLevel === undefined && settings.accessMode === undefined
    if (isPlain && connection instanceof LaterConnection) connection.begin()
    else await this.#inner.beginTransaction(connection, settings)
  }
  commitTransaction = (connection: DatabaseConnection): Promise<void> => this.#inner.commitTransaction(connection)
  rollbackTransaction = async (connection: DatabaseConnection): Promise<void> => {
    if (!(connection instanceof LaterConnection) || (await connection.hasBegun))
      await this.#inner.rollbackTransaction(connection)
  }
}

const BEGIN = CompiledQuery.raw('begin')

const innerOf = (connection: DatabaseConnection): DatabaseConnection =>
  connection instanceof LaterConnection ? connection.inner : connection

/** The server runs what it is sent one after the other: when it answers, it has run everything before. */
class LaterConnection implements DatabaseConnection {
  /** Why a statement failed that nobody waited for; the server takes nothing more of that transaction. */
  #failure: unknown
  /** Where it has not, as of a connection that was lost before, there is nothing to take back. */
  hasBegun: Promise<boolean> = Promise.resolve(true)

  constructor(readonly inner: DatabaseConnection) {}

  /** Nobody waits for it either. */
  begin(): void {
    this.hasBegun = this.#begun()
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (isLater(query)) {
      this.inner.executeQuery(query).catch((error: unknown) => {
        this.#failure ??= error
      })
      return { rows: [] }
    }
    if (query.sql === 'rollback') {
      this.#failure = undefined
      return this.inner.executeQuery<R>(query)
    }
    const answer = this.#answerTo<R>(query)
    if (!isAhead(query)) return answer
    query.answeredBy(answer)
    return { rows: [] }
  }

  async #begun(): Promise<boolean> {
    try {
      await this.inner.executeQuery(BEGIN)
      return true
    } catch (error) {
      this.#failure ??= error
      return false
    }
  }

  async #answerTo<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const answer = await this.inner.executeQuery<R>(query)
      if (this.#failure === undefined) return answer
    } catch (error) {
      this.#failure ??= error
    }
    throw this.#failure
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize)
  }
}
