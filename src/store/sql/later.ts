import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Writer } from '../schema.ts'
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

export const sentLater = (query: CompiledQuery): LaterQuery => ({ ...query, isLater: true })
