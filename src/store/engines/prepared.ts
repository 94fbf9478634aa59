import { randomBytes } from 'node:crypto'
import type { PostgresPool, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { AskingClient } from './postgres-pool.ts'

/** Where connections come from. */
export interface Connections {
  connect(): Promise<pg.PoolClient>
  end(): Promise<void>
}

/** A statement that was asked so often is worth a plan that is kept: planning a large one takes longer than running it. */
const ASKED_BEFORE = 3
/** Every connection keeps a plan for each of them. */
const MOST_NAMES = 100
/** Texts that are asked once or twice. */
const MOST_COUNTED = 1000

/** Somebody between us and the server gives statements to other connections than prepared them. */
const NOT_PREPARED = ['26000', '42P05']
/** A table has other columns than when the statement was prepared. */
const OUTDATED = '0A000'

const OWN = `tollbook_${randomBytes(6).toString('hex')}`
let prefixes = 0
const ownPrefix = (): string => `${OWN}_${++prefixes}`

/** The names under which servers know statements, given by text. */
export class StatementNames {
  readonly #prefix: string
  readonly #asked = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #given = 0
  #isOff = false

  /** The prefix: nobody else's on the server, or somebody between would take another's statement for ours. */
  constructor(prefix = ownPrefix()) {
    this.#prefix = prefix
  }

  /** `undefined`: as it is. */
  of(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name !== undefined || this.#isOff || this.#names.size >= MOST_NAMES) return name
    const asked = (this.#asked.get(text) ?? 0) + 1
    if (asked < ASKED_BEFORE) {
      if (this.#asked.size >= MOST_COUNTED) this.#asked.clear()
      this.#asked.set(text, asked)
      return undefined
    }
    this.#asked.delete(text)
    this.#given += 1
    const given = `${this.#prefix}_${this.#given}`
    this.#names.set(text, given)
    return given
  }

  /** From now on all go as they are. */
  end(): void {
    this.#isOff = true
    this.#names.clear()
  }

  /** Whether a statement failed for being prepared, and is worth asking again as it is. */
  refused(text: string, error: unknown): boolean {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (NOT_PREPARED.includes(code)) {
      this.end()
      return true
    }
    if (code !== OUTDATED) return false
    this.#names.delete(text)
    return true
  }
}

const BEGINS = /^(?:begin|start transaction)\b/
const ENDS = /^(?:commit|rollback)$/

/** A connection that prepares what is asked again and again. */
class PreparingClient extends AskingClient {
  /**
   * A statement that fails in a transaction cannot be asked again. So there it goes by a name of that transaction alone,
   * which has one connection to the server from its beginning to its end, whoever stands between.
   */
  #inTransaction: StatementNames | null = null

  constructor(
    private readonly client: pg.PoolClient,
    private readonly names: StatementNames,
  ) {
    super()
  }

  override release(): void {
    this.client.release()
  }

  protected override async ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (BEGINS.test(text)) this.#inTransaction = new StatementNames()
    else if (ENDS.test(text)) this.#inTransaction = null
    const isAlone = this.#inTransaction === null
    const name = (this.#inTransaction ?? this.names).of(text)
    if (name === undefined) return this.#plain(text, values)
    try {
      return resultOf(await this.client.query({ name, text, values: [...values] }))
    } catch (error) {
      if (!isAlone || !this.names.refused(text, error)) throw error
      return this.#plain(text, values)
    }
  }

  async #plain<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    return resultOf(await this.client.query(text, [...values]))
  }
}

/** Readers change nothing, so how many rows were changed is nobody's question. */
const resultOf = <R>({ rows }: pg.QueryResult): PostgresQueryResult<R> => ({
  command: 'SELECT',
  rowCount: rows.length,
  rows,
})

/** The driver says which statement it was as a text of any kind. */
const changeOf = <R>({ command, rowCount, rows }: pg.QueryResult): PostgresQueryResult<R> => ({
  command: command as PostgresQueryResult<R>['command'],
  rowCount: rowCount ?? 0,
  rows,
})

/** The same connections, for reading. */
export function preparing(pool: Connections): PostgresPool {
  const names = new StatementNames()
  return { connect: async () => new PreparingClient(await pool.connect(), names), end: () => pool.end() }
}

/** Prepares what transactions say again and again. One that fails for it is to be begun anew: then it goes as it is. */
export class PreparedWrites {
  readonly #names = new StatementNames()
  readonly #refused = new WeakSet<Error>()

  poolOf(pool: Connections): PostgresPool {
    const connect = async () => new WritingClient(await pool.connect(), this.#names, this.#refused)
    return { connect, end: () => pool.end() }
  }

  /** Whether a transaction failed for nothing but that one of its statements was prepared. */
  wasRefused(error: unknown): boolean {
    return error instanceof Error && this.#refused.has(error)
  }
}

/** A connection for one transaction. */
class WritingClient extends AskingClient {
  #hasFailed = false

  constructor(
    private readonly client: pg.PoolClient,
    private readonly names: StatementNames,
    private readonly refused: WeakSet<Error>,
  ) {
    super()
  }

  override release(): void {
    this.client.release()
  }

  protected override async ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // What takes no values is said once, or has no plan.
    const name = values.length === 0 ? undefined : this.names.of(text)
    try {
      const asked = name === undefined ? { text } : { name, text }
      return changeOf(await this.client.query({ ...asked, values: [...values] }))
    } catch (error) {
      // Whatever follows the first failure fails for that.
      const isFirst = !this.#hasFailed
      this.#hasFailed = true
      const wasPrepared = isFirst && name !== undefined
      if (wasPrepared && error instanceof Error && this.names.refused(text, error)) this.refused.add(error)
      throw error
    }
  }
}
