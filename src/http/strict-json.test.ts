import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStrictJson } from './strict-json.ts'

const reasonOf = (text: string): string => {
  const reading = parseStrictJson(text)
  return reading.ok ? 'taken' : reading.reason
}

describe('strict JSON', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 1, 2), (text, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent)
        expect(parseStrictJson(written)).toEqual({ ok: true, value: JSON.parse(written) })
      }),
    )
  })

  it('refuses everything that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:01\\eu '), maxLength: 12 }), (text) => {
        let known = true
        try {
          JSON.parse(text)
        } catch {
          known = false
        }
        if (!known) expect(reasonOf(text)).toBe('the body is not JSON')
      }),
      { numRuns: 1000 },
    )
  })

  it('refuses a key given twice at any depth, however it is escaped', () => {
    const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    const escaped = (text: string): string =>
      `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
    fc.assert(
      fc.property(key, fc.integer({ min: 0, max: 7 }), fc.boolean(), (name, depth, rewrite) => {
        const second = rewrite ? escaped(name) : JSON.stringify(name)
        const object = `{${JSON.stringify(name)}: 1, "other\\"{": [{}], ${second}: 2}`
        expect(reasonOf(`${'['.repeat(depth)}${object}${']'.repeat(depth)}`)).toContain('twice')
      }),
    )
  })

  it('takes the same key in different objects, and keys that only look like structure', () => {
    expect(reasonOf('{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"{\\"a\\":1,\\"a\\":2}","{":"[","[":"\\\\"}')).toBe('taken')
  })

  it('goes ten levels deep and no further', () => {
    const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth)
    expect(reasonOf(nested(10, '[', ']'))).toBe('taken')
    expect(reasonOf(nested(11, '[', ']'))).toContain('10 levels')
    expect(reasonOf(`${'{"a":'.repeat(11)}1${'}'.repeat(11)}`)).toContain('10 levels')
    expect(reasonOf(nested(8000, '[', ']'))).toContain('10 levels')
    expect(reasonOf(`[${'[],'.repeat(500)}[]]`)).toBe('taken')
  })
})
