import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes58, text58 } from './base58.ts'

describe('base58', () => {
  it('writes and reads any bytes without loss', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
        expect(bytes58(text58(bytes))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it('takes nothing with letters outside its alphabet', () => {
    for (const text of ['', '0', 'O', 'I', 'l', 'abc def', '1'.repeat(101)]) expect(bytes58(text)).toBeUndefined()
  })
})
