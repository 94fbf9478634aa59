import fc from 'fast-check'
import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import { keccak } from './keccak.ts'

it('gives the hash of a second library for any bytes, at every edge of a block, and keeps what it gave before', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const given = keccak(bytes)
      const expected = keccak256(bytes)
      keccak(new Uint8Array([1]))
      expect(`0x${Buffer.from(given).toString('hex')}`).toBe(expected)
    }),
  )
  for (let length = 130; length <= 275; length++) {
    const bytes = new Uint8Array(length).fill(length)
    expect(`0x${Buffer.from(keccak(bytes)).toString('hex')}`).toBe(keccak256(bytes))
  }
})
