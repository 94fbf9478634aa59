import { describe, expect, it } from 'vitest'
import { ALL_HOSTS } from '../../../test/support/directory.ts'
import { isOfPaying, readByWords } from './read-by-words.ts'

const read = (q: string) => {
  const one = readByWords({ ...ALL_HOSTS, q, sort: 'match' })
  return one && [one.q, one.network, one.maxPrice, one.sort]
}

describe('a search as its words may be meant', () => {
  it.each([
    ['weather under 1 cent', ['weather', null, 10_000, 'match']],
    ['weather below a cent per call', ['weather', null, 10_000, 'match']],
    ['images < $0.05', ['images', null, 50_000, 'match']],
    ['less than 0.5¢', [null, null, 5000, 'host']],
    ['up to 2 dollars', [null, null, 2_000_000, 'host']],
    ['images at most 0,05', ['images', null, 50_000, 'match']],
    ['cheapest weather api on solana under 5 cents?', ['cheapest weather api', 'solana', 50_000, 'match']],
    ['cheapest on base', [null, 'base', null, 'price']],
    ['weather under 5', ['weather', null, null, 'match']],
    ['what does weather cost?', ['weather', null, null, 'match']],
  ])('of %s is %j', (q, asked) => expect(read(q)).toEqual(asked))

  it.each(['weather', 'USDC', 'top 5', 'under 5', 'apis', '84532', '', 'https://a.example/v1?max=1'])(
    'is none of %s',
    (q) => {
      expect(read(q)).toBeNull()
    },
  )

  it('never guesses the unit of a price', () => {
    for (const q of ['weather under 5', 'weather under 0.0000001', 'weather under 0.00001 cents'])
      expect(readByWords({ ...ALL_HOSTS, q })?.maxPrice ?? null).toBeNull()
  })

  it('chooses nothing that is chosen', () => {
    expect(readByWords({ ...ALL_HOSTS, q: 'images on base', network: 'solana' })?.network).toBe('solana')
    expect(readByWords({ ...ALL_HOSTS, q: 'images under 1 cent', maxPrice: 5 })?.maxPrice).toBe(5)
  })

  it('is of paying where all of its words are', () => {
    for (const q of ['USDC', 'pay in usdc']) expect(isOfPaying(q)).toBe(true)
    for (const q of ['usdc images', '', '?']) expect(isOfPaying(q)).toBe(false)
  })
})
