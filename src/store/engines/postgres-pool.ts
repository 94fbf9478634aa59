import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { SilenceWatch } from './postgres/silence.ts'

const INT8 = 20
const NUMERIC = 1700
const JSON_TEXT = 114
/**
 * Every bigint here is a safe integer by construction (times, prices, 53-bit keys, counts), and so is a sum of them.
 * JSON stays text as on SQLite, for `readJson`.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (oid === JSON_TEXT) return String
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')
  },
}

/** Whoever gets no connection by then is told that the database is away. */
const CONNECT_MS = 10_000

/**
 * Readers must walk the route index even on hosts whose size the planner misjudges: with sorting and bitmap scans at
 * hand it sorts all 5,000 routes of a large host to show 50.
 */
export const READER_OPTIONS = '-c enable_sort=off -c enable_bitmapscan=off -c jit=off'

/** How texts and lists of statements are read: a role or a database may be set to the ways of long ago. */
const SPELLING = '-c standard_conforming_strings=on -c array_nulls=on'

/**
 * By when the server gives up whoever has fallen silent, and the locks that he held; its own way takes hours. A server on
 * macOS says in its log, each time, that it has no `tcp_user_timeout`, and goes on.
 */
const SILENCE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3 -c tcp_user_timeout=20000'
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** What a program locks that has stopped between two statements, though its machine goes on, others wait for. */
const STOPPED = '-c idle_in_transaction_session_timeout=60000'

/** Sends a statement while the one before is still running (`runLater`). */
const WRITERS = { pipeline: true }

/** A connection that decides how each statement is asked. */
export abstract class AskingClient implements PostgresPoolClient {
  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    asked: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof asked !== 'string') throw new Error('cursors are not offered: read lists page by page')
    return this.ask(asked, parameters)
  }

  abstract release(): void

  protected abstract ask<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
}

/** Connections to a Postgres server. `onTrouble` hears of lost ones; the pool replaces them. */
export function poolTo(
  url: string,
  max: number,
  options: string,
  onTrouble: (error: Error) => void,
  to: 'read' | 'write' = 'read',
): pg.Pool {
  const said = [SPELLING, SILENCE, ...(to === 'write' ? [STOPPED] : []), options].join(' ')
  const pool = new pg.Pool({
    ...{ connectionString: url, max, types, options: said, application_name: 'tollbook', ...KEEP_ALIVE },
    ...(to === 'write' ? WRITERS : {}),
    connectionTimeoutMillis: CONNECT_MS,
  })
  // A connection that is lost says so itself, between two statements of a transaction too: unheard, that would end the
  // program. The pool says it again of idle ones.
  pool.on('connect', (client) => client.on('error', onTrouble))
  const silence = new SilenceWatch(url)
  pool.on('connect', (client) => silence.add(client))
  pool.on('error', () => undefined)
  return pool
}
