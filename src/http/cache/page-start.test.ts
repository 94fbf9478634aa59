import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PAGE_START } from '../../render/html/layout.tsx'
import { bytesOf, hashOf, MOST_AT_ONCE } from './page-start.ts'

const rest = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constant('ab—'.repeat(MOST_AT_ONCE)))
const text = fc
  .tuple(fc.constantFrom('', PAGE_START, PAGE_START.slice(0, -1), `x${PAGE_START}`), rest)
  .map((parts) => parts.join(''))

it('the bytes and the hash of a text are those of any text, also where it begins as every page does', () => {
  fc.assert(
    fc.property(text, (one) => {
      const bytes = bytesOf(one)
      expect(bytes.equals(Buffer.from(one))).toBe(true)
      expect(hashOf(bytes)).toBe(createHash('sha256').update(one).digest('base64url'))
    }),
  )
})
