import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import { FoundWords } from '../../search/found-words.ts'
import type { Dialect } from '../../sql/dialect.ts'

/**
 * The words by which hosts are found. The same tables on both engines: no extension to ask for, and where tables are
 * distributed `search_places` lies with its hosts. Nothing is ever taken out: hosts and routes are not either.
 * `$clustered` and `$text` stand for what differs between the engines.
 */
const STATEMENTS = `
create table search_words (word $text not null, primary key (word)) $clustered;
create table search_grams (
  gram $text not null, length integer not null, word $text not null,
  primary key (gram, length, word)) $clustered;
create table search_places (
  word $text not null, host_id bigint not null, place integer not null,
  primary key (word, host_id)) $clustered;
create index search_places_by_host on search_places (host_id, word, place)`

const HOSTS_A_STEP = 500

export async function search(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  const statements = STATEMENTS.replaceAll('$text', sqlite ? 'text' : 'text collate "C"')
    .replaceAll('$clustered', sqlite ? 'without rowid' : '')
    .split(';')
  for (const statement of statements) await sql.raw(statement).execute(writer)
  for (let after = -1; ; ) {
    const last = await addHosts(writer, dialect, after)
    if (last === null) return
    after = last
  }
}

/** Finds words for what was stored before there was an index; answers the last host of the step. */
async function addHosts(writer: Writer, dialect: Dialect, after: number): Promise<number | null> {
  const hosts = await writer
    .selectFrom('hosts')
    .selectAll()
    .where('host_id', '>', after)
    .orderBy('host_id')
    .limit(HOSTS_A_STEP)
    .execute()
  const last = hosts.at(-1)
  if (last === undefined) return null
  const among = sql`host_id > ${after} and host_id <= ${last.host_id}`
  const words = new FoundWords()
  for (const { host_id, name } of hosts) words.addName(host_id, name)
  const paths = await sql<{ host_id: number; path: string }>`select distinct host_id, path from routes
    where ${among}`.execute(writer)
  for (const { host_id, path } of paths.rows) words.addPath(host_id, path)
  const sources = await sql<{ host_id: number; source: string }>`select distinct host_id, source from listings
    where ${among}`.execute(writer)
  for (const { host_id, source } of sources.rows) words.addSource(host_id, source)
  await words.save(writer, dialect)
  return last.host_id
}
