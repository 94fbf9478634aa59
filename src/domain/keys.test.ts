import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostKey, key53, nextKey, routeKey, sha256Hex } from './keys.ts'

const route = { scheme: 'https', method: 'GET', path: '/v1', rail: 'x402' } as const

/** Any code point, halves of surrogate pairs too. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)) })

describe('keys', () => {
  it('are the first 53 bits of the SHA-256, the same on every machine', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bits = BigInt(`0x${sha256Hex(text)}`) >> (256n - 53n)
        expect(BigInt(key53(text))).toBe(bits)
        expect(Number.isSafeInteger(key53(text))).toBe(true)
      }),
    )
    // Stored in every data folder there is: these must never change.
    expect(hostKey('api.seller.example')).toBe(2_188_673_343_790_730)
    expect(routeKey(route)).toBe(7_659_684_272_812_262)
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('tell routes apart by each of their parts', () => {
    const others = [
      { ...route, scheme: 'http' },
      { ...route, method: 'POST' },
      { ...route, path: '/v2' },
      { ...route, rail: 'mpp' },
    ] as const
    expect(new Set([route, ...others].map(routeKey)).size).toBe(5)
    expect(routeKey({ ...route })).toBe(routeKey(route))
  })

  it('go on to the next number, and from the last to the first', () => {
    expect(nextKey(7)).toBe(8)
    expect(nextKey(Number.MAX_SAFE_INTEGER)).toBe(0)
    fc.assert(
      fc.property(fc.maxSafeNat(), (key) => {
        expect(Number.isSafeInteger(nextKey(key))).toBe(true)
      }),
    )
  })
})
