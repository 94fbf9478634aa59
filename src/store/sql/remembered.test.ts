import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { RememberedStatement } from './remembered.ts'

onEachEngine('a remembered statement', (engine) => {
  it('answers by the values of each call, whatever they are, and is built once', async () => {
    const store = await engine.open()
    let built = 0
    const statement = new RememberedStatement({ a: 0, b: 0, said: '' }, (_, { a, b, said }) => {
      built += 1
      return sql<{ first: number; word: string; second: number; sum: number; said: string }>`select
        cast(${a} as bigint) as first, cast(${'word'} as text) as word, cast(${b} as bigint) as second,
        cast(${a} as bigint) + cast(${b} as bigint) as sum, cast(${said} as text) as said`
    })
    const number = fc.integer({ min: -(2 ** 50), max: 2 ** 50 })
    const text = fc.string({ unit: 'binary' }).map((made) => made.replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(number, number, text, async (a, b, said) => {
        const found = await statement.run(store, { a, b, said })
        expect(found).toEqual([{ first: a, word: 'word', second: b, sum: a + b, said }])
      }),
      { numRuns: 30 },
    )
    expect(built).toBe(1)
  })

  it('tells a question mark of its own text from a value', async () => {
    const store = await engine.open()
    const statement = new RememberedStatement(
      { a: 0 },
      (_, { a }) =>
        sql<{ said: string; sum: number }>`select '?' as said, cast(${a} as bigint) + cast(${a} as bigint) as sum`,
    )
    expect(await statement.run(store, { a: 4 })).toEqual([{ said: '?', sum: 8 }])
  })

  it('is refused where a value does not reach it as it is', async () => {
    const store = await engine.open()
    const statement = new RememberedStatement({ a: 0 }, (_, { a }) => sql`select ${a + 1} as first`)
    await expect(statement.run(store, { a: 1 })).rejects.toThrow('not a parameter of the statement: a')
  })
})
