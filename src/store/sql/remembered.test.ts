import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { RememberedStatement } from './remembered.ts'

onEachEngine('a remembered statement', (engine) => {
  it('answers by the numbers of each call, whatever they are, and is built once', async () => {
    const store = await engine.open()
    let built = 0
    const statement = new RememberedStatement(['a', 'b'], (_, { a, b }) => {
      built += 1
      return sql<{ first: number; word: string; second: number; sum: number }>`select cast(${a} as bigint) as first,
        cast(${'word'} as text) as word, cast(${b} as bigint) as second, cast(${a} as bigint) + cast(${b} as bigint) as sum`
    })
    const number = fc.integer({ min: -(2 ** 50), max: 2 ** 50 })
    await fc.assert(
      fc.asyncProperty(number, number, async (a, b) => {
        expect(await statement.run(store, { a, b })).toEqual([{ first: a, word: 'word', second: b, sum: a + b }])
      }),
      { numRuns: 30 },
    )
    expect(built).toBe(1)
  })

  it('is refused where a number does not reach it as it is', async () => {
    const store = await engine.open()
    const statement = new RememberedStatement(['a'], (_, { a }) => sql`select ${a + 1} as first`)
    await expect(statement.run(store, { a: 1 })).rejects.toThrow('not a parameter of the statement: a')
  })
})
