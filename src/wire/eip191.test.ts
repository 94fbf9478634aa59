import fc from 'fast-check'
import { hashMessage } from 'viem'
import { expect, it } from 'vitest'
import { eip191Digest } from './eip191.ts'

it('signs over the same bytes as a second library, whatever the message', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (message) => {
      expect(Buffer.from(eip191Digest(message)).toString('hex')).toBe(hashMessage(message).slice(2))
    }),
  )
  expect(Buffer.from(eip191Digest('')).toString('hex')).toBe(hashMessage('').slice(2))
})
