import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainLine } from './plain.ts'

it('leaves the words of a stranger and nothing that a terminal obeys', () => {
  expect(plainLine('\u001b[31mred\u001b[0m')).toBe('red')
  expect(plainLine('\u001b]0;owned\u0007title')).toBe('title')
  expect(plainLine('one\r\nPaid by nobody')).toBe('one Paid by nobody')
  expect(plainLine('\u202egnp.exe\u200f')).toBe('gnp.exe')
  expect(plainLine('Żółć 👩🏽‍🚀 日本語')).toBe('Żółć 👩🏽‍🚀 日本語')
})

it('is one line without control characters, whatever comes', () => {
  const point = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))
  const piece = fc.constantFrom('\u001b', '\u009b', '[', ']', '0;', 'm', '\u0007', '\n', '\r', '\u2028', '\b', 'a')
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(point, piece) }), (text) => {
      expect(plainLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
    }),
    { numRuns: 500 },
  )
})

it('takes a text of spaces for as long as any other', () => {
  const spaces = ' '.repeat(200_000)
  expect(plainLine(`one${spaces}two`)).toBe(`one${spaces}two`)
  expect(plainLine(`one${spaces}\n${spaces}two`)).toBe('one two')
})
