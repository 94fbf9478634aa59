import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askedIn, stemOf } from './asked.ts'
import { termsOf } from './search.ts'

describe('what a search means', () => {
  it.each([
    ['cheap image api', { terms: ['image'], order: 'price' }],
    ['the fastest translation endpoint', { terms: ['translation'], order: 'latency' }],
    ['cheap', { terms: ['cheap'], order: null }],
    ['API', { terms: ['api'], order: null }],
    ['api.weather.example', { terms: ['api', 'weather', 'example'], order: null }],
  ])('of %s is %o', (q, asked) => expect(askedIn(q)).toEqual(asked))

  it('never adds a word and never looks for nothing where something was said', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'cheap ', 'image', ' api ', '.', ' ', 'é') }), (q) => {
        const { terms } = askedIn(q)
        expect(termsOf(q)).toEqual(expect.arrayContaining([...terms]))
        expect(terms.length === 0).toBe(termsOf(q).length === 0)
      }),
    )
  })
})

describe('the stem of a word', () => {
  it.each([
    [['translation', 'translations', 'translate', 'translates', 'translator', 'translating'], 'translat'],
    [['summarize', 'summarizer', 'summarization'], 'summariz'],
    [['image', 'images'], 'imag'],
    [['price', 'prices', 'pricing'], 'pric'],
    [['search', 'searches', 'searching'], 'search'],
    [['map', 'maps'], 'map'],
    [['news'], 'new'],
    [['status'], 'status'],
    [['v1'], 'v1'],
    [['größe'], 'größe'],
  ])('%o is %s', (words, stem) => expect(words.map(stemOf)).toEqual(words.map(() => stem)))

  it('is what the word begins with, and never empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aeinorstylz'), minLength: 1 }), (word) => {
        expect(stemOf(word).length).toBeGreaterThan(0)
        expect(word.startsWith(stemOf(word))).toBe(true)
      }),
    )
  })
})
