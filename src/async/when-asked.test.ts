import { expect, it } from 'vitest'
import { whenAsked } from './when-asked.ts'

it('Nothing is made before somebody asks, once for all who ask, and again only where it failed.', async () => {
  const makings = ['fails', 'one', 'two']
  const asked = whenAsked(async () => {
    const making = makings.shift()
    if (making === 'fails') throw new Error(making)
    return making
  })
  expect(makings).toHaveLength(3)
  await expect(asked()).rejects.toThrow('fails')
  expect(await Promise.all([asked(), asked()])).toEqual(['one', 'one'])
  expect(await asked()).toBe('one')
})
