import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_TEXT, lineFault, textFault } from './text.ts'

const HIDDEN = 'the text holds control, bidirectional, tag or private-use characters'
const between = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))

/** Any code point, halves of surrogate pairs too. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)) })

describe('textFault', () => {
  it('refuses every control character but the new line and the tab', () => {
    const controls = [...between(0, 0x1f), ...between(0x7f, 0x9f)]
    expect(controls.filter((letter) => textFault(`a${letter}b`) === undefined)).toEqual(['\t', '\n'])
  })

  it('refuses what turns, hides or means nothing', () => {
    const hidden = [
      ...between(0x202a, 0x202e),
      ...between(0x2066, 0x2069),
      ...['\u061c', '\u200e', '\u200f'],
      ...between(0xe0000, 0xe007f),
      ...['\ue000', '\uf8ff', '\u{f0000}', '\u{10fffd}'],
      ...['\ufdd0', '\ufffe', '\uffff', '\u{1ffff}', '\u{10ffff}'],
    ]
    expect(hidden.filter((letter) => textFault(`a${letter}b`) !== HIDDEN)).toEqual([])
  })

  it('takes the writing of people', () => {
    const fine = [
      'a',
      'line\nbreak\ttab',
      'Żółć',
      'नमस्ते',
      'שלום',
      'مرحبا',
      '日本語',
      '👩🏽‍🚀',
      '🏳️‍🌈',
      ' spaces ',
      '€ ½ “”',
    ]
    expect(fine.filter((text) => textFault(text) !== undefined)).toEqual([])
  })

  it('refuses half a character', () => {
    expect(textFault('a\ud83d')).toBe('the text is not well-formed Unicode')
    expect(textFault('\ude80a')).toBe('the text is not well-formed Unicode')
  })

  it('counts code points: 1 to 4,000 of them', () => {
    expect(textFault('')).toBe('the text is empty')
    fc.assert(
      fc.property(
        fc.constantFrom('a', 'é', '日', '👍'),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        (letter, n, most) => {
          expect(textFault(letter.repeat(n), most)).toBe(
            n <= most ? undefined : `the text is longer than ${most} characters`,
          )
        },
      ),
    )
    expect(textFault('👍'.repeat(LONGEST_TEXT))).toBeUndefined()
    expect(textFault('👍'.repeat(LONGEST_TEXT + 1))).toBe('the text is longer than 4000 characters')
  })

  it('survives being stored as UTF-8, whatever is taken', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (textFault(text) !== undefined) return
        expect(Buffer.from(text).toString()).toBe(text)
        expect(text).not.toContain('\0')
      }),
      { numRuns: 1000 },
    )
  })
})

describe('lineFault', () => {
  it('refuses what would break or move the line it is printed in', () => {
    const broken = [
      'a\nb',
      'a\tb',
      'a\rb',
      'a\u2028b',
      'a\u2029b',
      'a\u0085b',
      'a\vb',
      'a\fb',
      ' a',
      'a ',
      '\u00a0a',
      '\ufeffa',
      '\n',
      '',
    ]
    expect(broken.filter((text) => lineFault(text, 100) === undefined)).toEqual([])
  })

  it('takes a name and stops at the length it is given', () => {
    expect(lineFault('bazaar', 6)).toBeUndefined()
    expect(lineFault('bazaars', 6)).toBe('the text is longer than 6 characters')
    expect(lineFault('two words', 100)).toBeUndefined()
  })

  it('refuses whatever textFault refuses', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (textFault(text, 20) !== undefined) expect(lineFault(text, 20)).toBeDefined()
      }),
    )
  })
})
