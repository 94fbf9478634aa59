import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytes58 } from '../../../wire/base58.ts'
import { isOnCurve, tokenAccountOf } from './account.ts'

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

test.each([
  // Published with the token programs' own libraries.
  [
    'B8UwBUUnKwCyKuGMbFKWaG7exYdDk2ozZrPg72NyVbfj',
    '7o36UsWR1JQLpZ9PE2gn9L4SQ69CNNiWAXd4Jt7rqz9Z',
    TOKEN,
    'DShWnroshVbeUp28oopA3Pu7oFPDBtC1DBmPECXXAQ9n',
  ],
  [
    '3h1zGmCwsRJnVk5BuRNMLsPaQu1y2aqXqXDWYCgrp5UG',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    TOKEN,
    '3uetDDizgTtadDHZzyy9BqxrjQcozMEkxzbKhfZF4tG3',
  ],
  [
    '22Wnk8PwyWZV7BfkZGJEKT9jGGdtvu7xY6EXeRh7zkBa',
    '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo',
    TOKEN_2022,
    '5nu6HDY7t1Ds8oPNsArrhb1rzvRqmGubyteyAUncFyNb',
  ],
])('The token account of %s is the one that everybody derives.', (wallet, mint, program, account) => {
  expect(tokenAccountOf(wallet, mint, program)).toBe(account)
  expect(isOnCurve(bytes58(account) ?? Buffer.alloc(32))).toBe(false)
  expect(isOnCurve(bytes58(wallet) ?? Buffer.alloc(32))).toBe(true)
})

test('What is no wallet has no token account.', () => {
  expect(tokenAccountOf('0x00000000000000000000000000000000000000aa', TOKEN, TOKEN)).toBeUndefined()
  expect(tokenAccountOf('abc', TOKEN, TOKEN)).toBeUndefined()
})

test('The curve has the points that other libraries find on it.', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const decodes = (): boolean => {
        try {
          ed25519.Point.fromBytes(bytes, true)
          return true
        } catch {
          // Not a point: the library says so by throwing.
          return false
        }
      }
      expect(isOnCurve(bytes)).toBe(decodes())
    }),
    { numRuns: 200 },
  )
})
