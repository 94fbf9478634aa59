import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { rowReader } from './json-rows.ts'

const SRC = join(import.meta.dirname, '../..')
/** Here the engines may be told apart by name. */
const ITS_PLACES = /^store\/(sql|engines|migrations)\/|\.test\.tsx?$/

describe('the engines', () => {
  it('are told apart in one place: nobody else asks which one it is', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .map((file) => file.split(sep).join('/'))
      .filter((file) => /\.(tsx?|mjs)$/.test(file) && !ITS_PLACES.test(file))
    const asking = files.filter((file) => /\.engine\b|\bengine [!=]==/.test(readFileSync(join(SRC, file), 'utf8')))
    expect(files.length).toBeGreaterThan(200)
    expect(asking).toEqual([])
  })
})

onEachEngine('a dialect', (engine) => {
  it('takes rows with nulls as a table, and gives rows back as JSON in their order, lists within them too', async () => {
    const { dialect, read } = await engine.open()
    const columns = { id: 'int', name: 'text' } as const
    const rows = dialect.rows(columns, [
      [2, 'b'],
      [1, null],
      [3, '"ü'],
    ])
    const inner = dialect.jsonRows({ n: 'value' }, sql`select v.id as n from ${rows} as v order by v.id`)
    const listed = { id: 'value', name: 'value', all: { n: 'value' } } as const
    const outer = dialect.jsonRows(
      listed,
      sql`select v.id, v.name, ${inner} as "all" from ${rows} as v order by v.id desc limit 2`,
    )
    const found = await sql<{ list: string }>`select ${outer} as list`.execute(read)
    const all = [{ n: 1 }, { n: 2 }, { n: 3 }]
    expect(rowReader(listed)(found.rows[0]?.list ?? '[]')).toEqual([
      { id: 3, name: '"ü', all },
      { id: 2, name: 'b', all },
    ])
  })

  it('takes every number and every text as it is', async () => {
    const { dialect, read } = await engine.open()
    const number = fc.option(fc.maxSafeInteger())
    const text = fc.option(
      fc.oneof(
        fc.string({ unit: 'binary' }).map((made) => made.replaceAll('\0', '')),
        fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', '\\"', ' ', '\n', 'é'.repeat(1000), '😀'),
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(number, text)), async (rows) => {
        const all = dialect.rows(
          { place: 'int', n: 'int', said: 'text' },
          rows.map(([n, said], place) => [place, n, said]),
        )
        const found = await sql<{ n: number | null; said: string | null }>`select v.n, v.said
          from ${all} as v order by v.place`.execute(read)
        expect(found.rows.map(({ n, said }) => [n, said])).toEqual(rows)
      }),
      { numRuns: 50 },
    )
  })

  it('writes what is said beside rows into them: lists as lists, and texts that look like lists as texts', async () => {
    const { dialect, read } = await engine.open()
    const rows = dialect.rows({ id: 'int', name: 'text' }, [
      [1, '[1]'],
      [2, null],
    ])
    const columns = { id: 'value', said: 'value', none: { n: 'value' }, all: { n: 'value', name: 'value' } } as const
    const listed = (which: ReturnType<typeof sql>) =>
      dialect.jsonRows(
        { n: 'value', name: 'value' },
        sql`select v.id as n, v.name from ${rows} as v where ${which} order by v.id`,
      )
    const list = dialect.jsonRows(columns, sql`select v.id, v.name from ${rows} as v order by v.id desc`, {
      as: 'o',
      columns: { said: sql`o.name`, none: listed(sql`v.id < 0`), all: listed(sql`v.id <= o.id`) },
    })
    const found = await sql<{ list: string }>`select ${list} as list`.execute(read)
    const [first, second] = [
      { n: 1, name: '[1]' },
      { n: 2, name: null },
    ]
    expect(rowReader(columns)(found.rows[0]?.list ?? '[]')).toEqual([
      { id: 2, said: null, none: [], all: [first, second] },
      { id: 1, said: '[1]', none: [], all: [first] },
    ])
  })

  it('gives every text and number of its rows back as it was', async () => {
    const { dialect, read } = await engine.open()
    const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed())
    const row = fc.tuple(
      fc.option(fc.maxSafeInteger(), { nil: null }),
      fc.option(fc.oneof(texts, fc.constantFrom('"', '\\', '\\"', '{}', ',', 'NULL', '', ' ')), { nil: null }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (given) => {
        const rows = given.map(([id, text], place) => [place, id, text])
        const columns = { place: 'int', id: 'int', name: 'text' } as const
        const found = await sql<{ id: number | null; name: string | null }>`select v.id, v.name
          from ${dialect.rows(columns, rows)} as v order by v.place`.execute(read)
        expect(found.rows.map(({ id, name }) => [id, name])).toEqual(given)
      }),
      { numRuns: 50 },
    )
  })

  it('compares two values as if a missing one were not there', async () => {
    const { dialect, read } = await engine.open()
    const [one, two, none] = [sql`cast(1 as bigint)`, sql`cast(2 as bigint)`, sql`cast(null as bigint)`]
    const found = await sql<Record<string, number | null>>`select ${dialect.greatest(one, two)} as more,
      ${dialect.least(one, two)} as less, ${dialect.greatest(none, one)} as other, ${dialect.least(one, none)} as same,
      ${dialect.greatest(none, none)} as neither`.execute(read)
    expect(found.rows).toEqual([{ more: 2, less: 1, other: 1, same: 1, neither: null }])
  })

  it('answers which rows an insert got, each by its key', async () => {
    const store = await engine.open()
    const { dialect } = store
    const inserted = await store.write((writer) => {
      const rows = dialect.rows({ host_id: 'int', name: 'text' }, [
        [1, 'one.example'],
        [2, 'two.example'],
      ])
      const insert = sql`insert into hosts (host_id, name) select host_id, name from ${rows} as v where true
        on conflict (host_id) do nothing`
      return dialect.insertFree(writer, insert, [{ host_id: 1 }, { host_id: 2 }])
    })
    expect(inserted.toSorted((a, b) => a.host_id - b.host_id)).toEqual([{ host_id: 1 }, { host_id: 2 }])
  })

  it('has one clock, in microseconds, that nothing settled is ahead of', async () => {
    const { dialect, read } = await engine.open()
    const clock = sql<{ us: number }>`select ${dialect.nowUs} as us`
    const before = (await clock.execute(read)).rows[0]?.us ?? 0
    const completeUntilUs = await dialect.completeUntilUs(read, sql`0`)
    const after = (await clock.execute(read)).rows[0]?.us ?? 0
    expect(after).toBeGreaterThanOrEqual(before)
    expect(completeUntilUs ?? after).toBeLessThanOrEqual(after)
    expect(before).toBeGreaterThan(Date.UTC(2026, 0) * 1000)
  })
})
