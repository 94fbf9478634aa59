import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askedIn, hostNamedIn, stemOf } from './asked.ts'
import { termsOf } from './search.ts'

describe('what a search means', () => {
  it.each([
    ['cheap image api', { terms: ['image'], order: 'price' }],
    ['the fastest translation endpoint', { terms: ['translation'], order: 'latency' }],
    ['cheap', { terms: ['cheap'], order: null }],
    ['API', { terms: ['api'], order: null }],
    ['api.weather.example', { terms: ['api', 'weather', 'example'], order: null }],
    ['get weather', { terms: ['get', 'weather'], order: null }],
    ['https://Weather.example', { terms: ['weather', 'example'], order: null }],
    ['GET weather.example/', { terms: ['weather', 'example'], order: null }],
  ])('of %s is %o', (q, asked) => expect(askedIn(q)).toEqual(asked))

  it.each([
    ['http://Weather.example:80/v1/now?city=Oslo#top', 'weather.example', '/v1/now?city=Oslo'],
    ['POST weather.example:8443/v1/now', 'weather.example:8443', '/v1/now'],
    ['münchen.example/v1', 'xn--mnchen-3ya.example', '/v1'],
    ['get /v1/now', null, '/v1/now'],
    [' /v1/{city} ', null, '/v1/{city}'],
  ])('of %s is the route of %s at %s', (q, host, path) => {
    const asked = askedIn(q)
    expect(asked.route).toEqual({ host, path })
    expect(asked.terms).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(get|post|https?)$/)]))
  })

  it.each([
    ['curl -s http://weather.example/v1/now', '/v1/now'],
    [`curl -X POST 'https://weather.example/v1/now?city=Oslo' -d '{"at":"http://b.example/x"}'`, '/v1/now?city=Oslo'],
    ['is https://weather.example/v1/now down?', '/v1/now'],
  ])('of %s is the route at %s', (q, path) => {
    expect(askedIn(q).route).toEqual({ host: 'weather.example', path })
  })

  it.each([
    ['a.example vs B.example', ['a.example', 'b.example']],
    ['a.example, http://b.example:80/v1 or c.example:8443', ['a.example', 'b.example', 'c.example:8443']],
    ['what does a.example cost?', ['a.example']],
    ['weather 0.5 v1.2', undefined],
    ['a.example', undefined],
  ])('of %s are the hosts %j', (q, hosts) => expect(askedIn(q).hosts).toEqual(hosts))

  it.each([
    ['https://weather.example/v1', 'weather.example'],
    ['WEATHER.example/', 'weather.example'],
    ['WEATHER.example.', 'weather.example'],
    ['https://weather.example.:8443/v1', 'weather.example:8443'],
    ["curl -s 'https://weather.example/v1' -H 'accept: text/html'", 'weather.example'],
    ['http://weather.example:80', 'weather.example'],
    ['weather now', 'weather now'],
  ])('of %s is the host %s', (q, host) => expect(hostNamedIn(q)).toBe(host))

  it('never adds a word and never looks for nothing where something was said', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'cheap ', 'image', ' api ', '.', ' ', 'é') }), (q) => {
        const { terms } = askedIn(q)
        expect(termsOf(q)).toEqual(expect.arrayContaining([...terms]))
        expect(terms.length === 0).toBe(termsOf(q).length === 0)
      }),
    )
  })

  it.each([
    ['slashes', '/'.repeat(60_000)],
    ['dots', '_.'.repeat(30_000)],
    ['signs of a sentence', `curl a${'?'.repeat(60_000)}`],
  ])('of thousands of %s is read in one pass: the address of a page may hold them', (_, signs) => {
    const started = performance.now()
    hostNamedIn(`${signs}x b`)
    expect(performance.now() - started).toBeLessThan(1000)
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
