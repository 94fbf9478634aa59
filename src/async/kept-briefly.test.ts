import { expect, it } from 'vitest'
import { KeptBriefly } from './kept-briefly.ts'

function keeping(most = 10) {
  let nowMs = 0
  let finds = 0
  const kept = new KeptBriefly<string>(1000, most, () => nowMs)
  const get = (name: string, found: () => Promise<string> = async () => name) =>
    kept.get(name, () => {
      finds += 1
      return found()
    })
  return { get, finds: () => finds, pass: (ms: number) => (nowMs += ms) }
}

it('finds once what is asked for again while it is looked for, or shortly after', async () => {
  const { get, finds, pass } = keeping()
  expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['a', 'a', 'b'])
  pass(999)
  expect(await get('a')).toBe('a')
  expect(finds()).toBe(2)
  pass(1)
  expect(await get('a')).toBe('a')
  expect(finds()).toBe(3)
})

it('finds again what failed, and what was forgotten for others', async () => {
  const { get, finds } = keeping(2)
  await expect(get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await get('a')).toBe('a')
  await get('b')
  await get('c')
  expect(finds()).toBe(4)
  await get('a')
  expect(finds()).toBe(5)
})
