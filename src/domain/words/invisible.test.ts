import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanDescription } from './description.ts'
import { looksLikeAnother } from './invisible.ts'
import { HONEST_TEXTS } from './testing/honest-texts.ts'
import { textFault } from './text.ts'

const selector = (byte: number): string => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16)
/** Bytes behind one sign, as they are smuggled to models. */
const smuggled = (bytes: Uint8Array, behind: string): string => behind + Array.from(bytes, selector).join('')

const INVISIBLE = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u034f',
  '\u3164',
  '\uffa0',
  '\u115f',
  '\u1160',
  '\u2800',
]
const SPACES = [' ', '\n', '\t', '\u00a0', '\u2003', '\u3000', '\u1680']

describe('invisible text', () => {
  it('is refused when nothing of it is seen', () => {
    const nothing = fc.string({ unit: fc.constantFrom(...INVISIBLE, ...SPACES), minLength: 1 })
    fc.assert(
      fc.property(nothing, (text) => {
        expect(textFault(text)).toBe('the text shows nothing')
      }),
    )
  })

  it('is refused when it hides bytes in variation selectors, behind a letter or an emoji', () => {
    const behind = fc.constantFrom('a', '😊', '葛', '❤')
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 2, maxLength: 200 }), behind, (bytes, sign) => {
        expect(textFault(`Good ${smuggled(bytes, sign)} value`)).toBeDefined()
      }),
    )
  })

  it('is refused when it hides one byte behind each letter', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(255), { minLength: 1, maxLength: 200 }), (bytes) => {
        expect(textFault(bytes.map((byte) => `n${selector(byte)}`).join(''))).toBeDefined()
      }),
    )
  })

  it('is refused when zero-width characters spell something between the letters', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\u200b', '\u200c', '\u200d', '\u2060'), { minLength: 5 }), (bits) => {
        expect(textFault(bits.map((bit) => `e${bit}`).join(''))).toBeDefined()
      }),
    )
    expect(textFault('fine\u200b\u200c\u200d')).toBeDefined()
  })

  it('is refused with letters that look like nothing', () => {
    const blank = ['\u3164', '\uffa0', '\u17b4', '\u2062', '\u206a', '\ufffb', '\u{1d173}', '\u{e0080}', '\u{e0fff}']
    expect(blank.filter((letter) => textFault(`good${letter}value`) === undefined)).toEqual([])
  })

  it('is taken out of what sellers say of themselves', () => {
    expect(cleanDescription(`Weather ${smuggled(Uint8Array.of(105, 103, 110), '😊')}, hourly`)).toBe(
      'Weather 😊, hourly',
    )
    expect(cleanDescription('\u3164\u200b')).toBeNull()
    expect(cleanDescription('می‌خواهم ❤️')).toBe('می‌خواهم ❤️')
  })
})

describe('honest text', () => {
  it('is a table of 60 texts in more than 30 languages', () => {
    expect([HONEST_TEXTS.length, new Set(HONEST_TEXTS.map(([language]) => language)).size]).toEqual([60, 33])
  })

  it.each(HONEST_TEXTS)('in %s is taken: %s', (_language, text) => {
    expect(textFault(text)).toBeUndefined()
  })

  it('stays taken however such texts follow each other', () => {
    const texts = fc.array(fc.constantFrom(...HONEST_TEXTS.map(([, text]) => text)), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(texts, fc.constantFrom(' ', '\n', ' · '), (parts, between) => {
        expect(textFault(parts.join(between))).toBeUndefined()
      }),
    )
  })
})

describe('a path that looks like another', () => {
  it.each([...INVISIBLE, '\ufe0f', '\u{e0100}', '\ue000', '\u0301'.repeat(9)])('is one with %j', (sign) => {
    expect(looksLikeAnother(`/v1/x${sign}`)).toBe(true)
  })

  it('is none in letters of any script, in emoji or with escapes', () => {
    const paths = ['', '/v1/é', '/v1/e\u0301', '/日本語/{id}', '/🌧', '/v1/x%E3%85%A4', '/ไทย/ที่']
    expect(paths.filter(looksLikeAnother)).toEqual([])
  })
})
