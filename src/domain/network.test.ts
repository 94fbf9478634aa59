import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNetwork, networkKey } from './network.ts'

/** Any code point, halves of surrogate pairs too. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)) })

describe('networkKey', () => {
  it.each([
    ['base', 'eip155:8453'],
    ['Base', 'eip155:8453'],
    ['eip155:8453', 'eip155:8453'],
    ['base-sepolia', 'eip155:84532'],
    ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['tempo', 'tempo:4217'],
    ['tempo:4217', 'tempo:4217'],
    ['eip155:4217', 'tempo:4217'],
    ['eip155:42431', 'tempo:42431'],
    ['eip155:42170', 'eip155:42170'],
    ['some-other', 'some-other'],
  ])('compares %s as %s', (written, key) => expect(networkKey(written)).toBe(key))

  it('is its own key: nothing changes a second time', () => {
    const named = fc.constantFrom('base', 'BASE', 'solana', 'tempo', 'eip155:4217', 'polygon', 'sei', 'avalanche-fuji')
    fc.assert(
      fc.property(fc.oneof(named, fc.string()), (written) => {
        expect(networkKey(networkKey(written))).toBe(networkKey(written))
      }),
    )
  })

  it('keeps the case of a chain reference, where it means something', () => {
    expect(networkKey('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')).not.toBe(
      networkKey('solana:etwtrabzayq6imfeykouru166vu2xqa1'),
    )
  })

  it('is a text for the names that every object has', () => {
    for (const name of ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty']) {
      expect(networkKey(name)).toBe(name)
    }
  })
})

describe('isNetwork', () => {
  it.each([
    'base',
    'solana',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'eip155:8453',
    'tempo:4217',
    'a',
    'x'.repeat(100),
  ])('takes %s', (name) => expect(isNetwork(name)).toBe(true))

  it.each(['', ' base', 'base ', 'base,solana', 'no data', ':1', '-a', 'basé', 'base\n', 'x'.repeat(101), '__proto__'])(
    'refuses %j',
    (name) => expect(isNetwork(name)).toBe(false),
  )

  it('never lets through what would break the printed line', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (isNetwork(text)) expect(text).not.toMatch(/[\s,;]/)
      }),
    )
  })
})
