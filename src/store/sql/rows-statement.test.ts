import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import type { Dialect, Row, Rows } from './dialect.ts'
import { runLater } from './later.ts'
import { RowsStatement } from './rows-statement.ts'

const COLUMNS = { id: 'int', name: 'text' } as const

const select = (dialect: Dialect, rows: Rows) => sql<{
  id: number
  name: string | null
  word: string
}>`select v.id, v.name,
    cast(${'word'} as text) as word from ${dialect.rows(COLUMNS, rows)} as v order by v.id`

onEachEngine('a statement of rows', (engine) => {
  it('answers as one that is put together for these rows alone, and is built once', async () => {
    const { read, dialect } = await engine.open()
    let built = 0
    const statement = new RowsStatement((own, rows) => {
      built += 1
      return select(own, rows)
    })
    const text = fc.string({ unit: 'binary' }).map((made) => made.replaceAll('\0', ''))
    const row = fc.tuple(fc.maxSafeInteger(), fc.option(text, { nil: null }))
    const rows = fc.uniqueArray(row, { selector: ([id]) => id })
    await fc.assert(
      fc.asyncProperty(rows, async (given: Row[]) => {
        const { rows: found } = await select(dialect, given).execute(read)
        expect(await statement.run(read, dialect, given)).toEqual(found)
        expect(found).toHaveLength(given.length)
      }),
      { numRuns: 30 },
    )
    expect(built).toBe(1)
  })

  it('writes what it is given, where nobody waits for it too', async () => {
    const store = await engine.open()
    const { dialect } = store
    const insert = new RowsStatement(
      (own, rows) => sql`insert into hosts (host_id, name)
        select id, name from ${own.rows(COLUMNS, rows)} as v where true`,
    )
    await store.write(async (writer) => {
      await insert.run(writer, dialect, [[1, 'one.example']])
      await insert.runLater(writer, dialect, [
        [2, 'two.example'],
        [3, 'three.example'],
      ])
    })
    const failing = store.write((writer) => insert.runLater(writer, dialect, [[3, 'again.example']]))
    await expect(failing).rejects.toThrow()
    const found = await store.read.selectFrom('hosts').selectAll().orderBy('host_id').execute()
    expect(found.map(({ name }) => name)).toEqual(['one.example', 'two.example', 'three.example'])
  })

  it('writes rows with long texts as they are, in their order with what else nobody waits for, or nothing of them', async () => {
    const store = await engine.open()
    const { dialect } = store
    const insert = new RowsStatement(
      (own, rows) => sql`insert into log_entries (entry_id, host_id, body)
        ${own.longRows({ entry_id: 'int', host_id: 'int', body: 'text' }, rows)}`,
    )
    const body = `"${'long \\ '.repeat(5000)}\n${'💸'.repeat(100)}`
    await store.write(async (writer) => {
      await insert.runLater(writer, dialect, [
        [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, body],
        [2, null, ''],
      ])
      await runLater(writer, sql`update log_entries set body = 'said after it' where entry_id = 2`)
    })
    const failing = store.write((writer) =>
      insert.runLater(writer, dialect, [
        [3, 1, 'new'],
        [2, 1, 'there'],
        [4, 1, 'new'],
      ]),
    )
    await expect(failing).rejects.toThrow(/unique|duplicate/i)
    const found = await store.read.selectFrom('log_entries').selectAll().orderBy('entry_id').execute()
    expect(found).toEqual([
      { entry_id: 2, host_id: null, body: 'said after it' },
      { entry_id: Number.MAX_SAFE_INTEGER, host_id: Number.MAX_SAFE_INTEGER - 1, body },
    ])
  })
})
