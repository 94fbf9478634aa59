import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Store } from '../../src/store/store.ts'
import type { Seeded } from '../../test/crash/seeded.ts'
import { picked } from './picked.ts'

type Value = string | number | Uint8Array | null
type Row = Readonly<Record<string, Value>>

/** A change that was made behind the store's back. */
export interface StoreChange {
  readonly kind: string
  readonly what: string
  /** Makes everything as it was. */
  undo(): Promise<void>
}

type Way = 'changed' | 'back-dated' | 'dropped' | 'inserted' | 'raised'

interface Spoiling {
  readonly table: string
  readonly key: readonly string[]
  readonly way: Way
  /** What becomes of a row; `null`: it goes. */
  readonly into: ((row: Row, random: Seeded) => Row) | null
  readonly column: string
  /** Rows that this can be done to. */
  readonly where?: string
}

const text = (value: Value | undefined): string => String(value ?? '')
const number = (value: Value | undefined): number => Number(value ?? 0)

/** What can be done to the rows of a table. */
class Table {
  readonly ways: Spoiling[] = []

  constructor(
    readonly table: string,
    readonly key: readonly string[],
  ) {}

  set(column: string, into: (value: Value) => Value, where?: string): this {
    return this.#add('changed', column, (row) => ({ ...row, [column]: into(row[column] ?? null) }), where)
  }

  raised(...columns: readonly string[]): this {
    for (const column of columns) this.#add('raised', column, (row) => ({ ...row, [column]: number(row[column]) + 1 }))
    return this
  }

  backDated(...columns: readonly string[]): this {
    for (const column of columns)
      this.#add('back-dated', column, (row, random) => ({
        ...row,
        [column]: number(row[column]) - random.between(1, 1_000_000),
      }))
    return this
  }

  dropped(): this {
    return this.#add('dropped', 'row', null)
  }

  /** Another one with the same words, under a key of its own. */
  inserted(column: string, into: (value: Value) => Value): this {
    return this.#add('inserted', column, (row) => ({ ...row, [column]: into(row[column] ?? null) }))
  }

  #add(way: Way, column: string, into: Spoiling['into'], where?: string): this {
    const { table, key } = this
    this.ways.push({ table, key, way, column, into, ...(where === undefined ? {} : { where }) })
    return this
  }
}

const more = (value: Value): Value => `${text(value)}!`
const another = (value: Value): Value => `${text(value)}-2`
const next = (value: Value): Value => number(value) + 1
const other = (value: Value): Value => (value === null ? 'another' : null)

const laterYear = (body: Value): string => text(body).replace('{"at":"2', '{"at":"3')

/** A bundle of entries as it is kept, with one of them changed. */
const repacked = (body: Value): Value =>
  body instanceof Uint8Array ? gzipSync(Buffer.from(laterYear(gunzipSync(body).toString('latin1')), 'latin1')) : body

/** Everything that an operator could change of what is stored and shown. */
const SPOILINGS: readonly Spoiling[] = [
  new Table('probes', ['host_id', 'route_id', 'at_us', 'status', 'latency_ms'])
    .set('error', other)
    .set('status', (status) => (status === 402 ? 200 : 402))
    .set('latency_ms', next)
    .set('challenge_id', () => null, 'challenge_id is not null')
    .set('log_id', next)
    .backDated('at_us')
    .dropped()
    .inserted('at_us', (at) => number(at) + 13),
  new Table('listings', ['host_id', 'route_id', 'source', 'price', 'network'])
    .set('price', next)
    .set('network', more)
    .set('gone_us', (gone) => (gone === null ? 1_700_000_000_000_000 : null))
    .set('log_id', next)
    .backDated('first_us')
    .dropped()
    .inserted('source', another),
  new Table('reviews', ['host_id', 'review_id'])
    .set('rating', (rating) => (number(rating) % 5) + 1)
    .set('text', more)
    .set('wallet', more)
    .set('signature', more)
    .set('level', () => 'Verified buyer')
    .set('excluded', () => 'founder')
    .set('superseded', (is) => 1 - number(is))
    .backDated('submitted_us')
    .dropped()
    .inserted('review_id', another),
  new Table('posts', ['host_id', 'post_id'])
    .set('text', more)
    .set('wallet', more)
    .set('signature', more)
    .backDated('posted_us')
    .dropped()
    .inserted('post_id', another),
  new Table('claims', ['host_id', 'wallet_key'])
    .set('signature', more)
    .set('directory', other)
    .backDated('claimed_us')
    .dropped(),
  new Table('claim_proofs', ['host_id', 'wallet_key', 'proof', 'since_us'])
    .set('until_us', (until) => (until === null ? 1_800_000_000_000_000 : null))
    .backDated('since_us')
    .dropped(),
  new Table('statements', ['host_id', 'statement_id'])
    .set('text', more)
    .set('about', more)
    .set('wallet', more)
    .set('hidden_us', (hidden) => (hidden === null ? 1_800_000_000_000_000 : null))
    .backDated('submitted_us')
    .dropped()
    .inserted('statement_id', another),
  new Table('signed_offers', ['host_id', 'route_id', 'offer_id'])
    .set('body', (body) => text(body).replace('10000', '20000'))
    .set('log_id', next)
    .backDated('first_us')
    .dropped(),
  new Table('sweeps', ['source', 'started_us'])
    .set('seen', next)
    .set('stored', next)
    .backDated('started_us', 'ended_us'),
  new Table('host_counters', ['host_id'])
    .raised('answers', 'correct_402', 'failed', 'unreachable', 'reviews_signed', 'reviews_verified', 'reviews_excluded')
    .raised('newest_probe_us', 'latency_max_ms'),
  new Table('log_entries', ['entry_id']).set('body', laterYear),
  new Table('log_bundles', ['n']).set('body', repacked).dropped(),
].flatMap(({ ways }) => ways)

/** Changes one row of one table, as chance says; `null` where the table has none that it can be done to. */
export async function spoilStore(store: Store, random: Seeded): Promise<StoreChange | null> {
  const { table, key, way, into, column, where = 'true' } = picked(random, SPOILINGS)
  const rows = (await sql<Row>`select * from ${sql.table(table)} where ${sql.raw(where)}`.execute(store.read)).rows
  if (rows.length === 0) return null
  const row = picked(random, rows)
  const spoilt = into === null ? null : into(row, random)
  const keyOf = (of: Row): Row => Object.fromEntries(key.map((name) => [name, of[name] ?? null]))
  await swap(store, table, way === 'inserted' ? null : keyOf(row), spoilt)
  return {
    kind: way === 'raised' ? 'counters raised' : `rows ${way}`,
    what: `${table}: ${column} ${way}`,
    undo: () => swap(store, table, spoilt && keyOf(spoilt), way === 'inserted' ? null : row),
  }
}

/** One row goes, another comes, and what is cached of hosts is made anew. */
const swap = (store: Store, table: string, gone: Row | null, come: Row | null): Promise<void> =>
  store.write(async (writer) => {
    if (gone !== null) {
      const conditions = Object.entries(gone).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
      await sql`delete from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`.execute(writer)
    }
    if (come !== null) {
      const names = Object.keys(come).map((name) => sql.ref(name))
      await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(Object.values(come))})`.execute(
        writer,
      )
    }
    await sql`update host_counters set version = version + 1`.execute(writer)
  })
