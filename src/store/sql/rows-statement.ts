import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Reader, Writer } from '../schema.ts'
import type { Dialect, LaterRows, Row, Rows } from './dialect.ts'
import { askAhead, sentLater } from './later.ts'

/** A parameter that is made of rows once they are known. */
class OfRows {
  constructor(readonly make: (rows: readonly Row[]) => unknown) {}
}

/** A parameter that is a member of a row: the statement is run for each row, of which it takes all members in their order. */
export const EACH = Symbol('a member of each row')

/** What a statement says of its rows: at once, or when they are known. */
export const ofRows = (rows: Rows, make: (rows: readonly Row[]) => unknown): unknown =>
  rows === 'later' ? new OfRows(make) : make(rows)

/**
 * A statement of which only its rows change: put together and compiled once for each dialect, which of few rows costs more
 * than running it.
 */
export class RowsStatement<R = unknown> {
  readonly #compiled = new WeakMap<Dialect, CompiledQuery<R>>()

  constructor(private readonly build: (dialect: Dialect, rows: LaterRows) => RawBuilder<R>) {}

  async run(reader: Reader, dialect: Dialect, rows: readonly Row[]): Promise<R[]> {
    return (await reader.executeQuery(this.#of(reader, dialect, rows))).rows
  }

  /** Like `askAhead`. */
  ahead(reader: Reader, dialect: Dialect, rows: readonly Row[]): Promise<() => Promise<R[]>> {
    return askAhead(reader, this.#of(reader, dialect, rows))
  }

  /** Like `runLater`. */
  async runLater(writer: Writer, dialect: Dialect, rows: readonly Row[]): Promise<void> {
    const query = sentLater(this.#of(writer, dialect, rows))
    await writer.executeQuery(query.parameters.includes(EACH) ? { each: rows, ...query, parameters: [] } : query)
  }

  #of(reader: Reader, dialect: Dialect, rows: readonly Row[]): CompiledQuery<R> {
    let compiled = this.#compiled.get(dialect)
    if (compiled === undefined) {
      compiled = this.build(dialect, 'later').compile(reader)
      this.#compiled.set(dialect, compiled)
    }
    const parameters = compiled.parameters.map((value) => (value instanceof OfRows ? value.make(rows) : value))
    return { ...compiled, parameters }
  }
}
