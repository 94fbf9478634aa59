import fc from 'fast-check'
import { expect, it } from 'vitest'
import { xmlText } from './xml.ts'

it('XML text holds no markup, no character that XML cannot hold, and reads back as it was', () => {
  const unescaped = (text: string): string =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const written = xmlText(text)
      expect(written).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
      expect(written).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u)
      const clean = text
        .toWellFormed()
        .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
      expect(unescaped(written)).toBe(clean)
    }),
  )
})
