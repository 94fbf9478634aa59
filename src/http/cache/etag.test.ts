import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { etagMatches, etagOf } from './etag.ts'

describe('an entity tag', () => {
  it('is the same for the same bytes alone', () => {
    expect(etagOf(Buffer.from('page'))).toBe(etagOf(Buffer.from('page')))
    expect(etagOf(Buffer.from('page'))).not.toBe(etagOf(Buffer.from('other page')))
    expect(etagOf(Buffer.from(''))).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
  })

  it.each(['"a"', 'W/"a"', '*', ' * ', '"b", "a"', '"x,y",W/"a"', '"b" , W/"c", "a"'])('"a" is met by %s', (header) => {
    expect(etagMatches(header, '"a"')).toBe(true)
  })

  it.each(['', '"b"', 'a', '"a', '"A"', '"x,"a"', '"aa"'])('"a" is not met by %s', (header) => {
    expect(etagMatches(header, '"a"')).toBe(false)
  })

  it('is found at any place of any list of tags', () => {
    const tag = fc.string({ unit: fc.constantFrom(...'ab,-_') }).map((text) => `"${text}"`)
    fc.assert(
      fc.property(fc.array(tag), fc.array(tag), tag, fc.boolean(), (before, after, own, weak) => {
        const header = [...before, weak ? `W/${own}` : own, ...after].join(', ')
        expect(etagMatches(header, own)).toBe(true)
        expect(etagMatches(header, '"not among them!"')).toBe(false)
      }),
    )
  })
})
