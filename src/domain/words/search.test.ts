import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  differences,
  forgiven,
  gramsOf,
  innerGramsOf,
  isTypeable,
  nameWords,
  pathWords,
  termsOf,
  typingErrors,
} from './search.ts'

const word = fc.stringMatching(/^[a-z]{1,12}$/)

describe('the words of a text', () => {
  it('are its runs of letters and digits, in lower case', () => {
    expect(termsOf('  Weather-API  /v1/Forecast?days=7 ')).toEqual(['weather', 'api', 'v1', 'forecast', 'days', '7'])
    expect(termsOf('%_/-')).toEqual([])
  })

  it('of a host include labels joined over their hyphens, and what punycode stands for', () => {
    expect(nameWords('weather-api.seller.example:8443')).toEqual([
      'weather',
      'api',
      'seller',
      'example',
      '8443',
      'weatherapi',
    ])
    expect(nameWords('xn--mnchen-3ya.example')).toContain('münchen')
  })

  it('of a path are read through percent-encoding, also where that is broken', () => {
    expect(pathWords('/v1/%7Bcity%7D/st%C3%A4dte')).toEqual(expect.arrayContaining(['v1', 'city', 'städte']))
    expect(pathWords('/v1/100%_sure')).toEqual(['v1', '100', 'sure'])
  })

  it('are bounded in number and length, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const terms = termsOf(text)
        expect(terms.length).toBeLessThanOrEqual(6)
        for (const term of terms) expect([...term].length).toBeLessThanOrEqual(40)
        expect(termsOf(terms.join(' '))).toEqual(terms)
      }),
    )
  })
})

describe('letter sequences', () => {
  it('mark the ends of a word', () => {
    expect(gramsOf('abc')).toEqual(['  a', ' ab', 'abc', 'bc '])
  })

  it('within a word are all in every word that holds it', () => {
    fc.assert(
      fc.property(word, word, word, (before, inside, after) => {
        const whole = new Set(gramsOf(before + inside + after))
        expect(innerGramsOf(inside).filter((gram) => !whole.has(gram))).toEqual([])
      }),
    )
  })

  it('lose at most three to one typing error, so that of four one is left', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,12}$/), fc.nat(), fc.stringMatching(/^[a-z]$/), (text, at, letter) => {
        const place = at % text.length
        const wrong = text.slice(0, place) + letter + text.slice(place + 1)
        const left = new Set(gramsOf(wrong))
        const lost = gramsOf(text).filter((gram) => !left.has(gram))
        expect(lost.length).toBeLessThanOrEqual(3)
        expect(typingErrors(text, wrong)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('typing errors', () => {
  it.each([
    ['weather', 'weather', 0],
    ['weather', 'wether', 1],
    ['weather', 'weatehr', 1],
    ['weather', 'wheather', 1],
    ['forecast', 'forcats', 2],
    ['', 'abc', 3],
  ])('from %s to %s are %i', (a, b, n) => {
    expect(typingErrors(a, b)).toBe(n)
  })

  it('are the same both ways, and none only between equal words', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(typingErrors(a, b)).toBe(typingErrors(b, a))
        expect(typingErrors(a, b) === 0).toBe(a === b)
      }),
    )
  })

  it('are the same of names after what they begin with alike, of which any length may be', () => {
    fc.assert(
      fc.property(word, word, word, (start, a, b) => {
        expect(differences(start + a, start + b)).toBe(typingErrors(a, b))
      }),
    )
    const long = 'a/'.repeat(5_000)
    expect(differences(`${long}weather`, `${long}wether`)).toBe(1)
    expect(differences(`x${long}`, `y${'b/'.repeat(5_000)}`)).toBeLessThanOrEqual(80)
  })

  it('are forgiven to longer words, and not to numbers or keys', () => {
    expect([forgiven('api'), forgiven('price'), forgiven('forecast')]).toEqual([0, 1, 2])
    expect([isTypeable('weather2'), isTypeable('8453'), isTypeable('a3f09b77c1d2e4f5')]).toEqual([true, false, false])
  })
})
