import { sql } from 'kysely'
import type { Placed, RouteId } from '../hosts/route-ref.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import type { ListingInput } from './listings.ts'

type Said = Placed<Pick<ListingInput, 'source' | 'description' | 'lastUs'>>

interface Key {
  host_id: number
  route_id: number
  source: string
}

const KEY = { host_id: 'int', route_id: 'int', source: 'text' } as const

/** What one batch says of one route in the name of one source: the newest word, of two at once the lesser. */
interface Word {
  readonly key: Row
  readonly lastUs: number
  readonly text: string | null
}

/**
 * Keeps what each source said last of each route, after the listing rows of the same batch are saved. Reads what is there
 * first and writes what differs, which mostly is nothing. Answers the hosts of which something is said differently now.
 */
export async function saveDescriptions(
  writer: Writer,
  dialect: Dialect,
  listings: readonly Said[],
  /** Nobody had named the route before this batch: nothing is stored of it. */
  isCreated: (route: RouteId) => boolean = () => false,
): Promise<ReadonlySet<number>> {
  const first = newestWords(listings.filter(({ at }) => isCreated(at)))
  const again = newestWords(listings.filter(({ at }) => !isCreated(at)))
  const different = await differing(writer, dialect, again)
  const words = [...[...first.values()].filter(({ text }) => text !== null), ...different]
  await write(writer, dialect, words)
  return new Set(words.map(({ key }) => Number(key[0])))
}

const READ = new RowsStatement(
  (dialect, rows) => sql<Key & { text: string }>`select d.host_id, d.route_id, d.source, d.text
    from ${dialect.rows(KEY, rows)} as v cross join descriptions as d
    where d.host_id = v.host_id and d.route_id = v.route_id and d.source = v.source ${dialect.among('d.host_id', rows)}`,
)

async function differing(writer: Writer, dialect: Dialect, words: ReadonlyMap<string, Word>): Promise<Word[]> {
  if (words.size === 0) return []
  const stored = await READ.run(writer, dialect, keysOf([...words.values()]))
  const texts = new Map(stored.map((row) => [keyText([row.host_id, row.route_id, row.source]), row.text]))
  const fresh = [...words].flatMap(([key, word]) => (texts.has(key) || word.text === null ? [] : [word]))
  const other = [...words].flatMap(([key, word]) => ((texts.get(key) ?? word.text) === word.text ? [] : [word]))
  return other.length === 0 ? fresh : [...fresh, ...(await withoutOlder(writer, dialect, other))]
}

const keyText = (key: Row): string => key.join('\n')
const keysOf = (words: readonly Word[]): Row[] => words.map(({ key }) => key)

function newestWords(listings: readonly Said[]): Map<string, Word> {
  const words = new Map<string, Word>()
  for (const { at, source, description, lastUs } of listings) {
    if (description === undefined) continue
    const word: Word = { key: [at.hostId, at.routeId, source], lastUs, text: description }
    const known = words.get(keyText(word.key))
    if (known === undefined || isBefore(known, word)) words.set(keyText(word.key), word)
  }
  return words
}

const isBefore = (known: Word, word: Word): boolean =>
  known.lastUs === word.lastUs
    ? word.text !== null && (known.text === null || word.text < known.text)
    : known.lastUs < word.lastUs

/**
 * An imported file may tell of times before what is stored: only who speaks with the source's newest row is heard against
 * a text. Where there is none, a later row that says nothing about it takes nothing away.
 */
async function withoutOlder(writer: Writer, dialect: Dialect, words: readonly Word[]): Promise<Word[]> {
  const rows = words.map(({ key, lastUs }): Row => [...key, lastUs])
  const found = await sql<Key>`select v.host_id, v.route_id, v.source
    from ${dialect.hostRows({ ...KEY, last_us: 'int' }, rows)} as v
    where not exists (select 1 from listings as l where l.host_id = v.host_id and l.route_id = v.route_id
      and l.source = v.source and l.last_us > v.last_us)`.execute(writer)
  const heard = new Set(found.rows.map((row) => keyText([row.host_id, row.route_id, row.source])))
  return words.filter(({ key }) => heard.has(keyText(key)))
}

async function write(writer: Writer, dialect: Dialect, words: readonly Word[]): Promise<void> {
  const gone = words.filter(({ text }) => text === null)
  if (gone.length > 0) {
    await sql`delete from descriptions where (host_id, route_id, source) in
      (select host_id, route_id, source from ${dialect.rows(KEY, keysOf(gone))} as v)`.execute(writer)
  }
  const said = words.filter(({ text }) => text !== null).map(({ key, text }): Row => [...key, text])
  if (said.length > 0) await SAY.runLater(writer, dialect, said)
}

const SAY = new RowsStatement(
  (dialect, rows) => sql`insert into descriptions (host_id, route_id, source, text)
    select host_id, route_id, source, text from ${dialect.hostRows({ ...KEY, text: 'text' }, rows)} as v where true
    on conflict (host_id, route_id, source) do update set text = excluded.text`,
)
