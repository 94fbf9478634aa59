import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { isLater } from './later.ts'

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
  beginTransaction = (connection: DatabaseConnection, settings: TransactionSettings): Promise<void> =>
    this.#inner.beginTransaction(connection, settings)
  commitTransaction = (connection: DatabaseConnection): Promise<void> => this.#inner.commitTransaction(connection)
  rollbackTransaction = (connection: DatabaseConnection): Promise<void> => this.#inner.rollbackTransaction(connection)
}

const innerOf = (connection: DatabaseConnection): DatabaseConnection =>
  connection instanceof LaterConnection ? connection.inner : connection

/** The server runs what it is sent one after the other: when it answers, it has run everything before. */
class LaterConnection implements DatabaseConnection {
  /** Why a statement failed that nobody waited for; the server takes nothing more of that transaction. */
  #failure: unknown

  constructor(readonly inner: DatabaseConnection) {}

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
    const answered = await this.inner.executeQuery<R>(query).catch((error: unknown) => {
      throw this.#failure ?? error
    })
    if (this.#failure !== undefined) throw this.#failure
    return answered
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize)
  }
}
