import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSet } from '../rail.ts'
import type { X402Config } from '../settings.ts'
import { baseUnits, networkOfName, offersOf } from './offer.ts'
import { createX402Rail } from './rail.ts'

const EVM = '0x00000000000000000000000000000000000000AA'
const SOLANA = '3h1zGmCwsRJnVk5BuRNMLsPaQu1y2aqXqXDWYCgrp5UG'
const BASE = { network: 'eip155:8453', dollar: null }
const config = (changes: Partial<X402Config> = {}): X402Config => ({
  payTo: [EVM],
  networks: [BASE],
  facilitatorUrl: 'https://facilitator.example',
  facilitatorHeaders: {},
  ...changes,
})
const missing = (changes: Partial<X402Config>): unknown =>
  createX402Rail({ config: config(changes), rpcUrls: new Map(), nowUs: () => 0 })

describe('what the operator has to set', () => {
  test.each([
    ['nobody to pay', { payTo: [] }, ['X402_PAY_TO']],
    ['no facilitator', { facilitatorUrl: undefined }, ['X402_FACILITATOR_URL']],
    [
      'neither payee nor facilitator',
      { payTo: [], facilitatorUrl: undefined },
      ['X402_PAY_TO', 'X402_FACILITATOR_URL'],
    ],
    ['only a Solana wallet for an EVM network', { payTo: [SOLANA] }, ['X402_PAY_TO']],
    ['a network without a known dollar', { networks: [{ network: 'eip155:1337', dollar: null }] }, ['X402_NETWORKS']],
    [
      'a dollar that moves by permit alone',
      { networks: [{ network: 'eip155:4326', dollar: null }] },
      ['X402_NETWORKS'],
    ],
    ['a network of another rail', { networks: [{ network: 'tempo:4217', dollar: null }] }, ['X402_NETWORKS']],
    ['no network', { networks: [] }, ['X402_NETWORKS']],
  ])('is named when there is %s.', (_, changes, variables) => {
    expect(missing(changes)).toEqual({ name: 'x402', missing: variables, past: expect.any(Function) })
  })
})

test('Terms say on which networks a transfer is seen on chain, and on which the facilitator is believed.', () => {
  const rail = createX402Rail({
    config: config({ payTo: [SOLANA, EVM], networks: [BASE, { network: networkOfName('solana'), dollar: null }] }),
    rpcUrls: new Map([['base', 'http://node.example']]),
    nowUs: () => 0,
  })
  expect(isSet(rail) && rail.terms.map(({ network, settlement }) => [network, settlement])).toEqual([
    ['eip155:8453', 'verified on chain'],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'as the facilitator says'],
  ])
})

test('Known networks offer their own dollar with its signing domain, others the configured one.', () => {
  const dollar = { asset: '0x00000000000000000000000000000000000000bb', decimals: 18, name: 'My Dollar', version: '1' }
  const found = offersOf(
    config({
      payTo: [SOLANA, EVM],
      networks: [BASE, { network: 'eip155:1337', dollar }, { network: networkOfName('solana'), dollar: null }],
    }),
  )
  expect(found).toMatchObject({
    ok: true,
    offers: [
      {
        network: 'eip155:8453',
        name: 'base',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payee: EVM,
        amount: '50000',
        extra: { name: 'USD Coin', version: '2' },
      },
      {
        network: 'eip155:1337',
        name: null,
        asset: '0x00000000000000000000000000000000000000bb',
        amount: '50000000000000000',
        extra: { name: 'My Dollar', version: '1' },
      },
      {
        name: 'solana',
        payee: SOLANA,
        asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        amount: '50000',
        extra: {},
      },
    ],
  })
})

test('Base units are exact, and never less than the price.', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.integer({ min: 0, max: 30 }), (price, decimals) => {
      const units = BigInt(baseUnits(price, decimals))
      const scaled = BigInt(price) * 10n ** BigInt(decimals)
      expect(units * 1_000_000n >= scaled && (units - 1n) * 1_000_000n < scaled).toBe(true)
    }),
  )
  expect(baseUnits(50_000, 2)).toBe('5')
})

test('A name that version 1 does not know stays what it is.', () => {
  expect(['base-sepolia', 'solana', 'eip155:1', 'constructor', '__proto__'].map(networkOfName)).toEqual([
    'eip155:84532',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'eip155:1',
    'constructor',
    '__proto__',
  ])
})
