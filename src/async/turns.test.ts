import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Turns } from './turns.ts'

it('gives each who asks a turn of the event loop, in the order of asking, and lets others in between', async () => {
  const turns = new Turns()
  const order: string[] = []
  const asking = ['a', 'b', 'c'].map((name) => turns.next().then(() => order.push(name)))
  const watching = (async () => {
    for (let turn = 1; turn <= 3; turn++) {
      await setImmediate()
      order.push(`turn ${turn}`)
    }
  })()
  await Promise.all([...asking, watching])
  expect(order.filter((one) => one.length === 1)).toEqual(['a', 'b', 'c'])
  expect(order.join()).not.toMatch(/a,b|b,c/)
})
