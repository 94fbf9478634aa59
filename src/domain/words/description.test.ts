import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOSTILE_TEXTS } from '../../render/testing/hostile-texts.ts'
import { cleanDescription, joinDescriptions, LONGEST_DESCRIPTION } from './description.ts'
import { HONEST_TEXTS } from './testing/honest-texts.ts'
import { lineFault } from './text.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc.string({ unit: 'grapheme', maxLength: 700 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 700 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(...HOSTILE_TEXTS),
)

describe('cleanDescription', () => {
  it('gives one line that may be stored and shown, or nothing, whatever a stranger sends', () => {
    fc.assert(
      fc.property(anyText, (written) => {
        const text = cleanDescription(written)
        if (text !== null) expect(lineFault(text, LONGEST_DESCRIPTION)).toBeUndefined()
      }),
    )
  })

  it('does so with each character there is', () => {
    for (let first = 0; first <= 0x10ffff; first += 256) {
      const row = Array.from({ length: 256 }, (_, nth) => String.fromCodePoint(first + nth)).join('')
      for (const written of [row, `a${row}b`]) {
        const text = cleanDescription(written)
        if (text !== null) expect(lineFault(text, LONGEST_DESCRIPTION)).toBeUndefined()
      }
    }
    expect(cleanDescription('\u{1d159}')).toBeNull()
    expect(cleanDescription('a\u{1d159}b')).toBe('ab')
  })

  it('leaves its own result as it is', () => {
    fc.assert(
      fc.property(anyText, (written) => {
        const text = cleanDescription(written)
        if (text !== null) expect(cleanDescription(text)).toBe(text)
      }),
    )
  })

  it('keeps what is harmless to the letter', () => {
    expect(cleanDescription('Wetter für Zürich, 5 Tage 🌦️ (JSON)')).toBe('Wetter für Zürich, 5 Tage 🌦️ (JSON)')
    expect(cleanDescription('<script>alert(1)</script> & `code`')).toBe('<script>alert(1)</script> & `code`')
  })

  it('takes out what misleads, makes one line, and says nothing of nothing', () => {
    expect(cleanDescription('a\u202eb\u0007c\u{e0041}d\ue000e')).toBe('abcde')
    expect(cleanDescription('  one\r\n\ttwo\u2028three \u200f four ')).toBe('one two three four')
    expect(cleanDescription('a\ud800b')).toBe('a\ufffdb')
    expect(cleanDescription(' \u202e\n\u0000 ')).toBeNull()
  })

  it('leaves no letter with more marks than any writing has, also where something joins them', () => {
    const marks = '\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307'
    expect(cleanDescription(`a${marks.repeat(25)}b`)).toBe(`a${marks}b`)
    expect(cleanDescription(`a${`${marks}\u200d`.repeat(9)}b`)).toBe(`a${marks}b`)
    for (const [language, text] of HONEST_TEXTS) expect(cleanDescription(text), language).toBe(text)
  })

  it('cuts at its bound between whole characters and says so', () => {
    const cut = cleanDescription('🌦'.repeat(LONGEST_DESCRIPTION + 1)) ?? ''
    expect([...cut]).toHaveLength(LONGEST_DESCRIPTION)
    expect(cut.endsWith('🌦…')).toBe(true)
    expect(cleanDescription('🌦'.repeat(LONGEST_DESCRIPTION))).toBe('🌦'.repeat(LONGEST_DESCRIPTION))
    expect([...(cleanDescription('x'.repeat(1_000_000)) ?? '')]).toHaveLength(LONGEST_DESCRIPTION)
  })
})

describe('joinDescriptions', () => {
  it('joins what is said in its order and leaves out what was said before', () => {
    expect(joinDescriptions(['Five days', undefined, 'Weather', 'weather', 'five-days', ''])).toBe(
      'Five days · Weather',
    )
    expect(joinDescriptions([undefined, '  ', '·'])).toBeUndefined()
  })
})
