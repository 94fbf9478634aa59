import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeSpan, fenced } from './quote.ts'

const text = fc.string({ unit: fc.constantFrom('`', '```', '~~~', '\n', '\r', ' ', 'a', '#', '<b>') })

describe('quoting in Markdown', () => {
  it('fences any text so that no line of it can close the fence', () => {
    fc.assert(
      fc.property(text, (inside) => {
        const quoted = fenced(inside)
        const fence = /^`+/.exec(quoted)?.[0] ?? ''
        expect(quoted).toBe(`${fence}text\n${inside}\n${fence}`)
        expect(fence.length).toBeGreaterThanOrEqual(3)
        expect(inside).not.toContain(fence)
      }),
    )
  })

  it('spans any text on one line, between runs of backticks that it does not hold', () => {
    fc.assert(
      fc.property(text, (inside) => {
        const span = codeSpan(inside)
        const run = /^`+/.exec(span)?.[0] ?? ''
        const between = span.slice(run.length, -run.length)
        expect(span.endsWith(run)).toBe(true)
        expect(span).not.toMatch(/[\n\r]/)
        expect(Array.from(between.matchAll(/`+/g), ([found]) => found)).not.toContain(run)
      }),
    )
  })

  it('leaves a plain name as it is', () => {
    expect(codeSpan('GET https://api.example.com/:id')).toBe('`GET https://api.example.com/:id`')
    expect(codeSpan('`')).toBe('`` ` ``')
  })
})
