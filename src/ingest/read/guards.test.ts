import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineFault, unsafeFault } from '../../domain/words/text.ts'
import { describe as describedAs } from './guards.ts'

it('a stranger’s text in a report is one short line that every later reader takes', () => {
  const any = fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)) })
  const odd = fc.constantFrom('\ufffe', '\ufdd0', '\u{e0001}', '\u{e0002}', '\u202e', '\ud800', '\ue000', ' ', '\u2028')
  fc.assert(
    fc.property(fc.array(fc.oneof(any, odd, fc.integer()), { maxLength: 6 }), (parts) => {
      const item = describedAs(...parts)
      expect([item, lineFault(item, 400, unsafeFault)]).toEqual([item, undefined])
    }),
    { numRuns: 2000 },
  )
})
