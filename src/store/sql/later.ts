import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import type { Reader, Writer } from '../schema.ts'
import type { Row } from './dialect.ts'

/** A statement whose answer nobody waits for. */
interface LaterQuery extends CompiledQuery {
  readonly isLater: true
  /** It is run for each of these rows, its parameters; left out: once. */
  readonly each?: readonly Row[]
}

export const isLater = (query: CompiledQuery): query is LaterQuery => 'isLater' in query

/**
 * Sends a statement that answers nothing and goes on at once, so that the next one is put together meanwhile. Statements run
 * in the order in which they are sent; that one failed is said by the next that is waited for, the commit at the latest.
 */
export async function runLater(writer: Writer, statement: RawBuilder<unknown>): Promise<void> {
  await writer.executeQuery(sentLater(statement.compile(writer)))
}

export const sentLater = (query: CompiledQuery): LaterQuery => ({ isLater: true, ...query })

/** A statement whose answer is waited for when it is needed. */
interface AheadQuery<R = unknown> extends CompiledQuery<R> {
  answeredBy(answer: Promise<QueryResult<R>>): void
}

export const isAhead = (query: CompiledQuery): query is AheadQuery => 'answeredBy' in query

/**
 * Sends a statement and goes on as soon as it is sent. The answer is then asked for, and has to be before the transaction
 * ends: statements that are sent meanwhile run after this one, and none of them does anything where it failed.
 */
export async function askAhead<R>(reader: Reader, query: CompiledQuery<R>): Promise<() => Promise<R[]>> {
  let answer: Promise<QueryResult<R>> | undefined
  const asked: AheadQuery<R> = {
    answeredBy: (given) => {
      answer = given
      // Whoever asks for it hears of a failure.
      given.catch(() => undefined)
    },
    ...query,
  }
  // A connection that does not know of this has answered by then.
  const result = await reader.executeQuery<R>(asked)
  return async () => (await (answer ?? result)).rows
}
