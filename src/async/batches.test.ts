import { expect, it } from 'vitest'
import { Batches } from './batches.ts'

/** Doubles numbers and remembers what came together. */
function doubling(most: number, fails: (items: readonly number[]) => boolean = () => false) {
  const seen: (readonly number[])[] = []
  const batches = new Batches<number, number>(most, async (items) => {
    seen.push(items)
    if (fails(items)) throw new Error(`no ${items.join()}`)
    return items.map((item) => item * 2)
  })
  return { batches, seen }
}

it('does together what is asked for in the same turn, and answers each with its own', async () => {
  const { batches, seen } = doubling(4)
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => batches.add(n)))
  expect(answers).toEqual([2, 4, 6, 8, 10, 12])
  expect(seen).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ])
})

it('takes what comes while a batch is under way into the next one', async () => {
  const { batches, seen } = doubling(4)
  const later = batches.add(1).then(() => batches.add(2))
  await Promise.all([later, batches.add(3)])
  expect(await batches.add(4)).toBe(8)
  expect(seen).toEqual([[1, 3], [2], [4]])
})

it('lets nobody fail for another one', async () => {
  const { batches, seen } = doubling(4, (items) => items.includes(2))
  const results = await Promise.allSettled([1, 2, 3].map((n) => batches.add(n)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { message: 'no 2' } })
  expect(seen).toEqual([[1, 2, 3], [1], [2], [3]])
})
