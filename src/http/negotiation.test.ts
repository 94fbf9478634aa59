import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CODINGS, chooseCoding, chooseFormat, FORMATS, MEDIA_TYPES, prefersPage } from './negotiation.ts'

const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe('the format of a page', () => {
  it.each([
    [undefined, 'html'],
    ['', 'html'],
    ['*/*', 'html'],
    [CHROME, 'html'],
    ['text/*', 'html'],
    ['text/markdown', 'md'],
    ['application/json', 'json'],
    ['application/*', 'json'],
    ['TEXT/Markdown ; Q=0.5', 'md'],
    ['text/html;q=0.5, application/json', 'json'],
    ['text/markdown, text/html, */*', 'md'],
    ['text/html, text/markdown, application/json', 'md'],
    ['text/html, application/json', 'html'],
    ['application/json, text/markdown', 'md'],
    ['text/html;q=0.4, text/markdown;q=0.8, application/json;q=0.6', 'md'],
    ['text/html;q=0, */*', 'md'],
    ['text/*;q=0, */*', 'json'],
    ['text/*;q=0.9, text/html;q=0.1, application/json;q=0.5', 'md'],
    ['application/json, text/plain, */*', 'json'],
    ['text/html;charset=utf-8', 'html'],
    ['text/html;charset="UTF-8";q=0.2, text/markdown;q=0.1', 'html'],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'html'],
    ['text/html;x="a,b";q=1, application/json;q=0.1', 'json'],
  ])('for %s is %s', (accept, format) => {
    expect(chooseFormat(accept)).toBe(format)
  })

  it.each(['image/png', 'text/html;q=0', '*/*;q=0', 'text/html;level=1', 'text/plain, image/*;q=0.5'])(
    'does not exist for %s',
    (accept) => {
      expect(chooseFormat(accept)).toBeUndefined()
    },
  )

  const quality = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)
  const ranges = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('text/html', 'text/markdown', 'application/json', 'text/*', 'application/*', '*/*', 'a/b'),
      q: quality,
    }),
    { selector: ({ name }) => name, minLength: 1 },
  )

  it('is never one that the client gave weight 0, and has the highest weight of all', () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const weightOf = (mediaType: string): number => {
          const names = [mediaType, `${mediaType.split('/')[0]}/*`, '*/*']
          const name = names.find((one) => list.some((range) => range.name === one))
          return list.find((range) => range.name === name)?.q ?? 0
        }
        const weights = FORMATS.map((format) => weightOf(MEDIA_TYPES[format]))
        const chosen = chooseFormat(list.map(({ name, q }) => `${name};q=${q}`).join(', '))
        const best = Math.max(...weights)
        if (best === 0) expect(chosen).toBeUndefined()
        else expect(chosen && weightOf(MEDIA_TYPES[chosen])).toBe(best)
      }),
    )
  })

  it('does not depend on the order in which types are listed', () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const header = list.map(({ name, q }) => `${name};q=${q}`)
        expect(chooseFormat(header.toReversed().join(','))).toBe(chooseFormat(header.join(',')))
      }),
    )
  })

  it('is one of those on offer or none, whatever the header holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab/*;,q=01."\\ ') }), (accept) => {
        expect([...FORMATS, undefined]).toContain(chooseFormat(accept))
      }),
    )
  })
})

describe('an error', () => {
  it.each([CHROME, 'text/html', 'text/html, */*', 'text/html, application/json;q=0.9, text/markdown;q=0.9'])(
    'is a page for %s',
    (accept) => {
      expect(prefersPage(accept)).toBe(true)
    },
  )

  it.each([
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json, text/html',
    'text/html, application/problem+json',
    'text/markdown, text/html, */*',
    'text/html;q=0.5, */*',
    'text/html;q=0',
  ])('is a document for %s', (accept) => {
    expect(prefersPage(accept)).toBe(false)
  })
})

describe('the coding of a page', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.5', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['identity, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['*;q=0, identity', 'identity'],
    ['deflate', 'identity'],
    ['identity;q=0, *', 'br'],
  ])('for %s is %s', (header, coding) => {
    expect(chooseCoding(header)).toBe(coding)
  })

  it.each(['*;q=0', 'identity;q=0', 'identity;q=0, gzip;q=0, br;q=0'])('does not exist for %s', (header) => {
    expect(chooseCoding(header)).toBeUndefined()
  })

  it('is never one with weight 0, and plain bytes are excluded only by name or by *', () => {
    const weight = fc.option(fc.constantFrom(0, 0.2, 0.5, 1))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('br', 'gzip', 'identity', '*', 'zstd'), weight), (given) => {
        const entries = Object.entries(given).map(([name, q]): [string, number] => [name, q ?? 1])
        const weights = new Map(entries)
        const chosen = chooseCoding(entries.map(([name, q]) => `${name};q=${q}`).join(', '))
        const refused = (coding: string): boolean => (weights.get(coding) ?? weights.get('*')) === 0
        if (chosen !== undefined) expect(refused(chosen)).toBe(false)
        else expect(refused('identity')).toBe(true)
        expect([...CODINGS, undefined]).toContain(chosen)
      }),
    )
  })
})
